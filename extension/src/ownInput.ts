/** The inputs that the agent sent, by which those of the person are told apart: to a page both look the same. */
import type { Touch } from "./protocol";

type Sent = Touch & { at: number };

/** Milliseconds for which a page may take to hear an input. */
const LIFE = 30_000;
/** Places are rounded on their way. */
const NEAR = 2;
const sent = new Map<number, Sent[]>();

const KINDS: Record<string, Touch["kind"]> = {
  mousePressed: "pointer",
  touchStart: "pointer",
  mouseWheel: "wheel",
  keyDown: "key",
  rawKeyDown: "key",
};

type InputParams = { type?: string; x?: number; y?: number; key?: string; touchPoints?: { x: number; y: number }[] };

/** The agent is about to send an input. */
export function expect(tab: number, method: string, params: InputParams, at = Date.now()): void {
  const kind = method.startsWith("Input.dispatch") ? KINDS[params.type ?? ""] : undefined;
  if (!kind) return;
  const { x = 0, y = 0 } = params.touchPoints?.[0] ?? params;
  const recent = (sent.get(tab) ?? []).filter((each) => at - each.at < LIFE);
  sent.set(tab, [...recent, { kind, x, y, key: params.key ?? "", top: true, at }]);
}

/** Whether an input that a page heard is one that the agent sent; each counts once. */
export function isOwn(tab: number, heard: Touch, now = Date.now()): boolean {
  const all = sent.get(tab) ?? [];
  const found = all.findIndex((each) => now - each.at < LIFE && same(each, heard));
  if (found >= 0) all.splice(found, 1);
  return found >= 0;
}

function same(one: Sent, heard: Touch): boolean {
  if (one.kind !== heard.kind) return false;
  if (one.kind === "key") return one.key === heard.key;
  return one.kind === "wheel" || !heard.top || (Math.abs(one.x - heard.x) <= NEAR && Math.abs(one.y - heard.y) <= NEAR);
}

export function forget(tab: number): void {
  sent.delete(tab);
}
