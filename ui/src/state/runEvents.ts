/** The events of the runs on the screen: read once, then followed live, computed into what is shown once a frame. */
import { type Signal, signal } from "@preact/signals";
import * as server from "../api/server";
import { type Link, follow } from "../api/follow";
import { Failure } from "../api/http";
import type { Live } from "../api/types";
import { EMPTY, type RunState, fold } from "../compute/runState";

const KEPT = 30;

export class Feed {
  readonly runState: Signal<RunState> = signal(EMPTY);
  readonly link: Signal<Link> = signal("connecting");
  readonly failure: Signal<Failure | null> = signal(null);
  private pending: Live[] = [];
  private scheduled = false;
  private ended = false;
  private end = () => {};

  constructor(readonly run: string) {
    void this.begin();
  }

  /** The journal first, in one piece; then what comes after it. */
  private async begin(): Promise<void> {
    try {
      this.runState.value = fold(EMPTY, await server.journal(this.run));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.status >= 400 && error.status < 500) {
        this.failure.value = error;
        return;
      }
    }
    if (this.ended) return;
    if (this.runState.value.state === "ended") this.link.value = "over";
    else
      this.end = follow(this.run, this.runState.value.last, {
        events: (batch) => this.take(batch),
        link: (state) => (this.link.value = state),
        failed: (failure) => (this.failure.value = failure),
      });
  }

  private take(batch: Live[]): void {
    this.pending.push(...batch);
    if (this.scheduled) return;
    this.scheduled = true;
    // A hidden page paints no frames, but its title must still tell.
    if (document.hidden) setTimeout(() => this.flush(), 50);
    else requestAnimationFrame(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    const batch = this.pending;
    this.pending = [];
    this.runState.value = fold(this.runState.value, batch);
  }

  close(): void {
    this.ended = true;
    this.end();
  }
}

const feeds = new Map<string, Feed>();
/** How many parts of the screen show a run. */
const shown = new Map<string, number>();

/** Keeps the feed of a run that is on the screen; the returned function ends that. */
export function hold(run: string): () => void {
  shown.set(run, (shown.get(run) ?? 0) + 1);
  return () => {
    const left = (shown.get(run) ?? 1) - 1;
    if (left) shown.set(run, left);
    else shown.delete(run);
  };
}

/** The feed of a run. Of those that have ended and are not on the screen, the least recently asked for are dropped. */
export function feed(run: string): Feed {
  const known = feeds.get(run);
  // What was asked for before the person was known is asked for again.
  const found = known && known.failure.peek()?.status !== 401 ? known : new Feed(run);
  feeds.delete(run);
  feeds.set(run, found);
  for (const [id, each] of feeds) {
    if (feeds.size - shown.size <= KEPT) break;
    if (each.runState.peek().state === "ended" && id !== run && !shown.has(id)) feeds.delete(id);
  }
  return found;
}

export function drop(run: string): void {
  feeds.get(run)?.close();
  feeds.delete(run);
}
