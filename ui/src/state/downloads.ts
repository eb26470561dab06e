/** Models that are being fetched. It goes on while the person looks at other pages; what was fetched is kept when it stops. */
import { signal } from "@preact/signals";
import { Failure } from "../api/http";
import { read } from "../api/stream";
import type { Model } from "../api/types";
import { showFailure } from "./session";
import { loadChoices } from "./composer";

export type Pull = { done: number; total: number; stop: () => void };

export const pulls = signal<ReadonlyMap<string, Pull>>(new Map());

function note(name: string, pull: Pull | null): void {
  const next = new Map(pulls.value);
  if (pull) next.set(name, pull);
  else next.delete(name);
  pulls.value = next;
}

export async function pull(model: Model): Promise<void> {
  if (pulls.value.has(model.name)) return;
  const line = new AbortController();
  const stop = () => line.abort();
  note(model.name, { done: 0, total: model.size, stop });
  const body = JSON.stringify({ name: model.name });
  try {
    await read("/api/models/pull", { method: "POST", body, headers: { "content-type": "application/json" }, signal: line.signal }, (batch) => {
      for (const { event, data } of batch) {
        const texts = JSON.parse(data);
        if (event === "progress") note(model.name, { done: texts.done, total: texts.total || model.size, stop });
        else if (event === "error") showFailure(new Failure(texts.status, texts.code, texts.detail, texts.fix));
      }
    });
  } catch (error) {
    if (!line.signal.aborted) showFailure(error);
  }
  note(model.name, null);
  await loadChoices();
}
