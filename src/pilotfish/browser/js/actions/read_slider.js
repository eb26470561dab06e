// Least, greatest and present value of a slider. Where it has no such attributes, they are read from the number beside
// it, or from the place of its knob.
(el) => {
  const read = (name, fallback) => Number(el.getAttribute(name) ?? fallback);
  if (el.hasAttribute("aria-valuenow")) return [read("aria-valuemin", 0), read("aria-valuemax", 100), read("aria-valuenow", 0)];
  for (let near = el.parentElement; near; near = near.parentElement) {
    for (const other of [near, near.nextElementSibling, near.previousElementSibling]) {
      const said = (other && other.innerText || "").trim();
      if (/^[^\d-]{0,12}-?\d+([.,]\d+)?[^\d]{0,3}$/.test(said)) return [null, null, Number(said.match(/-?\d+([.,]\d+)?/)[0].replace(",", "."))];
    }
    if (near.querySelectorAll("[tabindex],input,button").length > 1) break;
  }
  const way = /^([\d.]+)%$/.exec(el.style.left || el.style.bottom);
  return way ? [0, 100, Number(way[1])] : [null, null, null];
};
