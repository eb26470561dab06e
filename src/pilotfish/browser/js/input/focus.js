// Gives the element the keyboard. Says whether it took it.
(el) => {
  el.focus({ preventScroll: true });
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at === el || el.contains(at);
};
