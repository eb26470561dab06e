/** What happened, in the language of the person: from codes where that language has words for them, else as the server says it. */
import { computed } from "@preact/signals";
import type { Asked } from "../api/types";
import { money } from "../fold/figures";
import type { Row } from "../fold/rows";
import { language } from "../state/session";
import { loopName, verb, words } from ".";
import * as en from "./told.en";
import * as zh from "./told.zh";

const told = computed(() => (language.value === "zh" ? zh : en));

export type Line = { verb: string; object: string };

/** A step in one line: what was done, and to what where that is told apart. */
export function line(row: Row): Line {
  const known = told.value;
  if (row.asked) return { verb: verb(row.verb), object: question(row.asked) };
  if (row.note) return { verb: "", object: known.notes[row.note.topic]?.(row.note.details, row.text, loopName) ?? row.text };
  const say = row.deed && known.deeds[row.deed.tool];
  if (row.deed && say) return { verb: "", object: say(row.deed) };
  const failed = row.status === "failed" && row.verb && row.text;
  const said = verb(row.verb, row.status === "working");
  return { verb: failed ? words.value.run.failed(said) : said, object: row.text };
}

/** Whether the server speaks the language of the person. */
export const native = computed(() => language.value === "en");

export const sentence = (row: Row): string => Object.values(line(row)).filter(Boolean).join(" ");

/** What a failure or refusal is called; empty where the server's own sentence says it all. */
export const trouble = (kind: string): string => told.value.troubles[kind] ?? "";

/** What is asked of the person, from what the question is about. */
export function question(asked: Asked): string {
  const about = asked.details ?? {};
  const cents = (name: string) => money(Number(about[name] ?? 0) / 100);
  const text = (name: string) => String(about[name] ?? "");
  if (asked.kind === "approval") return told.value.permission(text("effect"), text("site")) || asked.question;
  return (asked.kind === "budget" && told.value.spent(text("of"), cents("spent"), cents("limit"))) || asked.question;
}

/** What an action for which permission is asked would do, and why that needs permission. */
export function deed(details: Record<string, unknown>): { what: string; why: string } {
  const about = String(details["name"] ?? "");
  return {
    what: told.value.deeds[String(details["tool"] ?? "")]?.({ tool: String(details["tool"]), about, using: "" }) ?? "",
    why: told.value.effects[String(details["effect"] ?? "")] ?? "",
  };
}

/** What the policy would say to a deed; empty where the server's sentence is told. */
export function verdict(decision: string, effect: string): string {
  const outcome = told.value.outcomes[decision];
  return outcome ? [outcome, told.value.effects[effect]].filter(Boolean).join("：") : "";
}
