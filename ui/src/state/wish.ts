/** What the composer holds: words, mode, model, tabs, pictures, limits; and sending it off. */
import { computed, signal } from "@preact/signals";
import * as fish from "../api/fish";
import type { Model, Picture, Start } from "../api/types";
import { busy, condition } from "../fold/status";
import { feed } from "./feeds";
import { kept } from "./kept";
import { go } from "./place";
import { attempt } from "./session";
import { begun, current, opened } from "./talks";

export const text = signal("");
export const mode = kept("mode", "auto");
export const model = kept("model", "");
export const steps = kept<number | null>("steps", null);
export const budget = kept<number | null>("budget", null);
export const chosen = signal<number[]>([]);
export const addresses = signal<string[]>([]);
export const pictures = signal<(Picture & { name: string })[]>([]);
export const sending = signal(false);
export const models = signal<Model[]>([]);
export const loops = signal<string[]>([]);

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
  const wish: Start = {
    task: words,
    loop: mode.value,
    conversation: opened.value,
    attended: true,
    tabs: [...chosen.value, ...addresses.value],
    images: pictures.value.map(({ data, media }) => ({ data, media })),
    ...(model.value ? { model: model.value } : {}),
    ...(steps.value ? { max_steps: steps.value } : {}),
    ...(budget.value !== null ? { budget_cents: budget.value } : {}),
    ...how,
  };
  const run = await attempt(() => fish.start(wish));
  sending.value = false;
  if (!run) return;
  text.value = "";
  pictures.value = [];
  addresses.value = [];
  begun(run);
  if (run.conversation !== opened.value) go(`/c/${run.conversation}`);
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
  loops.value = found[1];
}
