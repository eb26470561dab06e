// Computed styles, each asked for once: they are live, so what was got at an earlier look tells what is now.

const styles = { "": new WeakMap(), "::before": new WeakMap(), "::after": new WeakMap() };

function styleOf(el, which = "") {
  let style = styles[which].get(el);
  if (style === undefined) styles[which].set(el, (style = getComputedStyle(el, which)));
  return style;
}
