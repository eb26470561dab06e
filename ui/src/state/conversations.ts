/** Conversations and their runs: the list at the side, and the one that is open. Also those begun elsewhere. */
import { batch, computed, signal } from "@preact/signals";
import * as server from "../api/server";
import { Failure } from "../api/http";
import type { Run, Thread } from "../api/types";
import { type Condition, conditionOf } from "../compute/status";
import { drop, feed } from "./runEvents";
import { route } from "./route";
import { me, reach } from "./session";

export const threads = signal<Thread[] | null>(null);
export const search = signal("");
export const recent = signal<Run[]>([]);
/** Runs of the open conversation, oldest first; null while they are being read. */
export const runs = signal<Run[] | null>(null);
export const missing = signal(false);
/** The run that was last begun from this page, as against those that appear by themselves. */
export const lastStartedRun = signal("");

export const opened = computed(() => (route.value.view === "conversation" ? route.value.id : ""));
export const current = computed(() => runs.value?.at(-1) ?? null);
export const thread = computed(() => threads.value?.find((each) => each.id === opened.value) ?? null);

export const conditions = computed(() => {
  const known = new Map<string, Condition>();
  for (const run of recent.value)
    if (!run.parent && !known.has(run.conversation)) known.set(run.conversation, conditionOf(run.state, run.outcome));
  const runState = current.value ? feed(current.value.id).runState.value : null;
  if (current.value && runState?.last) known.set(current.value.conversation, conditionOf(runState.state, runState.outcome));
  return known;
});

const PACE = 2500;

/** Looks for what is new, also what was started from the command line or another window. */
export async function refresh(): Promise<void> {
  if (!me.value) return;
  try {
    const [list, page] = await Promise.all([server.threads(search.value), server.runs({ limit: 50 })]);
    batch(() => {
      threads.value = list;
      recent.value = page.items;
      merge(page.items);
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

function merge(fresh: readonly Run[]): void {
  const mine = fresh.filter((run) => run.conversation === opened.value && !run.parent);
  if (runs.value === null || !mine.length) return;
  const newer = new Map(mine.map((run) => [run.id, run]));
  const kept = runs.value.map((run) => newer.get(run.id) ?? run);
  const known = new Set(kept.map((run) => run.id));
  const all = [...kept, ...mine.filter((run) => !known.has(run.id))];
  runs.value = all.sort((one, two) => one.created.localeCompare(two.created));
}

export async function load(id: string): Promise<void> {
  batch(() => {
    runs.value = id ? null : [];
    missing.value = false;
  });
  if (!id) return;
  try {
    const page = await server.runs({ conversation: id, limit: 200 });
    if (opened.value !== id) return;
    runs.value = page.items.filter((run) => !run.parent).reverse();
    if (!page.items.length) await server.readThread(id);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (opened.value === id && error.status === 404) missing.value = true;
  }
}

/** Puts a run that was just started on the screen before anything else is known of it. */
export function addStartedRun(run: Run): void {
  feed(run.id);
  lastStartedRun.value = run.id;
  recent.value = [run, ...recent.value];
  if (run.conversation === opened.value) runs.value = [...(runs.value ?? []), run];
  void refresh();
}

export async function forget(id: string): Promise<void> {
  for (const run of recent.value) if (run.conversation === id) drop(run.id);
  await server.forget(id);
  await refresh();
}

export function install(): void {
  const tick = async () => {
    if (!document.hidden || [...conditions.value.values()].some((each) => each === "working")) await refresh();
    setTimeout(tick, reach.value === "offline" ? 1000 : PACE);
  };
  void tick();
  document.addEventListener("visibilitychange", () => void (document.hidden || refresh()));
}
