// Lets the next click through to this element only: any other receiver is kept from ever seeing it.
(el) => {
  globalThis.pilotfishAim?.end();
  const words = el.textContent;
  const aim = { hit: false, miss: "" };
  const meant = (event) => {
    const path = event.composedPath();
    const first = path[0];
    if (path.includes(el)) return true;
    const label = first.closest?.("label");
    return Boolean(label && label.control === el) || Boolean(first.contains?.(el) && el.isConnected);
  };
  const check = (event) => {
    if (!event.isTrusted || aim.hit) return;
    if (!aim.miss && meant(event) && el.textContent === words) {
      aim.hit = true;
      return;
    }
    const other = event.composedPath()[0];
    aim.miss ||= `${other.localName ?? "page"} "${(other.innerText ?? "").trim().slice(0, 40)}"`;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
  for (const kind of kinds) addEventListener(kind, check, true);
  aim.end = () => {
    for (const kind of kinds) removeEventListener(kind, check, true);
    delete globalThis.pilotfishAim;
  };
  globalThis.pilotfishAim = aim;
};
