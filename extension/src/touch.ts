/** Runs in driven tabs: tells the extension of every input that the page hears. */
import type { Message, Touch } from "./protocol";

declare global {
  var pilotfishTouch: boolean | undefined;
}

const KINDS = { pointerdown: "pointer", keydown: "key", wheel: "wheel" } as const;

/** Milliseconds after which inputs are told together: a message for each would slow the page down while it acts on them. */
const TOGETHER = 30;
let waiting: Touch[] = [];

function hear(kind: Touch["kind"], event: Event): void {
  if (!event.isTrusted) return;
  const { clientX: x = 0, clientY: y = 0, key = "" } = event as Partial<MouseEvent & KeyboardEvent>;
  if (!waiting.length) setTimeout(tell, TOGETHER);
  waiting.push({ kind, x, y, key, top: window === window.top });
}

function tell(): void {
  const message: Message = { type: "touched", touches: waiting };
  if (!waiting.length) return;
  waiting = [];
  void chrome.runtime.sendMessage(message).catch(() => {});
}

if (!globalThis.pilotfishTouch) {
  globalThis.pilotfishTouch = true;
  for (const [name, kind] of Object.entries(KINDS)) {
    addEventListener(name, (event) => hear(kind, event), { capture: true, passive: true });
  }
  addEventListener("pagehide", tell);
}
