/** Runs in driven tabs: tells the extension that somebody touched the page. */
declare global {
  var pilotfishTouch: boolean | undefined;
}

if (!globalThis.pilotfishTouch) {
  globalThis.pilotfishTouch = true;
  for (const kind of ["pointerdown", "keydown", "wheel"]) {
    addEventListener(
      kind,
      (event) => {
        if (event.isTrusted) void chrome.runtime.sendMessage({ type: "touched" }).catch(() => {});
      },
      { capture: true, passive: true },
    );
  }
}

export {};
