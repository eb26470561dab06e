/** What happened, in the language of the person. Where that language has no words for a code, the server's sentence is shown. */
import { computed } from "@preact/signals";
import type { InputRequest } from "../api/types";
import { effectsOf } from "../compute/effects";
import { money } from "../compute/figures";
import type { Row } from "../compute/rows";
import { language } from "../state/session";
import { loopName, findVerb, words } from ".";
import * as en from "./sentences.en";
import * as zh from "./sentences.zh";

const texts = computed(() => (language.value === "zh" ? zh : en));

export type Line = { verb: string; object: string };

/** A step in one line: what was done and, where it is shown apart, to what. */
export function describeRow(row: Row): Line {
  const known = texts.value;
  if (row.asked) return { verb: findVerb(row.verb), object: writeQuestion(row.asked) };
  if (row.note) return { verb: "", object: known.notes[row.note.topic]?.(row.note.details, row.text, loopName) ?? row.text };
  const say = row.doneAction && known.doneActions[row.doneAction.tool];
  if (row.doneAction && say) return { verb: "", object: say(row.doneAction) };
  const failed = row.status === "failed" && row.verb && row.text;
  const said = findVerb(row.verb, row.status === "working");
  return { verb: failed ? words.value.run.failed(said) : said, object: row.text };
}

/** Whether the server speaks the language of the person. */
export const native = computed(() => language.value === "en");

export const writeSentence = (row: Row): string => Object.values(describeRow(row)).filter(Boolean).join(" ");

/** The name of a failure or refusal; empty where the server's sentence is enough. */
export const failureTitle = (kind: string): string => texts.value.failureTitles[kind] ?? "";

/** The question to the person. For an approval it names every effect of the action. */
export function writeQuestion(asked: InputRequest): string {
  const about = asked.details ?? {};
  const cents = (name: string) => money(Number(about[name] ?? 0) / 100);
  const text = (name: string) => String(about[name] ?? "");
  if (asked.kind === "approval") return texts.value.permission(effectsOf(about)) || asked.question;
  return (asked.kind === "budget" && texts.value.spent(text("of"), cents("spent"), cents("limit"))) || asked.question;
}

/** What the action does, and its effects, which are why it needs permission. */
export function doneAction(details: Record<string, unknown>): { what: string; why: string } {
  const about = String(details["name"] ?? "");
  return {
    what: texts.value.doneActions[String(details["tool"] ?? "")]?.({ tool: String(details["tool"]), about, using: "" }) ?? "",
    why: texts.value.effectList(effectsOf(details)),
  };
}

/** What the policy decides about an action; empty where the server's sentence is shown. */
export function describeDecision(decision: string, effect: string): string {
  const outcome = texts.value.outcomes[decision];
  return outcome ? [outcome, texts.value.effects[effect]].filter(Boolean).join("：") : "";
}
