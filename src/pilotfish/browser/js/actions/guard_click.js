// Lets the next click reach this element only, and only while it is unchanged. For any other receiver the click is
// cancelled before it arrives.
(el, handle) => {
  globalThis.pilotfishClick?.end();
  let words = el.textContent;
  let received = false;
  let at = 0;
  let done = false;
  // Kept to compare afterwards: a different look may be the only sign that something was chosen.
  const look = () => [el, el.parentElement, ...[...el.children].slice(0, 3)].map((each) => {
    const style = each && getComputedStyle(each);
    return style && [style.backgroundColor, style.backgroundImage, style.color, style.borderColor, style.fontWeight,
      style.textDecorationLine, style.opacity].join();
  }).join();
  globalThis.pilotfishLook = { el, look, before: look() };
  const guard = { hit: false, pressed: false, miss: globalThis.pilotfish.same(handle, el) ? "" : "something else" };
  const near = (first) => {
    const label = first.closest?.("label");
    return Boolean(label && label.control === el) || Boolean(first.contains?.(el) && el.isConnected);
  };
  // The path of an event leaves out what is inside a closed shadow root. The handle of the element is known all the same.
  const sealed = (event, path) => {
    const root = el.getRootNode();
    if (root.mode !== "closed" || !path.includes(root.host)) return false;
    const first = root.elementFromPoint(event.clientX, event.clientY);
    return Boolean(first) && (el.contains(first) || near(first));
  };
  // What is drawn in the place of a field that cannot be seen.
  const stand = globalThis.pilotfish.stand(handle);
  const meant = (event) => {
    const path = event.composedPath();
    return path.includes(el) || (stand && path.includes(stand)) || near(path[0]) || sealed(event, path);
  };
  const check = (event) => {
    if (!event.isTrusted) return;
    const together = event.timeStamp === at; // one press, or one release, sent as several events
    at = event.timeStamp;
    if (guard.hit && (done || together || el.textContent === words || !el.isConnected)) {
      done ||= event.type === "click" || event.type === "contextmenu"; // what follows is the page's answer to it
      return;
    }
    if (!guard.hit && !guard.miss && meant(event) && el.textContent === words && globalThis.pilotfish.same(handle, el)) {
      guard.hit = guard.pressed = true;
      setTimeout(() => received || settle());
      return;
    }
    const other = event.composedPath()[0];
    guard.hit = false;
    guard.miss ||= `${other.localName ?? "page"} "${(other.innerText ?? "").trim().slice(0, 40)}"`;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  // What the page changes because of the press is accepted. What changes for another reason before the click is not.
  const settle = () => {
    received = true;
    if (guard.hit) queueMicrotask(() => (words = el.textContent));
  };
  const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
  for (const kind of kinds) addEventListener(kind, check, true);
  for (const kind of [...kinds, "focusin"]) addEventListener(kind, settle);
  guard.end = () => {
    for (const kind of kinds) removeEventListener(kind, check, true);
    for (const kind of [...kinds, "focusin"]) removeEventListener(kind, settle);
    delete globalThis.pilotfishClick;
  };
  globalThis.pilotfishClick = guard;
};
