import { beforeEach, describe, expect, it } from "vitest";
import type { Event } from "../src/api/types";
import { type Row, hasActions, badge, extend, host, major, findSubject } from "../src/compute/rows";
import { USED, event, finished, restart, started } from "./events";

const rows = (...events: Event[]): Row[] => {
  const all: Row[] = [];
  for (const each of events) extend(all, each);
  return all;
};

beforeEach(restart);

describe("a row", () => {
  it("is one per tool call, completed by its result", () => {
    const [row, ...none] = rows(started("a", "type", { id: 4, text: "Ann" }), finished("a", { text: "typed “Ann” into Name" }));
    expect(none).toEqual([]);
    expect(row).toMatchObject({ badge: "act", status: "done", text: "typed “Ann” into Name", verb: "", seconds: 1 });
  });

  it("keeps what the page looked like afterwards inside, not among the pictures", () => {
    const shot = event("file_saved", { name: "frames/1.jpg", media: "image/jpeg", size: 9, purpose: "frame" });
    expect(rows(started("a", "click", { id: 4 }), shot, finished("a"))[0]).toMatchObject({ frame: "frames/1.jpg", pictures: [] });
  });

  it("says what it is doing before there is a result", () => {
    expect(rows(started("a", "type", { id: 4, text: "Ann" }))[0]).toMatchObject({ verb: "tool.type", text: "Ann", status: "working" });
  });

  it("tells a failure in the first line of its words and keeps the rest inside", () => {
    const [row] = rows(started("a"), finished("a", { ok: false, error: "It is covered.\nby [3] dialog" }));
    expect(row).toMatchObject({ status: "failed", text: "It is covered.", verb: "tool.click" });
    expect(row?.details).toContainEqual({ name: "error", value: "It is covered.\nby [3] dialog" });
  });

  it("can be done again only where something was done in the browser, and went well", () => {
    expect(hasActions(rows(started("a", "click", { id: 4 }), finished("a")))).toBe(true);
    expect(hasActions(rows(started("a", "click", { id: 4 }), finished("a", { ok: false })))).toBe(false);
    expect(hasActions(rows(started("a", "web_search", { query: "x" }), finished("a")))).toBe(false);
  });

  it("tells what the model says to the person while it acts, and no other stage that begins", () => {
    const stage = (text: string, details: object) => event("progress", { stage: "executing_tools", status: "started", text, details });
    expect(rows(stage("I open the kettle.", { said: true }), stage("Using click", {})).map((row) => row.text)).toEqual(["I open the kettle."]);
  });

  it("does not mix up two calls that carry the same id", () => {
    const all = rows(started("c0"), finished("c0", { text: "one" }), started("c0"), finished("c0", { text: "two" }));
    expect(all.map((row) => row.text)).toEqual(["one", "two"]);
    expect(new Set(all.map((row) => row.key)).size).toBe(2);
  });

  it("never shows the numbers that models know elements by", () => {
    expect(rows(started("a"), finished("a", { text: 'Clicked [28] link "Tide kettle"' }))[0]?.text).toBe('Clicked link "Tide kettle"');
  });

  it("marks an outcome that is not known", () => {
    expect(rows(started("a"), finished("a", { ok: false, unknown: true, error: "Interrupted." }))[0]?.status).toBe("unknown");
  });

  it("gives pictures to the step that took them", () => {
    const saved = event("file_saved", { name: "shots/1.png", media: "image/png", size: 9, purpose: "screenshot" });
    expect(rows(started("a", "screenshot"), saved, finished("a"))[0]?.pictures).toEqual(["shots/1.png"]);
  });

  it("is kept where a plan only got further, and new where the plan changed", () => {
    const plan = (...items: [string, string][]) => event("planned", { items });
    const all = rows(plan(["One", "open"], ["Two", "open"]), plan(["One", "done"], ["Two", "open"]), plan(["Three", "open"]));
    expect(all.map((row) => row.text)).toEqual(["One; Two", "Three"]);
    expect(all[0]?.details[0]?.value).toBe("✓ One\n· Two");
  });

  it("waits for the person until a question is answered", () => {
    const asked = event("input_requested", { request: "q", kind: "question", question: "Which?" });
    expect(rows(asked)[0]).toMatchObject({ badge: "ask", status: "waiting" });
    expect(rows(asked, event("input_received", { request: "q", answer: "red" }))[0]?.status).toBe("done");
    expect(rows(asked, event("input_timed_out", { request: "q" }))[0]).toMatchObject({ status: "failed", verb: "unanswered" });
  });

  it("tells the words of a phase with its step, and folds mere thinking away", () => {
    const [phase, thought] = rows(
      event("reasoned", { text: "I will look.\nThen I read.", phase: "reason", step: 2, public: true }),
      event("reasoned", { text: "Hm.", phase: "reason", step: 2 }),
    );
    expect(phase).toMatchObject({ badge: "reason", step: 2, text: "I will look.", minor: false });
    expect(phase?.details).toContainEqual({ name: "text", value: "I will look.\nThen I read." });
    expect(thought).toMatchObject({ verb: "thought", minor: true, step: 0 });
  });

  it("stays silent where there is nothing to say", () => {
    expect(rows(event("noted", { topic: "policy", text: "" }), event("reasoned", { text: "" }))).toEqual([]);
  });
});

describe("at a glance", () => {
  it("thinking and looking are left out, except what is going on now or went wrong", () => {
    const asked = (call: string) => event("model_asked", { call, purpose: "reason", model: "big", tokens: 1, tier: "main" });
    const replied = (call: string) => event("model_replied", { call, model: "big", usage: USED, text: "", calls: [], seconds: 1 });
    const failed = event("model_failed", { call: "2", model: "big", error: "No answer.", fix: "" });
    const all = rows(asked("1"), replied("1"), asked("2"), failed, started("a"), finished("a"), asked("3"));
    expect(major(all).map((row) => row.status)).toEqual(["failed", "done", "working"]);
  });

  it("badges tell acting from looking", () => {
    expect([badge("click"), badge("get_text"), badge("planner"), badge("request_input")]).toEqual(["act", "observe", "plan", "ask"]);
  });

  it("a call is texts by what it is about", () => {
    expect(findSubject({ id: 3 })).toBe("");
    expect(findSubject({ id: 3, query: "robot arms" })).toBe("robot arms");
    expect(findSubject({ url: "https://shop.example/arms?x=1" })).toBe("shop.example/arms");
    expect(host("not an address")).toBe("not an address");
  });
});
