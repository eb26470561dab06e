// Gives a field a value as its own picker would, with the events that pages listen for. Returns what it holds.
(el, value) => {
  el.focus({ preventScroll: true });
  if ("value" in el) el.value = value;
  else el.textContent = value;
  el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
  return "value" in el ? el.value : el.innerText;
};
