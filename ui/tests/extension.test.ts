/// <reference types="chrome" />
import { afterEach, describe, expect as expected, it } from "vitest";
import { expect as sends, forget, isOwn } from "../../extension/src/ownInput";
import { rules, set } from "../../extension/src/hostLimits";
import { asked, opened } from "../../extension/src/windows";

const heard = { kind: "pointer", x: 10, y: 20, key: "", top: true } as const;
const press = { type: "mousePressed", x: 10, y: 20 };

describe("inputs of the agent", () => {
  afterEach(() => forget(1));

  it("count once, in their own tab, at their own place", () => {
    sends(1, "Input.dispatchMouseEvent", press);
    expected(isOwn(2, heard)).toBe(false);
    expected(isOwn(1, { ...heard, x: 50 })).toBe(false);
    expected(isOwn(1, heard)).toBe(true);
    expected(isOwn(1, heard)).toBe(false);
  });

  it("are known in frames, whose places are others", () => {
    sends(1, "Input.dispatchMouseEvent", press);
    expected(isOwn(1, { ...heard, x: 3, y: 4, top: false })).toBe(true);
  });

  it("are known by their key, and forgotten after a while", () => {
    sends(1, "Input.dispatchKeyEvent", { type: "keyDown", key: "a" }, 0);
    const key = { kind: "key", x: 0, y: 0, key: "b", top: true } as const;
    expected(isOwn(1, key, 10)).toBe(false);
    expected(isOwn(1, { ...key, key: "a" }, 60_000)).toBe(false);
    expected(isOwn(1, { ...key, key: "a" }, 10)).toBe(true);
  });

  it("are not what moves or is released", () => {
    for (const type of ["mouseMoved", "mouseReleased"]) sends(1, "Input.dispatchMouseEvent", { ...press, type });
    expected(isOwn(1, heard)).toBe(false);
  });
});

describe("the sites of a conversation", () => {
  it("hold for its driven tabs and for windows that they open, and for no other tab", () => {
    set("talk", { allowed: [["shop.example"]], blocked: ["bad.example:81"] });
    const made = rules([{ tab: 7, group: "talk", hosts: ["shop.example"] }], [8, 9]);
    expected(made.map((rule) => rule.condition.tabIds ?? rule.condition.excludedTabIds)).toEqual([[7], [7], [8, 9, -1], [8, 9, -1]]);
    expected(made[0]?.condition.excludedRequestDomains).toContain("shop.example");
    expected(made[1]?.condition.urlFilter).toBe("||bad.example:81^");
    expected(made[2]?.condition.initiatorDomains).toEqual(["shop.example"]);
    expected(made[2]?.condition.resourceTypes).toEqual(["main_frame"]);
  });

  it("are none for tabs of another conversation, or without driven tabs", () => {
    set("talk", { allowed: [["shop.example"]], blocked: [] });
    expected(rules([{ tab: 7, group: "other", hosts: [] }], [])).toEqual([]);
    expected(rules([], [])).toEqual([]);
  });
});

describe("windows of driven pages", () => {
  it("are tabs that the page asked for, in whichever order Chrome tells of both", () => {
    expected(asked(1, 0)).toBeUndefined();
    expected(opened(1, 11, 10)).toBe(11);
    expected(opened(1, 12, 20)).toBeUndefined();
    expected(asked(1, 30)).toBe(12);
  });

  it("are not tabs that the person opened beside one", () => {
    expected(opened(2, 21, 0)).toBeUndefined();
    expected(asked(2, 10_000)).toBeUndefined();
    expected(opened(3, 31, 10_000)).toBeUndefined();
  });
});
