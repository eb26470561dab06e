/** The words of the page in the language that the person chose. */
import { computed } from "@preact/signals";
import type { Model } from "../api/types";
import { formatSpan } from "../compute/figures";
import { language } from "../state/session";
import * as settingsEn from "./settings.en";
import * as settingsZh from "./settings.zh";
import { en } from "./en";
import { zh } from "./zh";

export type { Words } from "./en";

export const words = computed(() => (language.value === "zh" ? zh : en));

/** The words of settings and tools, which the server knows by their names only. */
export const settingTexts = computed(() => (language.value === "zh" ? settingsZh : settingsEn));

/** What a model is, or what it lacks, in the words of the person; what the server says in other words stays. */
export function describeModel(model: Model): string {
  const texts = words.value.compose;
  const keys = /^Set (.+) in the environment\.$/.exec(model.missing ?? "")?.[1];
  if (keys) return texts.setKey(keys.split(" or ").join(` ${texts.or} `));
  if (model.missing) return model.kind === "embedded" ? texts.fetchIt : model.missing;
  return texts.kinds[model.kind] ?? settingTexts.value.titles[model.name] ?? model.title;
}

/** What a row's verb says, done or under way; an unknown tool or purpose falls back to the kind of step. */
export function findVerb(key: string, working = false): string {
  const known = working ? { ...words.value.verb, ...words.value.doing } : words.value.verb;
  return key === "" ? "" : (known[key] ?? `${known[key.split(".")[0] ?? ""] ?? ""} ${key.split(".")[1] ?? ""}`.trim());
}

export const formatDuration = (seconds: number) => formatSpan(seconds, words.value.units);

export const loopName = (loop: string) => words.value.loops[loop]?.[0] ?? loop;

/** A time to come by the clocks of a time zone, with its day of the week. */
export function formatMomentIn(at: string, zone: string): string {
  const how: Intl.DateTimeFormatOptions = { weekday: "short", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZone: zone };
  return new Date(at).toLocaleString(language.value === "zh" ? "zh-CN" : "en-GB", how);
}

export function formatMoment(at: string): string {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  const how: Intl.DateTimeFormatOptions = today
    ? { hour: "2-digit", minute: "2-digit" }
    : { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
  return date.toLocaleString(language.value === "zh" ? "zh-CN" : "en-GB", how);
}
