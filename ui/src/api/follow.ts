/** Follows a run to its end, through lost connections: each new try asks for the events after the last number. */
import { Failure } from "./http";
import { read } from "./stream";
import type { Live } from "./types";

export type Link = "connecting" | "live" | "lost" | "over";

export type RunListener = {
  events(batch: Live[]): void;
  link(state: Link): void;
  failed(failure: Failure): void;
};

const SLOWEST = 8000;
/** The server gives a sign of life every 15 s; silence for much longer means that the line is dead. */
const SILENCE = 40_000;

/** Starts following after `seq`; the returned function ends it. */
export function follow(run: string, seq: number, listener: RunListener): () => void {
  const ended = new AbortController();
  void loop(run, seq, listener, ended.signal);
  return () => ended.abort();
}

async function loop(run: string, seq: number, listener: RunListener, ended: AbortSignal): Promise<void> {
  let pause = 250;
  let last = seq;
  let over = false;
  while (!ended.aborted && !over) {
    listener.link("connecting");
    const line = new AbortController();
    const cut = () => line.abort();
    ended.addEventListener("abort", cut);
    let alarm = setTimeout(cut, SILENCE);
    try {
      await read(`/api/runs/${run}/events?after=${last}`, { signal: line.signal }, (batch) => {
        clearTimeout(alarm);
        alarm = setTimeout(cut, SILENCE);
        pause = 250;
        listener.link("live");
        if (!batch.length) return;
        const events = batch.map((sent) => JSON.parse(sent.data) as Live);
        for (const event of events) {
          if (event.type !== "delta") last = event.seq;
          over ||= event.type === "run_finished";
        }
        listener.events(events);
      });
    } catch (error) {
      if (error instanceof Failure && error.status >= 400 && error.status < 500 && error.status !== 429) {
        listener.failed(error);
        return;
      }
    } finally {
      clearTimeout(alarm);
      ended.removeEventListener("abort", cut);
    }
    if (over || ended.aborted) break;
    listener.link("lost");
    await waitForNetwork(pause, ended);
    pause = Math.min(pause * 2, SLOWEST);
  }
  if (over) listener.link("over");
}

/** Waits, but not longer than until the browser says that the network is back. */
function waitForNetwork(time: number, ended: AbortSignal): Promise<void> {
  return new Promise((go) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      go();
    };
    const timer = setTimeout(done, time);
    addEventListener("online", done);
    ended.addEventListener("abort", done, { once: true });
  });
}
