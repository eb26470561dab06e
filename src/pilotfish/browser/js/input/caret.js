// Focuses a field with its whole content selected. Returns whether the field has the focus now: "keys" where only the
// keyboard can select in it, as in editors that draw their text themselves.
(el) => {
  const active = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  if (active() !== el && !el.contains(active())) el.focus({ preventScroll: true });
  const held = active() === el || el.contains(active());
  const field = held && !("value" in el) && !el.isContentEditable ? active() : el;
  if ("select" in field && "value" in field) field.select();
  else if (field.editContext) return "keys";
  else getSelection().selectAllChildren(field);
  return held;
};
