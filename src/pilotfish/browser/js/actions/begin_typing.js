// Begins to type into a field: until `typed` ends it, keys that would reach something else are held back and counted,
// as where the page draws the field anew without giving it the focus. Also notes whether the page answers.
(el) => {
  globalThis.pilotfishTyping?.end();
  const typing = { lost: 0, answered: false };
  const takes = (at) =>
    at === el || el.contains(at) || at.isContentEditable || at.matches?.("input,textarea,select,iframe") || el.getRootNode().host === at;
  const guard = (event) => {
    if (!event.isTrusted || takes(event.composedPath()[0])) return;
    typing.lost++;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const kinds = ["keydown", "keypress", "keyup"];
  const observer = new MutationObserver((records) => {
    typing.answered ||= records.some(({ target }) => target !== el && !el.contains(target));
  });
  observer.observe(window.document, { subtree: true, childList: true, characterData: true });
  for (const kind of kinds) addEventListener(kind, guard, true);
  typing.end = () => {
    observer.disconnect();
    for (const kind of kinds) removeEventListener(kind, guard, true);
    delete globalThis.pilotfishTyping;
  };
  globalThis.pilotfishTyping = typing;
};
