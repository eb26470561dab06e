/** Server-sent events over fetch, which unlike EventSource tells why it was refused and can post. */
import { Failure, readFailure, request } from "./http";

export type Sent = { event: string; data: string; id: string };

/** Cuts a stream of text into events; pieces may end anywhere. */
export class Cutter {
  private rest = "";

  feed(piece: string): Sent[] {
    const blocks = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map(cut).filter((sent) => sent.data !== "");
  }
}

function cut(block: string): Sent {
  const sent: Sent = { event: "message", data: "", id: "" };
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at <= 0) continue;
    const value = line.slice(at + 1).replace(/^ /, "");
    const name = line.slice(0, at);
    if (name === "data") data.push(value);
    else if (name === "event" || name === "id") sent[name] = value;
  }
  sent.data = data.join("\n");
  return sent;
}

/** Reads one response to its end; `onEvents` gets the events in batches, empty for a mere sign of life. */
export async function read(path: string, init: RequestInit, onEvents: (batch: Sent[]) => void): Promise<void> {
  let response: Response;
  try {
    response = await request(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Failure(0, "offline", "");
  }
  if (!response.ok || !response.body) throw await readFailure(response);
  const cutter = new Cutter();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onEvents(cutter.feed(value));
  }
}
