/** Shows where the agent acts: an arrow that the browser paints over the page, which the page itself cannot see. */
const FILL = { r: 11, g: 122, b: 117, a: 0.95 };
const EDGE = { r: 255, g: 255, b: 255, a: 1 };
/** The corners of the arrow, from its tip. */
const ARROW = [0, 0, 6, 22, 10.5, 13, 20, 10];
const enabled = new Set<number>();
const shown = new Set<number>();

/** Called before each command to a tab. What the agent sees of the page has no arrow in it. */
export function follow(tab: number, method: string, params: object): void {
  const { type, x, y } = params as { type?: string; x?: number; y?: number };
  if (method === "Page.captureScreenshot" && shown.delete(tab)) send(tab, "Overlay.hideHighlight");
  if (method !== "Input.dispatchMouseEvent" || type === "mouseWheel" || x === undefined || y === undefined) return;
  if (!enabled.has(tab)) {
    enabled.add(tab);
    send(tab, "DOM.enable");
    send(tab, "Overlay.enable");
  }
  shown.add(tab);
  const quad = ARROW.map((offset, at) => offset + (at % 2 ? y : x));
  send(tab, "Overlay.highlightQuad", { quad, color: FILL, outlineColor: EDGE });
}

function send(tab: number, method: string, params: object = {}): void {
  void chrome.debugger.sendCommand({ tabId: tab }, method, params as Record<string, unknown>).catch(() => {});
}

/** A tab that is let go loses what was painted over it. */
export function forget(tab: number): void {
  enabled.delete(tab);
  shown.delete(tab);
}
