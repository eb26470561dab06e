/** Events for tests: what the server would send, with the least that is needed. */
import type { Event, Usage } from "../src/api/types";

export const USED: Usage = { input: 100, output: 10, cached: 0, cost: 0.001, priced: true, estimated: false };

let seq = 0;

export function restart(): void {
  seq = 0;
}

export function event<T extends Event["type"]>(type: T, rest: Record<string, unknown> = {}): Event {
  return { run: "r", seq: ++seq, key: "", at: "2026-11-15T04:00:00Z", type, ...rest } as unknown as Event;
}

export const started = (call: string, tool = "click", args: Record<string, unknown> = {}) =>
  event("tool_started", { call, tool, args, text: "" });

export const finished = (call: string, rest: Record<string, unknown> = {}) =>
  event("tool_finished", { call, tool: "click", ok: true, output: "", error: "", text: "", seconds: 1, usage: { ...USED, input: 0, output: 0, cost: 0 }, unknown: false, ...rest });
