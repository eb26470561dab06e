// Computed styles, each fetched once: they are live objects and stay current.

const styles = { "": new WeakMap(), "::before": new WeakMap(), "::after": new WeakMap() };

function styleOf(el, which = "") {
  let style = styles[which].get(el);
  if (style === undefined) styles[which].set(el, (style = getComputedStyle(el, which)));
  return style;
}
