// Focuses a field, with the caret behind its text. Returns whether it has the focus now.
(el) => {
  el.focus({ preventScroll: true });
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (el.isContentEditable) getSelection().selectAllChildren(el), getSelection().collapseToEnd();
  else if (el.selectionStart !== null && "setSelectionRange" in el) el.setSelectionRange(el.value.length, el.value.length);
  return at === el || el.contains(at);
};
