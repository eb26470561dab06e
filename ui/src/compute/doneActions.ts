/** What was done, by code: the tool, what it touched and with what. Other languages than English are made from this. */
import type { Event } from "../api/types";

/** `about` is what was touched or read, `using` what was typed, chosen, pressed or looked for. */
export type DoneAction = { tool: string; about: string; using: string };
/** What is worth knowing beside the steps: its topic, and what the server tells of it. */
export type Note = { topic: string; details: Record<string, unknown> };

type Args = Record<string, unknown>;

const USING = ["text", "option", "key", "query", "path", "action", "direction"];

export function doneAction(tool: string, args: Args, done: Extract<Event, { type: "tool_finished" }>): DoneAction {
  const touched = (done.data?.["touched"] ?? done.data?.["met"] ?? {}) as Record<string, { name?: string } | undefined>;
  const named = (which: string) => touched[String(args[which])]?.name ?? "";
  const using = named("to_id") || USING.map((name) => args[name]).find((value) => typeof value === "string" && value);
  // A password is not repeated where the server's own sentence keeps it back.
  const shown = tool !== "type" || done.text.includes(String(using)) ? String(using ?? "") : "";
  return { tool, about: named("id") || named("from_id") || named("target") || String(done.data?.["title"] ?? ""), using: shown };
}
