/** What a journal comes to, for the screen: a fold over events that copies once a batch, never per event. */
import type { Asked, Event, Live, Outcome, Picture, State, Usage } from "../api/types";
import { type Row, extend } from "./rows";

export type Source = { title: string; url: string; text: string };
export type Said = {
  seq: number;
  role: "user" | "assistant";
  text: string;
  files: string[];
  pictures: Picture[];
  sources: Source[];
  at: string;
};
export type Draft = { call: string; text: string; thinking: string };
export type Saved = { seq: number; name: string; media: string; size: number; frame: boolean };
export type Seen = { seq: number; url: string; title: string; tab: number };

export type Story = {
  last: number;
  task: string;
  loop: string;
  chosen: string;
  began: string;
  limit: number;
  state: State;
  outcome: Outcome | null;
  error: string;
  fix: string;
  /** What kind of failure it was, by code. */
  kind: string;
  seconds: number;
  steps: number;
  usage: Usage;
  model: string;
  context: { used: number; window: number };
  rows: Row[];
  said: Said[];
  plan: { text: string; state: string }[];
  asked: Asked | null;
  files: Saved[];
  pages: Seen[];
  draft: Draft | null;
};

export const NOTHING: Usage = { input: 0, output: 0, cached: 0, cost: 0, priced: true, estimated: false };

export const EMPTY: Story = {
  last: 0,
  task: "",
  loop: "",
  chosen: "",
  began: "",
  limit: 0,
  state: "queued",
  outcome: null,
  error: "",
  fix: "",
  kind: "",
  seconds: 0,
  steps: 0,
  usage: NOTHING,
  model: "",
  context: { used: 0, window: 0 },
  rows: [],
  said: [],
  plan: [],
  asked: null,
  files: [],
  pages: [],
  draft: null,
};

export function add(one: Usage, two: Usage): Usage {
  return {
    input: one.input + two.input,
    output: one.output + two.output,
    cached: one.cached + two.cached,
    cost: one.cost + two.cost,
    priced: one.priced && two.priced,
    estimated: one.estimated || two.estimated,
  };
}

/** The story after a batch of events. Events that it holds already are passed over. */
export function fold(story: Story, batch: readonly Live[]): Story {
  const next: Story = {
    ...story,
    rows: [...story.rows],
    said: [...story.said],
    files: [...story.files],
    pages: [...story.pages],
  };
  for (const event of batch) {
    if (event.type === "delta") hear(next, event.call, event.kind, event.text);
    else if (event.seq > next.last) {
      next.last = event.seq;
      take(next, event);
      extend(next.rows, event);
    }
  }
  return next;
}

function hear(story: Story, call: string, kind: "content" | "reasoning", text: string): void {
  const before = story.draft?.call === call ? story.draft : { call, text: "", thinking: "" };
  story.draft =
    kind === "content" ? { ...before, text: before.text + text } : { ...before, thinking: before.thinking + text };
}

function take(story: Story, event: Event): void {
  switch (event.type) {
    case "run_started":
      story.task = event.task;
      story.loop = event.loop;
      story.began = event.at ?? "";
      story.limit = Number(event.options?.["max_steps"] ?? 0);
      break;
    case "state_changed":
      story.state = event.state;
      break;
    case "message_added":
      say(story, event);
      break;
    case "model_replied":
      story.usage = add(story.usage, event.usage);
      story.context = { used: event.context, window: event.window };
      story.model = event.model;
      break;
    case "tool_started":
      story.draft = null;
      break;
    case "tool_finished":
      story.usage = add(story.usage, event.usage);
      story.steps += 1;
      break;
    case "planned":
      story.plan = event.items.map(([text, state]) => ({ text: String(text), state: String(state) }));
      break;
    case "noted":
      if (event.topic === "loop") story.chosen = String(event.details?.["loop"] ?? "");
      break;
    case "input_requested":
      story.asked = event;
      break;
    case "input_received":
    case "input_timed_out":
      story.asked = null;
      break;
    case "file_saved":
      story.files.push({ seq: event.seq, name: event.name, media: event.media, size: event.size, frame: event.purpose === "frame" });
      break;
    case "page_seen":
      story.pages.push({ seq: event.seq, url: event.url, title: event.title, tab: event.tab });
      break;
    case "run_finished":
      finish(story, event);
  }
}

function say(story: Story, event: Extract<Event, { type: "message_added" }>): void {
  const { role, text, images } = event.message;
  if (role !== "user" && role !== "assistant") return;
  if (role === "assistant") story.draft = null;
  const pictures = (images ?? []).map((each) => ({ data: String(each.data), media: each.media }));
  const sources = (event.sources ?? []).map((each) => ({
    title: String(each["title"] ?? each["url"] ?? ""),
    url: String(each["url"] ?? ""),
    text: String(each["text"] ?? each["snippet"] ?? ""),
  }));
  story.said.push({ seq: event.seq, role, ...parted(text), pictures, sources, at: event.at ?? "" });
}

/** What was attached stands below the message; it is shown apart from the words. */
export function parted(text: string): { text: string; files: string[] } {
  const found = /\n\n\(Attached files: (.+)\)$/.exec(text);
  return found ? { text: text.slice(0, found.index), files: (found[1] ?? "").split(", ") } : { text, files: [] };
}

function finish(story: Story, event: Extract<Event, { type: "run_finished" }>): void {
  story.state = "ended";
  story.outcome = event.outcome;
  story.error = event.error;
  story.fix = event.fix;
  story.kind = event.kind || event.outcome;
  story.seconds = event.seconds;
  story.asked = null;
  // What was being read when the person stopped it stays before their eyes.
  if (event.outcome !== "stopped") story.draft = null;
  if (event.usage.input + event.usage.output > 0) story.usage = event.usage;
  if (event.steps) story.steps = event.steps;
}
