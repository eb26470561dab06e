// Chooses the option at this place of a select, if its label is still the same. Returns what is chosen.
(el, index, said) => {
  const label = (option) => option.label || option.text || option.value;
  const found = el.options[index];
  if (!found || label(found) !== said || found.disabled) return null;
  el.focus({ preventScroll: true });
  found.selected = true;
  el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
  return [...el.selectedOptions].map(label);
};
