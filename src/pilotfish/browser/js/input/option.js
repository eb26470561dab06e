// Finds the option of a select that is meant, without choosing it. Returns its label, or all labels if there is none.
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
  const labels = options.slice(0, 40).map(label);
  if (!found) return { ok: false, options: labels };
  if (found.disabled) return { ok: false, disabled: label(found), options: labels };
  return { ok: true, index: found.index, label: label(found) || found.value };
};
