// Chooses an option of a select. Answers with what is chosen, or with the options there are.
(el, wanted, by) => {
  const options = [...el.options];
  const fold = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();
  const label = (option) => option.label || option.text;
  const want = fold(wanted);
  const part = options.filter((option) => fold(label(option)).includes(want));
  const found = {
    index: () => options[Number(wanted)],
    value: () => options.find((option) => option.value === wanted) ?? options.find((option) => fold(label(option)) === want),
    text: () =>
      options.find((option) => fold(label(option)) === want) ??
      options.find((option) => option.value === wanted) ??
      (part.length === 1 ? part[0] : undefined),
  }[by]();
  const told = options.slice(0, 40).map(label);
  if (!found) return { ok: false, options: told };
  if (found.disabled) return { ok: false, disabled: label(found), options: told };
  el.focus({ preventScroll: true });
  found.selected = true;
  el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
  return { ok: found.selected, chosen: [...el.selectedOptions].map(label) };
};
