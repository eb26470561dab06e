import { beforeEach, describe, expect, it } from "vitest";
import type { Live } from "../src/api/types";
import { EMPTY, fold } from "../src/compute/runState";
import { USED, event, finished, restart, started } from "./events";

const delta = (text: string, call = "c", kind: "content" | "reasoning" = "content"): Live => ({ type: "delta", run: "r", call, text, kind });
const said = (role: string, text: string, sources: object[] = []) =>
  event("message_added", { message: { role, text, images: [] }, sources });

beforeEach(restart);

describe("a runState", () => {
  it("gathers rows of data as they come, and has all of them at the end", () => {
    const part = (rows: object[]) => event("progress", { stage: "fetching_content", status: "completed", text: "", details: { rows } });
    const half = fold(EMPTY, [part([{ name: "Ann" }]), part([{ name: "Bob" }])]);
    expect(half.data).toEqual([{ name: "Ann" }, { name: "Bob" }]);
    const end = { outcome: "completed", error: "", fix: "", usage: USED, seconds: 1, steps: 0, text: "" };
    expect(fold(half, [event("run_finished", { ...end, data: { people: [{ name: "Ann" }] } })]).data).toEqual([{ name: "Ann" }]);
  });

  it("shows what was attached apart from the words", () => {
    const [one, two] = fold(EMPTY, [said("user", "When?\n\n(Attached files: tides.csv, a (1).pdf)"), said("user", "Now?")]).said;
    expect(one).toMatchObject({ text: "When?", files: ["tides.csv", "a (1).pdf"] });
    expect(two).toMatchObject({ text: "Now?", files: [] });
  });

  it("keeps the half of an answer that was read when it was stopped", () => {
    const end = { error: "", fix: "", usage: USED, seconds: 1, steps: 0, text: "" };
    const half = fold(EMPTY, [delta("Half an")]);
    expect(fold(half, [event("run_finished", { outcome: "stopped", ...end })]).draft?.text).toBe("Half an");
    expect(fold(half, [event("run_finished", { outcome: "completed", ...end })]).draft).toBeNull();
  });

  it("begins with the task and ends with outcome, money and time", () => {
    const runState = fold(EMPTY, [
      event("run_started", { task: "Hi", loop: "auto", options: { max_steps: 7 } }),
      event("state_changed", { state: "running" }),
      event("run_finished", { outcome: "completed", error: "", fix: "", usage: USED, seconds: 3, steps: 2 }),
    ]);
    expect(runState).toMatchObject({ task: "Hi", limit: 7, state: "ended", outcome: "completed", seconds: 3, steps: 2, usage: USED });
  });

  it("passes over events that it holds already, so that a second reading changes nothing", () => {
    const events = [started("a"), finished("a"), said("assistant", "Done.")];
    const once = fold(EMPTY, events);
    expect(fold(once, events)).toEqual(once);
  });

  it("is the same however the events are cut into batches", () => {
    const events = [event("run_started", { task: "Hi", loop: "auto" }), started("a"), finished("a"), said("assistant", "Done.")];
    expect(events.reduce((runState, each) => fold(runState, [each]), EMPTY)).toEqual(fold(EMPTY, events));
  });

  it("never changes the runState it was given", () => {
    const before = fold(EMPTY, [started("a")]);
    const copy = structuredClone(before);
    fold(before, [finished("a"), delta("x")]);
    expect(before).toEqual(copy);
  });

  it("gathers text while it is written, and lets the finished message take its place", () => {
    const writing = fold(EMPTY, [delta("Hel"), delta("lo"), delta("hm", "c", "reasoning")]);
    expect(writing.draft).toEqual({ call: "c", text: "Hello", thinking: "hm" });
    const done = fold(writing, [said("assistant", "Hello", [{ title: "A", url: "https://a.example" }])]);
    expect(done.draft).toBeNull();
    expect(done.said[0]).toMatchObject({ text: "Hello", sources: [{ title: "A", url: "https://a.example" }] });
  });

  it("drops the draft of another call", () => {
    expect(fold(EMPTY, [delta("old", "1"), delta("new", "2")]).draft?.text).toBe("new");
  });

  it("knows the open question until it is answered, timed out or over", () => {
    const asked = event("input_requested", { request: "q", kind: "question", question: "Which?", choices: [] });
    const open = fold(EMPTY, [asked]);
    expect(open.asked?.question).toBe("Which?");
    expect(fold(open, [event("input_received", { request: "q", answer: "red" })]).asked).toBeNull();
    expect(fold(open, [event("input_timed_out", { request: "q" })]).asked).toBeNull();
    expect(fold(open, [event("run_finished", { outcome: "stopped", error: "", fix: "", usage: USED, seconds: 1, steps: 0 })]).asked).toBeNull();
  });

  it("adds up what was used and stays honest about unknown prices", () => {
    const reply = (usage: object) => event("model_replied", { call: "m", model: "big", usage, context: 900, window: 1000, calls: [], text: "", seconds: 1 });
    const runState = fold(EMPTY, [reply(USED), reply({ ...USED, priced: false })]);
    expect(runState.usage).toMatchObject({ input: 200, output: 20, priced: false });
    expect(runState.context).toEqual({ used: 900, window: 1000 });
  });

  it("holds ten thousand events without growing slow", () => {
    const events = Array.from({ length: 5000 }, (_, n) => [started(`${n}`), finished(`${n}`)]).flat();
    const begun = performance.now();
    expect(fold(EMPTY, events).rows).toHaveLength(5000);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
