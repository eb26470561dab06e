/** The state of a run on the screen, computed from its events; copied once per batch, not per event. */
import type { Place } from "./places";
import type { InputRequest, Event, Live, Outcome, Picture, State, Usage } from "../api/types";
import { type Row, extend } from "./rows";

/** The tool that makes pictures. */
const DRAWS = "image_generate";

export type Source = { title: string; url: string; text: string };
export type Said = {
  seq: number;
  role: "user" | "assistant";
  text: string;
  files: string[];
  pictures: Picture[];
  /** Pictures that were made for this answer, by the names of the run's files. */
  drawn: string[];
  sources: Source[];
  at: string;
};
/** One row of the data that a run was asked for. */
export type DataRow = Record<string, unknown>;
export type Draft = { call: string; text: string; thinking: string };
export type Saved = { seq: number; name: string; media: string; size: number; frame: boolean; drawn: boolean };
export type VisitedPage = { seq: number; url: string; title: string; tab: number };

export type RunState = {
  last: number;
  task: string;
  loop: string;
  chosen: string;
  began: string;
  limit: number;
  state: State;
  /** What it waits for, by code; empty where it does not. */
  cause: "" | "turn" | "labels" | "version";
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
  asked: InputRequest | null;
  files: Saved[];
  pages: VisitedPage[];
  draft: Draft | null;
  /** Rows of data: those that were read so far, at the end all. */
  data: DataRow[];
  /** Of each row, where it was found; empty while rows are read. */
  places: readonly Place[];
};

export const NOTHING: Usage = { input: 0, output: 0, cached: 0, cost: 0, priced: true, estimated: false };

export const EMPTY: RunState = {
  last: 0,
  task: "",
  loop: "",
  chosen: "",
  began: "",
  limit: 0,
  state: "queued",
  cause: "",
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
  data: [],
  places: [],
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

/** The state after a batch of events. Events that it holds already are skipped. */
export function fold(runState: RunState, batch: readonly Live[]): RunState {
  const next: RunState = {
    ...runState,
    rows: [...runState.rows],
    said: [...runState.said],
    files: [...runState.files],
    pages: [...runState.pages],
  };
  for (const event of batch) {
    if (event.type === "delta") addText(next, event.call, event.kind, event.text);
    else if (event.seq > next.last) {
      next.last = event.seq;
      foldEvent(next, event);
      extend(next.rows, event);
    }
  }
  return next;
}

function addText(runState: RunState, call: string, kind: "content" | "reasoning", text: string): void {
  const before = runState.draft?.call === call ? runState.draft : { call, text: "", thinking: "" };
  runState.draft =
    kind === "content" ? { ...before, text: before.text + text } : { ...before, thinking: before.thinking + text };
}

function foldEvent(runState: RunState, event: Event): void {
  switch (event.type) {
    case "run_started":
      runState.task = event.task;
      runState.loop = event.loop;
      runState.began = event.at ?? "";
      runState.limit = Number(event.options?.["max_steps"] ?? 0);
      break;
    case "state_changed":
      runState.state = event.state;
      runState.cause = event.cause ?? "";
      break;
    case "progress":
      runState.data = [...runState.data, ...readDataRows(event.details?.["rows"])];
      break;
    case "message_added":
      say(runState, event);
      break;
    case "model_replied":
      runState.usage = add(runState.usage, event.usage);
      runState.context = { used: event.context, window: event.window };
      runState.model = event.model;
      break;
    case "tool_started":
      runState.draft = null;
      break;
    case "tool_finished":
      runState.usage = add(runState.usage, event.usage);
      runState.steps += 1;
      break;
    case "planned":
      runState.plan = event.items.map(([text, state]) => ({ text: String(text), state: String(state) }));
      break;
    case "noted":
      if (event.topic === "loop") runState.chosen = String(event.details?.["loop"] ?? "");
      break;
    case "input_requested":
      runState.asked = event;
      break;
    case "input_received":
    case "input_timed_out":
      runState.asked = null;
      break;
    case "file_saved":
      runState.files.push({ seq: event.seq, name: event.name, media: event.media, size: event.size, frame: event.purpose === "frame", drawn: event.purpose === DRAWS });
      break;
    case "page_seen":
      runState.pages.push({ seq: event.seq, url: event.url, title: event.title, tab: event.tab });
      break;
    case "run_finished":
      finish(runState, event);
  }
}

/** The rows of data: a list, the one list of an object, or the object itself. */
function readDataRows(data: unknown): DataRow[] {
  if (Array.isArray(data)) return data.filter((row): row is DataRow => row !== null && typeof row === "object");
  if (data === null || typeof data !== "object") return [];
  const [inner, ...others] = Object.values(data);
  return Array.isArray(inner) && !others.length ? readDataRows(inner) : [data as DataRow];
}

/** A drawing is kept as SVG too; the rendered one is shown. */
function listDrawings(runState: RunState): string[] {
  const shown = new Set(runState.said.flatMap((each) => each.drawn));
  const names = runState.files.filter((file) => file.drawn && !shown.has(file.name)).map((file) => file.name);
  const rendered = names.filter((name) => !name.endsWith(".svg"));
  return rendered.length ? rendered : names;
}

function say(runState: RunState, event: Extract<Event, { type: "message_added" }>): void {
  const { role, text, images } = event.message;
  if (role !== "user" && role !== "assistant") return;
  if (role === "assistant") runState.draft = null;
  const pictures = (images ?? []).map((each) => ({ data: String(each.data), media: each.media }));
  const sources = (event.sources ?? []).map((each) => ({
    title: String(each["title"] ?? each["url"] ?? ""),
    url: String(each["url"] ?? ""),
    text: String(each["text"] ?? each["snippet"] ?? ""),
  }));
  const drawn = role === "assistant" ? listDrawings(runState) : [];
  runState.said.push({ seq: event.seq, role, ...splitAttachedFiles(text), pictures, drawn, sources, at: event.at ?? "" });
}

/** What was attached stands below the message; it is shown apart from the words. */
export function splitAttachedFiles(text: string): { text: string; files: string[] } {
  const found = /\n\n\(Attached files: (.+)\)$/.exec(text);
  return found ? { text: text.slice(0, found.index), files: (found[1] ?? "").split(", ") } : { text, files: [] };
}

function finish(runState: RunState, event: Extract<Event, { type: "run_finished" }>): void {
  runState.state = "ended";
  runState.outcome = event.outcome;
  runState.error = event.error;
  runState.fix = event.fix;
  runState.kind = event.kind || event.outcome;
  runState.seconds = event.seconds;
  runState.asked = null;
  if (event.data != null) runState.data = readDataRows(event.data);
  runState.places = (event.places ?? []) as Place[];
  // Text that was being written when the person stopped the run stays visible.
  if (event.outcome !== "stopped") runState.draft = null;
  if (event.usage.input + event.usage.output > 0) runState.usage = event.usage;
  if (event.steps) runState.steps = event.steps;
}
