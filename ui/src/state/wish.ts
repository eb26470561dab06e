/** What the composer holds: words, mode, model, tabs, pictures, limits; and sending it off. */
import { computed, effect, signal } from "@preact/signals";
import * as fish from "../api/fish";
import type { Model, Run, Start } from "../api/types";
import { busy, condition } from "../fold/status";
import { feed } from "./feeds";
import { kept } from "./kept";
import { go } from "./place";
import { attempt } from "./session";
import { begun, current, opened, runs } from "./talks";

export const text = signal("");
export const mode = kept("mode", "auto");
export const model = kept("model", "");
export const steps = kept<number | null>("steps", null);
export const budget = kept<number | null>("budget", null);
export const chosen = signal<number[]>([]);
export const addresses = signal<string[]>([]);
/** What is to go with the message; a picture has its bytes as text, to be shown and to be sent along. */
export type Attachment = { file: File; picture: string };
export const attachments = signal<Attachment[]>([]);
export const sending = signal(false);
export const models = signal<Model[]>([]);
export const loops = signal<string[]>([]);
/** It is known that no model can serve. */
export const lacking = computed(() => models.value.length > 0 && models.value.every((each) => each.missing));

/** Tabs that were picked are read before the question comes; should that fail, the question tells why. */
effect(() => {
  if (opened.value && chosen.value.length) void fish.warm(opened.value, chosen.value, model.value).catch(() => {});
});

/** The run that the controls speak to, while there is one under way. */
export const active = computed(() => {
  const run = current.value;
  if (!run) return null;
  const story = feed(run.id).story.value;
  const state = story.last ? story.state : run.state;
  return busy(condition(state, story.outcome ?? run.outcome)) ? run : null;
});

export async function send(task = text.value, how: Partial<Start> = {}): Promise<void> {
  const words = task.trim();
  if (!words || sending.value) return;
  sending.value = true;
  const run = await attempt(() => begin(words, how));
  sending.value = false;
  if (!run) return;
  text.value = "";
  attachments.value = [];
  addresses.value = [];
  begun(run);
  if (run.conversation !== opened.value) go(`/c/${run.conversation}`);
}

/** Files go first, to the conversation that the run will be in. */
async function begin(words: string, how: Partial<Start>): Promise<Run> {
  const held = attachments.value;
  // A conversation that began with a page is named by its first question.
  if (opened.value && runs.value?.length === 0) await fish.rename(opened.value, words.slice(0, 80));
  const conversation = opened.value || (held.length ? (await fish.open(words.slice(0, 80))).id : "");
  const given = await Promise.all(held.map(({ file }) => fish.give(conversation, file)));
  const seen = held.filter(({ picture }) => picture);
  return fish.start({
    task: words,
    loop: mode.value,
    conversation,
    attended: true,
    tabs: [...chosen.value, ...addresses.value],
    files: given.map(({ name }) => name),
    images: seen.map(({ file, picture }) => ({ data: picture, media: file.type })),
    ...(model.value ? { model: model.value } : {}),
    ...(steps.value ? { max_steps: steps.value } : {}),
    ...(budget.value !== null ? { budget_cents: budget.value } : {}),
    ...how,
  });
}

const LARGEST = 14_000_000;
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/** Puts a file with the message; what is wrong with it, if anything. */
export async function attach(file: File): Promise<"" | "tooBig" | "empty"> {
  const all = attachments.value.reduce((sum, each) => sum + each.file.size, file.size);
  if (!file.size) return "empty";
  if (all > LARGEST) return "tooBig";
  const picture = PICTURE.test(file.type) ? encoded(new Uint8Array(await file.arrayBuffer())) : "";
  attachments.value = [...attachments.value, { file, picture }];
  return "";
}

function encoded(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(binary);
}

export async function stop(): Promise<void> {
  const run = active.value;
  if (run) await attempt(() => fish.tell(run.id, "stop"));
}

export async function pause(): Promise<void> {
  const run = active.value;
  if (!run) return;
  const held = feed(run.id).story.value.state === "paused";
  await attempt(() => fish.tell(run.id, held ? "resume" : "pause"));
}

/** What is available changes with settings and fetched models. */
export async function choices(): Promise<void> {
  const found = await attempt(() => Promise.all([fish.models(), fish.loops()]));
  if (!found) return;
  models.value = found[0];
  // These two are ways in for programs: one tool call, and a run done again without a model.
  loops.value = found[1].filter((name) => name !== "call" && name !== "replay");
}
