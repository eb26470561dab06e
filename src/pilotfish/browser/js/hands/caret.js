// Focuses a field with its whole content selected. Says whether the field has the focus now.
(el) => {
  const active = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  if (active() !== el && !el.contains(active())) el.focus({ preventScroll: true });
  if ("select" in el && "value" in el) el.select();
  else getSelection().selectAllChildren(el);
  return active() === el || el.contains(active());
};
