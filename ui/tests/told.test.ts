import { beforeEach, describe, expect, it } from "vitest";
import type { Event } from "../src/api/types";
import { type Row, extend } from "../src/fold/rows";
import * as en from "../src/words/told.en";
import * as zh from "../src/words/told.zh";
import { event, finished, restart, started } from "./events";

const only = (...events: Event[]): Row => {
  const all: Row[] = [];
  for (const each of events) extend(all, each);
  return all[0] as Row;
};
const told = (row: Row) => row.deed && zh.deeds[row.deed.tool]?.(row.deed);
const met = { "4": { role: "button", name: "Cart" }, "10": { role: "textbox", name: "Email" } };

beforeEach(restart);

describe("what was done, by code", () => {
  it("names what was touched and what was typed", () => {
    expect(told(only(started("a", "click", { id: 4 }), finished("a", { text: 'Clicked button "Cart"', data: { met } })))).toBe("点击“Cart”");
    const typed = [started("a", "type", { id: 10, text: "ann@x" }), finished("a", { tool: "type", text: "Typed 'ann@x' into Email", data: { met } })] as const;
    expect(told(only(...typed))).toBe("在“Email”中输入“ann@x”");
    expect(told(only(started("a", "drag", { from_id: 10, to_id: 4 }), finished("a", { tool: "drag", text: "Dragged", data: { met } })))).toBe("把“Email”拖到“Cart”");
  });

  it("asks for permission and money by what they are about", () => {
    expect(en.permission("buy", "shop.example")).toBe("May it buy or pay on shop.example?");
    expect(zh.permission("buy", "shop.example")).toBe("可以在 shop.example 这样做吗？这会购买或付款。");
    expect([zh.permission("", "x"), en.permission("unheard", "x"), en.permission("buy", "")]).toEqual(["", "", ""]);
    expect(zh.spent("run", "10.3 ¢", "10.0 ¢")).toContain("已花费 10.3 ¢");
  });

  it("does not repeat what the server keeps back", () => {
    const row = only(started("a", "type", { id: 10, text: "hunter2" }), finished("a", { tool: "type", text: "Typed 7 characters into Email", data: { met } }));
    expect(told(row)).toBe("在“Email”中输入内容");
  });

  it("tells a refusal by its effect, and leaves a failure in the server's words", () => {
    const refused = only(event("noted", { topic: "policy", text: "Not done: it would buy.", details: { effect: "buy" } }));
    expect(zh.notes[refused.note?.topic ?? ""]?.(refused.note?.details ?? {}, refused.text, String)).toContain("购买或付款");
    expect(only(started("a"), finished("a", { ok: false, error: "It is covered." })).deed).toBeNull();
  });
});
