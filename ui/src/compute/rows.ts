/** The timeline: one row per step in plain words; ids and JSON only in its details. */
import type { InputRequest, Event, Usage } from "../api/types";
import { type DoneAction, type Note, doneAction } from "./doneActions";

export type Badge = "reason" | "act" | "observe" | "plan" | "decide" | "answer" | "ask" | "note";
export type Status = "working" | "done" | "failed" | "unknown" | "waiting";
export type Detail = { name: "input" | "output" | "error" | "fix" | "text" | "model" | "address"; value: string };

export type Row = {
  key: string;
  seq: number;
  badge: Badge;
  /** What was done, as a key of the words; `text` is what it was done to, or a whole sentence from the server. */
  verb: string;
  text: string;
  status: Status;
  minor: boolean;
  /** Which step of the run this phase belongs to; 0 where it has none. */
  step: number;
  at: string;
  seconds: number;
  usage: Usage | null;
  details: Detail[];
  pictures: string[];
  /** What the page looked like afterwards. */
  frame: string;
  /** The same by code, for languages that the server does not speak. */
  doneAction: DoneAction | null;
  note: Note | null;
  asked: InputRequest | null;
  args: Record<string, unknown>;
};

const ACTS = new Set(["click", "type", "select", "press_key", "hover", "drag", "mark", "upload", "navigate", "manage_tabs"]);
/** Notes that matter even to those who only glance. */
const IMPORTANT_TOPICS = new Set(["recovery", "policy", "timeout"]);
const PURPOSES: Record<string, Badge> = {
  plan: "plan",
  planner: "plan",
  classify: "decide",
  choose: "decide",
  decide: "decide",
  check: "observe",
  observe: "observe",
  act: "act",
  execute: "act",
  answer: "answer",
};

export function badge(tool: string): Badge {
  if (ACTS.has(tool)) return "act";
  if (tool === "planner" || tool === "todo") return "plan";
  return tool === "request_input" ? "ask" : tool === "done" ? "answer" : "observe";
}

const row = (event: Event, rest: Partial<Row> & Pick<Row, "badge" | "verb">): Row => ({
  key: `${event.seq}`,
  seq: event.seq,
  text: "",
  status: "done",
  minor: false,
  step: 0,
  at: event.at ?? "",
  seconds: 0,
  usage: null,
  details: [],
  pictures: [],
  frame: "",
  doneAction: null,
  note: null,
  asked: null,
  args: {},
  ...rest,
});

/** Adds a row for an event, or completes the row that it belongs to. */
export function extend(rows: Row[], event: Event): void {
  switch (event.type) {
    case "model_asked":
      rows.push(
        row(event, {
          key: `m${event.call}`,
          badge: PURPOSES[event.purpose] ?? "reason",
          verb: `model.${event.purpose}`,
          status: "working",
          minor: true,
        }),
      );
      break;
    case "model_replied":
      changeRow(rows, `m${event.call}`, (before) => ({
        ...before,
        status: "done",
        seconds: event.seconds,
        usage: event.usage,
        details: [
          { name: "model", value: event.model },
          ...(event.text ? [{ name: "output", value: event.text } as const] : []),
          ...(event.calls?.length ? [{ name: "output", value: json(event.calls) } as const] : []),
        ],
      }));
      break;
    case "model_failed":
      changeRow(rows, `m${event.call}`, (before) => ({
        ...before,
        status: "failed",
        minor: false,
        text: event.error,
        details: [
          { name: "model", value: event.model },
          { name: "error", value: event.error },
          ...(event.fix ? [{ name: "fix", value: event.fix } as const] : []),
        ],
      }));
      break;
    case "tool_started":
    case "tool_finished":
      foldToolEvent(rows, event);
      break;
    default:
      foldOtherEvent(rows, event);
  }
}

function foldToolEvent(rows: Row[], event: Extract<Event, { type: "tool_started" | "tool_finished" }>): void {
  if (event.type === "tool_started") {
    const inputs = Object.keys(event.args ?? {}).length ? [{ name: "input" as const, value: json(event.args) }] : [];
    rows.push(
      row(event, {
        key: `t${event.call}@${event.seq}`,
        badge: badge(event.tool),
        verb: `tool.${event.tool}`,
        text: event.text || findSubject(event.args ?? {}),
        status: event.tool === "request_input" ? "waiting" : "working",
        details: inputs,
        args: event.args ?? {},
      }),
    );
    return;
  }
  const at = rows.findLastIndex((each) => each.key.startsWith(`t${event.call}@`));
  const before = rows[at];
  if (!before) return;
  const output = event.ok ? event.output : event.error;
  rows[at] = {
    ...before,
    status: event.unknown ? "unknown" : event.ok ? "done" : "failed",
    verb: event.ok && event.text ? "" : before.verb,
    text: event.ok ? dropElementNumbers(event.text) || before.text : dropElementNumbers(plain(event.error)) || before.text,
    doneAction: event.ok ? doneAction(event.tool, before.args, event) : null,
    seconds: event.seconds,
    usage: event.usage.input + event.usage.output ? event.usage : null,
    details: [...before.details, ...(output ? [{ name: event.ok ? "output" : "error", value: output } as const] : [])],
  };
}

function foldOtherEvent(rows: Row[], event: Event): void {
  switch (event.type) {
    case "page_seen":
      rows.push(
        row(event, {
          badge: "observe",
          verb: "looked",
          text: event.title || host(event.url),
          minor: true,
          details: [
            { name: "address", value: event.url },
            ...(event.text ? [{ name: "text", value: event.text } as const] : []),
          ],
        }),
      );
      break;
    case "reasoned":
      if (event.text)
        rows.push(
          row(event, {
            badge: event.phase === "observe" ? "observe" : event.phase === "decide" ? "decide" : "reason",
            // A phase is part of the run's account: its words stand in the row. Mere thinking is folded away.
            ...(event.public ? { verb: "", text: plain(event.text), step: event.step ?? 0 } : { verb: "thought", minor: true }),
            details: [{ name: "text", value: event.text }],
          }),
        );
      break;
    case "progress":
      // What the model tells the person stands in the list; other stages are told by the rows of what happens in them.
      if (event.details?.["said"]) rows.push(row(event, { badge: "note", verb: "", text: plain(event.text) }));
      // A stage of tools that failed is told by the rows of these tools.
      if (event.status === "failed" && event.details?.["successful"] === undefined)
        rows.push(row(event, { badge: "note", verb: "", text: event.text, status: "failed" }));
      break;
    case "planned":
      foldPlan(rows, event);
      break;
    case "input_requested":
      rows.push(row(event, { key: `i${event.request}`, badge: "ask", verb: "asked", text: event.question, status: "waiting", asked: event }));
      break;
    case "input_received":
      changeRow(rows, `i${event.request}`, (before) => ({
        ...before,
        status: "done",
        details: [{ name: "output", value: event.answer }],
      }));
      break;
    case "input_timed_out":
      changeRow(rows, `i${event.request}`, (before) => ({ ...before, status: "failed", verb: "unanswered" }));
      break;
    case "file_saved":
      addFile(rows, event);
      break;
    case "noted":
      if (event.text) {
        const note = { topic: event.topic, details: event.details ?? {} };
        rows.push(row(event, { badge: "note", verb: "", text: event.text, minor: !IMPORTANT_TOPICS.has(event.topic), note }));
      }
  }
}

/** A plan that only got further is the same plan: its row is kept, and the list above the rows ticks off. */
function foldPlan(rows: Row[], event: Extract<Event, { type: "planned" }>): void {
  const steps = event.items.map(([text]) => String(text));
  const text = clip(steps.join("; "), 160);
  const done = event.items.map(([step, state]) => `${state === "done" ? "✓" : "·"} ${step}`).join("\n");
  const details: Detail[] = [{ name: "text", value: done }];
  const at = rows.findLastIndex((each) => each.verb === "planned");
  const before = rows[at];
  if (before?.text === text) rows[at] = { ...before, details };
  else if (steps.length) rows.push(row(event, { badge: "plan", verb: "planned", text, details, minor: true }));
}

/** A picture belongs to the step that took it; any other file is a row of its own. */
function addFile(rows: Row[], event: Extract<Event, { type: "file_saved" }>): void {
  if (event.purpose === "frame") {
    const at = rows.findLastIndex((each) => each.badge === "act" && each.key.startsWith("t"));
    const before = rows[at];
    if (before) rows[at] = { ...before, frame: event.name };
    return;
  }
  const at = rows.findLastIndex((each) => each.verb === `tool.${event.purpose}`);
  const before = rows[at];
  if (event.media.startsWith("image/") && before) rows[at] = { ...before, pictures: [...before.pictures, event.name] };
  else rows.push(row(event, { badge: "note", verb: "saved", text: event.name.split("/").at(-1) ?? event.name }));
}

function changeRow(rows: Row[], key: string, change: (before: Row) => Row): void {
  const at = rows.findLastIndex((each) => each.key === key);
  const before = rows[at];
  if (before) rows[at] = change(before);
}

/** What is worth a line at a glance: actions, questions, failures, and what is going on now. */
export function major(rows: readonly Row[]): Row[] {
  return rows.filter((row, at) => !row.minor || row.status === "failed" || (row.status === "working" && at === rows.length - 1));
}

/** Whether something was done in the browser that could be done again. */
export function hasActions(rows: readonly Row[]): boolean {
  return rows.some((row) => row.badge === "act" && row.key.startsWith("t") && row.status === "done");
}

/** What a call is about, in the fewest words: the text, address or question among its arguments. */
export function findSubject(args: Record<string, unknown>): string {
  for (const name of ["text", "query", "question", "url", "option", "key", "task", "content", "prompt", "timezone"]) {
    const value = args[name];
    if (typeof value === "string" && value) return name === "url" ? host(value) : clip(value);
  }
  return "";
}

export function host(url: string): string {
  try {
    const { hostname, pathname, protocol } = new URL(url);
    return protocol.startsWith("http") ? hostname + (pathname === "/" ? "" : pathname) : clip(url, 40);
  } catch {
    return clip(url, 60);
  }
}

export const clip = (text: string, most = 80) => (text.length > most ? `${text.slice(0, most)}…` : text);
const plain = (text: string) => clip(text.split("\n")[0] ?? "", 160);
/** Without the numbers that models know elements by. */
export const dropElementNumbers = (text: string) => text.replaceAll(/\[\d+\] ?/g, "");
const json = (value: unknown) => JSON.stringify(value, null, 2);
