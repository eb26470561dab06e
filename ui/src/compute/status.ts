/** The state of a run as people name it: eight words, each with its own icon and colour. */
import type { Outcome, State } from "../api/types";

export type Condition = "queued" | "working" | "waiting" | "paused" | "done" | "stopped" | "failed" | "broke";

export function conditionOf(state: State, outcome: Outcome | null | undefined): Condition {
  switch (state) {
    case "queued":
      return "queued";
    case "running":
    case "stopping":
      return "working";
    case "paused":
      return "paused";
    case "awaiting_input":
    case "awaiting_approval":
      return "waiting";
    case "ended":
      return outcome === "completed" ? "done" : outcome === "stopped" ? "stopped" : outcome === "failed" ? "failed" : "broke";
  }
}

export const isUnfinished = (what: Condition) => what === "queued" || what === "working" || what === "waiting" || what === "paused";

/** The condition that matters most among several: what waits for the person comes first. */
export function findMostUrgent(all: readonly Condition[]): Condition | null {
  const order: Condition[] = ["waiting", "working", "queued", "paused", "failed", "broke", "stopped", "done"];
  return order.find((each) => all.includes(each)) ?? null;
}
