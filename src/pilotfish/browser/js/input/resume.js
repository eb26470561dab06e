// Gives a field the keyboard, with the caret behind what it holds. Says whether it took it.
(el) => {
  el.focus({ preventScroll: true });
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (el.isContentEditable) getSelection().selectAllChildren(el), getSelection().collapseToEnd();
  else if (el.selectionStart !== null && "setSelectionRange" in el) el.setSelectionRange(el.value.length, el.value.length);
  return at === el || el.contains(at);
};
