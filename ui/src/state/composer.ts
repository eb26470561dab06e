/** What the composer holds: words, mode, model, tabs, pictures, limits; and sending it off. */
import { computed, effect, signal } from "@preact/signals";
import { Failure } from "../api/http";
import * as server from "../api/server";
import * as commands from "../api/shortcuts";
import type { Model, Run, Shortcut, Start } from "../api/types";
import { parseShortcutCall, suggestShortcuts } from "../compute/shortcuts";
import { isUnfinished, conditionOf } from "../compute/status";
import { feed } from "./runEvents";
import { storedSignal } from "./stored";
import { go } from "./route";
import { attempt } from "./session";
import { addStartedRun, opened, runs } from "./conversations";

export const text = signal("");
export const mode = storedSignal("mode", "auto");
export const model = storedSignal("model", "");
export const steps = storedSignal<number | null>("steps", null);
export const budget = storedSignal<number | null>("budget", null);
/** With which logins runs begin; empty: as in the settings. */
export const profile = storedSignal<"" | "fresh" | "remembered">("profile", "");
export const screenshots = storedSignal("screenshots", true);
export const chosen = signal<number[]>([]);
export const addresses = signal<string[]>([]);
/** What is to go with the message; a picture has its bytes as text, to be shown and to be sent along. */
export type Attachment = { file: File; picture: string };
export const attachments = signal<Attachment[]>([]);
export const sending = signal(false);
export const models = signal<Model[]>([]);
export const loops = signal<string[]>([]);
export const shortcuts = signal<Shortcut[]>([]);
/** The shortcuts that what is being written may become. */
export const fittingShortcuts = computed(() => suggestShortcuts(text.value, shortcuts.value));

/** Shortcuts may be made elsewhere, so they are read again when a slash is typed. */
effect(() => {
  if (text.value === "/") void commands.list().then((found) => (shortcuts.value = found)).catch(() => {});
});
/** It is known that no model can serve. */
export const noModelReady = computed(() => models.value.length > 0 && models.value.every((each) => each.missing));

/** Tabs that were picked are read before the question comes; should that fail, the question tells why. */
effect(() => {
  if (opened.value && chosen.value.length) void server.warm(opened.value, chosen.value, model.value).catch(() => {});
});

/** The run that the controls speak to, while there is one under way; those after it wait for their turn. */
export const active = computed(() => (runs.value ?? []).find(isBusy) ?? null);

function isBusy(run: Run): boolean {
  if (run.state === "ended") return false;
  const runState = feed(run.id).runState.value;
  const state = runState.last ? runState.state : run.state;
  return isUnfinished(conditionOf(state, runState.outcome ?? run.outcome));
}

export async function send(task = text.value, how: Partial<Start> = {}): Promise<void> {
  const words = task.trim();
  if (!words || sending.value) return;
  sending.value = true;
  const written = text.value;
  const call = parseShortcutCall(words);
  const named = call && shortcuts.value.some((each) => each.name === call.name);
  const run = await attempt(() => (named ? commands.use(call.name, call.values, opened.value) : begin(words, how)));
  sending.value = false;
  if (!run) return;
  forget(written);
  attachments.value = [];
  addresses.value = [];
  addStartedRun(run);
  if (run.conversation !== opened.value) go(`/c/${run.conversation}`);
}

/** Empties the field once its words were sent; words that were written meanwhile stay. */
function forget(written: string): void {
  if (text.value === written) text.value = "";
}

/** What else goes with a message, and to which conversation; the side panel gives the page in front here. */
export type MessageExtras = { always: boolean; prepare(conversation: string): Promise<Partial<Start>> };
export const messageExtras = signal<MessageExtras | null>(null);

/** Files go first, to the conversation that the run will be in. */
async function begin(words: string, how: Partial<Start>): Promise<Run> {
  const held = attachments.value;
  // A conversation that began with a page is named by its first question.
  if (opened.value && runs.value?.length === 0) await server.rename(opened.value, words.slice(0, 80));
  const beside = messageExtras.value;
  const conversation = opened.value || (held.length || beside?.always ? (await server.open(words.slice(0, 80))).id : "");
  const given = await Promise.all(held.map(({ file }) => server.attachFile(conversation, file)));
  const seen = held.filter(({ picture }) => picture);
  return server.start({
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
    ...(screenshots.value ? {} : { screenshots: false }),
    ...(profile.value ? { profile: profile.value } : {}),
    ...how,
    ...(beside ? await beside.prepare(conversation) : {}),
  });
}

const LARGEST = 14_000_000;
const PICTURE = /^image\/(png|jpeg|gif|webp)$/;

/** Puts a file with the message; what is wrong with it, if anything. */
export async function attach(file: File): Promise<"" | "tooBig" | "empty"> {
  const all = attachments.value.reduce((sum, each) => sum + each.file.size, file.size);
  if (!file.size) return "empty";
  if (all > LARGEST) return "tooBig";
  const picture = PICTURE.test(file.type) ? encodeBase64(new Uint8Array(await file.arrayBuffer())) : "";
  attachments.value = [...attachments.value, { file, picture }];
  return "";
}

function encodeBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(binary);
}

/** Says something to the run under way; where it asks a question, that is the answer. Whether the run will hear it. */
export async function steer(): Promise<boolean> {
  const run = active.value;
  const words = text.value.trim();
  if (!run || !words || sending.value) return false;
  sending.value = true;
  const written = text.value;
  const asked = feed(run.id).runState.value.asked;
  const told = await attempt(() =>
    asked?.kind === "question" ? server.answer(run.id, words, asked.request) : server.sayTo(run.id, words).catch(asLate),
  );
  sending.value = false;
  if (told === "late") {
    await send(words);
    return false;
  }
  if (told) forget(written);
  return Boolean(told);
}

/** What is said to a run that has just ended is a message of its own. */
function asLate(error: unknown): "late" {
  if (error instanceof Failure && error.code === "ended") return "late";
  throw error;
}

export async function stop(): Promise<void> {
  const run = active.value;
  if (run) await attempt(() => server.tell(run.id, "stop"));
}

export async function pause(): Promise<void> {
  const run = active.value;
  if (!run) return;
  const held = feed(run.id).runState.value.state === "paused";
  const told = await attempt(() => server.tell(run.id, held ? "resume" : "pause"));
  // What another version began goes on as a run of its own.
  if (told && told.id !== run.id) addStartedRun(told);
}

/** What is available changes with settings and fetched models. */
export async function loadChoices(): Promise<void> {
  const found = await attempt(() => Promise.all([server.models(), server.loops()]));
  if (!found) return;
  models.value = found[0];
  // These two are ways in for programs: one tool call, and a run done again without a model.
  loops.value = found[1].filter((name) => name !== "call" && name !== "replay");
}
