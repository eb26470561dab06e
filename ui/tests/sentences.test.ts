import { beforeEach, describe, expect, it } from "vitest";
import type { Event } from "../src/api/types";
import { effectsOf } from "../src/compute/effects";
import { type Row, extend } from "../src/compute/rows";
import * as en from "../src/words/sentences.en";
import * as zh from "../src/words/sentences.zh";
import { event, finished, restart, started } from "./events";

const only = (...events: Event[]): Row => {
  const all: Row[] = [];
  for (const each of events) extend(all, each);
  return all[0] as Row;
};
const texts = (row: Row) => row.doneAction && zh.doneActions[row.doneAction.tool]?.(row.doneAction);
const met = { "4": { role: "button", name: "Cart" }, "10": { role: "textbox", name: "Email" } };

beforeEach(restart);

describe("what was done, by code", () => {
  it("names what was touched and what was typed", () => {
    expect(texts(only(started("a", "click", { id: 4 }), finished("a", { text: 'Clicked button "Cart"', data: { met } })))).toBe("点击“Cart”");
    const typed = [started("a", "type", { id: 10, text: "ann@x" }), finished("a", { tool: "type", text: "Typed 'ann@x' into Email", data: { met } })] as const;
    expect(texts(only(...typed))).toBe("在“Email”中输入“ann@x”");
    expect(texts(only(started("a", "drag", { from_id: 10, to_id: 4 }), finished("a", { tool: "drag", text: "Dragged", data: { met } })))).toBe("把“Email”拖到“Cart”");
  });

  it("asks for permission and money by what they are about", () => {
    const buy = effectsOf({ effect: "buy", site: "shop.example" });
    expect(en.permission(buy)).toBe("May it buy or pay on shop.example?");
    expect(zh.permission(buy)).toBe("可以在 shop.example 这样做吗？这会购买或付款。");
    const unheard = effectsOf({ effect: "unheard", site: "x" });
    expect([zh.permission([]), en.permission([]), en.permission(unheard), en.permission(effectsOf({ effect: "buy" }))]).toEqual(["", "", "", ""]);
    expect(zh.spent("run", "10.3 ¢", "10.0 ¢")).toContain("已花费 10.3 ¢");
  });

  it("names every effect of the action in the question, and who receives it where that is another site", () => {
    const details = {
      effect: "send",
      site: "shop.example",
      effects: [
        { effect: "send", site: "shop.example", receiver: "forms.example" },
        { effect: "personal", site: "shop.example", receiver: "shop.example" },
      ],
    };
    expect(en.permission(effectsOf(details))).toBe("May it send a message on shop.example (received by forms.example), and give personal details to shop.example?");
    expect(zh.permission(effectsOf(details))).toBe("可以在 shop.example 这样做吗？这会发送消息（由 forms.example 接收）、提供个人信息。");
  });

  it("leaves the question to the server where one of several effects has no words here", () => {
    const some = effectsOf({ effects: [{ effect: "buy", site: "x" }, { effect: "unheard", site: "x" }] });
    expect([en.permission(some), zh.permission(some)]).toEqual(["", ""]);
  });

  it("does not repeat what the server keeps back", () => {
    const row = only(started("a", "type", { id: 10, text: "hunter2" }), finished("a", { tool: "type", text: "Typed 7 characters into Email", data: { met } }));
    expect(texts(row)).toBe("在“Email”中输入内容");
  });

  it("tells a refusal by its effect, and leaves a failure in the server's words", () => {
    const refused = only(event("noted", { topic: "policy", text: "Not done: it would buy.", details: { effect: "buy" } }));
    expect(zh.notes[refused.note?.topic ?? ""]?.(refused.note?.details ?? {}, refused.text, String)).toContain("购买或付款");
    expect(only(started("a"), finished("a", { ok: false, error: "It is covered." })).doneAction).toBeNull();
  });
});
