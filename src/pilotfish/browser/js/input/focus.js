// Focuses the element. Returns whether it has the focus now.
(el) => {
  el.focus({ preventScroll: true });
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at === el || el.contains(at);
};
