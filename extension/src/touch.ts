/** Runs in driven tabs: tells the extension of every input that the page hears. */
import type { Message, Touch } from "./protocol";

declare global {
  var pilotfishTouch: boolean | undefined;
}

const KINDS = { pointerdown: "pointer", keydown: "key", wheel: "wheel" } as const;

function tell(kind: Touch["kind"], event: Event): void {
  if (!event.isTrusted) return;
  const { clientX: x = 0, clientY: y = 0, key = "" } = event as Partial<MouseEvent & KeyboardEvent>;
  const message: Message = { type: "touched", kind, x, y, key, top: window === window.top };
  void chrome.runtime.sendMessage(message).catch(() => {});
}

if (!globalThis.pilotfishTouch) {
  globalThis.pilotfishTouch = true;
  for (const [name, kind] of Object.entries(KINDS)) {
    addEventListener(name, (event) => tell(kind, event), { capture: true, passive: true });
  }
}
