// Lets the next click through to this element only: any other receiver is kept from ever seeing it.
(el) => {
  globalThis.pilotfishAim?.end();
  const words = el.textContent;
  // Kept to tell afterwards whether it looks different, as what is chosen does where nothing else says so.
  const look = () => [el, el.parentElement, ...[...el.children].slice(0, 3)].map((each) => {
    const style = each && getComputedStyle(each);
    return style && [style.backgroundColor, style.backgroundImage, style.color, style.borderColor, style.fontWeight,
      style.textDecorationLine, style.opacity].join();
  }).join();
  globalThis.pilotfishLook = { el, look, before: look() };
  const aim = { hit: false, miss: "" };
  const near = (first) => {
    const label = first.closest?.("label");
    return Boolean(label && label.control === el) || Boolean(first.contains?.(el) && el.isConnected);
  };
  // A closed root keeps its insides from the event's path, but not from us.
  const sealed = (event, path) => {
    const root = el.getRootNode();
    if (root.mode !== "closed" || !path.includes(root.host)) return false;
    const first = root.elementFromPoint(event.clientX, event.clientY);
    return Boolean(first) && (el.contains(first) || near(first));
  };
  const meant = (event) => {
    const path = event.composedPath();
    return path.includes(el) || near(path[0]) || sealed(event, path);
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
