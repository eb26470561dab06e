/** Shows where the agent acts: an arrow that the browser paints over the page, which the page itself cannot see. */
const FILL = { r: 11, g: 122, b: 117, a: 0.95 };
const EDGE = { r: 255, g: 255, b: 255, a: 1 };
/** The corners of the arrow, from its tip. */
const ARROW = [0, 0, 6, 22, 10.5, 13, 20, 10];
const enabled = new Set<number>();
type Place = { x: number; y: number };
/** Where the arrow of each tab is, where it was before a picture was taken, and where it is to be as soon as the tab has
 * time for it. */
const shown = new Map<number, Place>();
const hidden = new Map<number, Place>();
type Coming = Place & { since: number; timer: ReturnType<typeof setTimeout> };
const coming = new Map<number, Coming>();
/** Painting keeps the page from acting: the arrow follows when no command came for so many milliseconds, or so late. */
const IDLE = 150;
const LATEST = 700;

/** Called before each command to a tab. What the agent sees of the page has no arrow in it. */
export function follow(tab: number, method: string, params: object, now = Date.now()): void {
  const { type, x, y } = params as { type?: string; x?: number; y?: number };
  if (method === "Page.captureScreenshot") hide(tab);
  const moves = method === "Input.dispatchMouseEvent" && type !== "mouseWheel" && x !== undefined && y !== undefined;
  const former = coming.get(tab);
  const there = shown.get(tab);
  if (moves && there?.x === x && there.y === y) drop(tab);
  else if (moves) planPaint(tab, x, y, former?.since ?? now, now);
  else if (former) planPaint(tab, former.x, former.y, former.since, now);
}

/** Called when a command was carried out. After a picture the arrow comes back. */
export function showAfterCommand(tab: number, method: string, now = Date.now()): void {
  const place = method === "Page.captureScreenshot" ? hidden.get(tab) : undefined;
  if (place && !coming.has(tab)) planPaint(tab, place.x, place.y, now, now);
}

/** Another document is in the tab: Chrome took the arrow away with the former one. */
export function leave(tab: number): void {
  shown.delete(tab);
  hidden.delete(tab);
}

function planPaint(tab: number, x: number, y: number, since: number, now: number): void {
  clearTimeout(coming.get(tab)?.timer);
  const timer = setTimeout(() => paint(tab, x, y), Math.min(IDLE, Math.max(0, since + LATEST - now)));
  coming.set(tab, { x, y, since, timer });
}

function drop(tab: number): void {
  clearTimeout(coming.get(tab)?.timer);
  coming.delete(tab);
}

function paint(tab: number, x: number, y: number): void {
  coming.delete(tab);
  if (!enabled.has(tab)) {
    enabled.add(tab);
    send(tab, "DOM.enable");
    send(tab, "Overlay.enable");
  }
  shown.set(tab, { x, y });
  hidden.delete(tab);
  const quad = ARROW.map((offset, at) => offset + (at % 2 ? y : x));
  send(tab, "Overlay.highlightQuad", { quad, color: FILL, outlineColor: EDGE });
}

function hide(tab: number): void {
  const place = coming.get(tab) ?? shown.get(tab);
  if (place) hidden.set(tab, place);
  drop(tab);
  if (shown.delete(tab)) send(tab, "Overlay.hideHighlight");
}

function send(tab: number, method: string, params: object = {}): void {
  void chrome.debugger.sendCommand({ tabId: tab }, method, params as Record<string, unknown>).catch(() => {});
}

/** A tab that is let go loses what was painted over it. */
export function forget(tab: number): void {
  drop(tab);
  enabled.delete(tab);
  leave(tab);
}
