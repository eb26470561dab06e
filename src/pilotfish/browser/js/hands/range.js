// Least, greatest and present value of a slider.
(el) => {
  const read = (name, fallback) => Number(el.getAttribute(name) ?? fallback);
  return [read("aria-valuemin", 0), read("aria-valuemax", 100), read("aria-valuenow", 0)];
};
