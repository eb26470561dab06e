/// <reference types="chrome" />
import { afterEach, beforeEach, describe, expect as expected, it, vi } from "vitest";
import { openLink } from "../../extension/src/link";
import { follow, showAfterCommand, forget as forgetArrow, leave } from "../../extension/src/pointer";
import { expect as sends, forget, isOwn } from "../../extension/src/ownInput";
import { makeRules, set } from "../../extension/src/hostLimits";
import { noteRequest, opened } from "../../extension/src/windows";

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
    const made = makeRules([{ tab: 7, group: "talk", hosts: ["shop.example"] }], [8, 9]);
    expected(made.map((rule) => rule.condition.tabIds ?? rule.condition.excludedTabIds)).toEqual([[7], [7], [8, 9, -1], [8, 9, -1]]);
    expected(made[0]?.condition.excludedRequestDomains).toContain("shop.example");
    expected(made[1]?.condition.urlFilter).toBe("||bad.example:81^");
    expected(made[2]?.condition.initiatorDomains).toEqual(["shop.example"]);
    expected(made[2]?.condition.resourceTypes).toEqual(["main_frame"]);
  });

  it("are none for tabs of another conversation, or without driven tabs", () => {
    set("talk", { allowed: [["shop.example"]], blocked: [] });
    expected(makeRules([{ tab: 7, group: "other", hosts: [] }], [])).toEqual([]);
    expected(makeRules([], [])).toEqual([]);
  });
});

describe("windows of driven pages", () => {
  it("are tabs that the page asked for, in whichever order Chrome tells of both", () => {
    expected(noteRequest(1, 0)).toBeUndefined();
    expected(opened(1, 11, 10)).toBe(11);
    expected(opened(1, 12, 20)).toBeUndefined();
    expected(noteRequest(1, 30)).toBe(12);
  });

  it("are not tabs that the person opened beside one", () => {
    expected(opened(2, 21, 0)).toBeUndefined();
    expected(noteRequest(2, 10_000)).toBeUndefined();
    expected(opened(3, 31, 10_000)).toBeUndefined();
  });
});

describe("the arrow", () => {
  const sent: [string, object][] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    sent.length = 0;
    vi.stubGlobal("chrome", { debugger: { sendCommand: async (_: object, method: string, params: object) => sent.push([method, params]) } });
  });
  afterEach(() => {
    forgetArrow(1);
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const quads = () => sent.filter(([method]) => method === "Overlay.highlightQuad").length;

  it("is painted once for a click, when the agent has nothing else to send", () => {
    for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) follow(1, "Input.dispatchMouseEvent", { ...press, type });
    expected(quads()).toBe(0);
    vi.advanceTimersByTime(140);
    follow(1, "Runtime.evaluate", {});
    vi.advanceTimersByTime(140);
    expected(quads()).toBe(0);
    vi.advanceTimersByTime(20);
    expected(quads()).toBe(1);
    follow(1, "Input.dispatchMouseEvent", press);
    vi.advanceTimersByTime(1000);
    expected(quads()).toBe(1);
  });

  it("does not wait for ever, and is not in pictures", () => {
    follow(1, "Input.dispatchMouseEvent", press);
    for (let count = 0; count < 8; count++) {
      vi.advanceTimersByTime(100);
      follow(1, "Runtime.evaluate", {});
    }
    expected(quads()).toBe(1);
    follow(1, "Page.captureScreenshot", {});
    expected(sent.at(-1)?.[0]).toBe("Overlay.hideHighlight");
  });

  it("comes back after a picture, but not in another document", () => {
    follow(1, "Input.dispatchMouseEvent", press);
    vi.advanceTimersByTime(200);
    const picture = () => {
      follow(1, "Page.captureScreenshot", {});
      vi.advanceTimersByTime(1000);
      expected(sent.at(-1)?.[0]).toBe("Overlay.hideHighlight");
      showAfterCommand(1, "Page.captureScreenshot");
      vi.advanceTimersByTime(200);
    };
    picture();
    expected(quads()).toBe(2);
    picture();
    expected(quads()).toBe(3);
    follow(1, "Page.captureScreenshot", {});
    leave(1);
    showAfterCommand(1, "Page.captureScreenshot");
    vi.advanceTimersByTime(1000);
    expected(quads()).toBe(3);
  });
});

describe("the connection to the server", () => {
  class Line {
    static OPEN = 1;
    static made: Line[] = [];
    readyState = 1;
    sent: string[] = [];
    closed = false;
    onopen = () => {};
    onmessage: ((event: { data: string }) => void) | null = null;
    onclose: (() => void) | null = null;
    constructor() {
      Line.made.push(this);
    }
    send(text: string) {
      this.sent.push(text);
    }
    close() {
      this.closed = true;
    }
  }

  it("is made again when the server does not answer a sign of life, as after a sleep", async () => {
    vi.useFakeTimers();
    const listener = { addListener: () => {} };
    const local = { get: async () => ({ pairing: { server: "http://127.0.0.1:1", token: "t" } }), onChanged: listener };
    vi.stubGlobal("chrome", { storage: { local }, alarms: { create: () => {}, onAlarm: listener }, runtime: { getManifest: () => ({ version: "1" }) } });
    vi.stubGlobal("WebSocket", Line);
    vi.stubGlobal("addEventListener", () => {});
    vi.stubGlobal("fetch", async () => Promise.reject(new Error("gone")));
    const lost = vi.fn(async () => {});
    openLink(async () => ({}), lost);
    await vi.advanceTimersByTimeAsync(20_000);
    const [line] = Line.made;
    expected(line?.sent).toEqual(["{}"]);
    line?.onmessage?.({ data: "{}" });
    await vi.advanceTimersByTimeAsync(19_000);
    expected([line?.closed, lost.mock.calls.length]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(11_500);
    expected([line?.closed, lost.mock.calls.length, Line.made.length]).toEqual([true, 1, 2]);
    vi.clearAllTimers();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
});
