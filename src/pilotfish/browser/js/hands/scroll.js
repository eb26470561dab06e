// Scrolls the box that this element stands in (without one: the page, or the box that fills it).
(el, direction, amount) => {
  const USUAL = 500;
  const scrolls = (box) =>
    box.scrollHeight > box.clientHeight + 1 && /auto|scroll|overlay/.test(getComputedStyle(box).overflowY);
  const page = document.scrollingElement ?? document.documentElement;
  const around = (start) => {
    for (let at = start; at && at !== page; at = at.parentElement ?? at.getRootNode().host) if (scrolls(at)) return at;
    return null;
  };
  const middle = () => document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  const tall = page.scrollHeight > innerHeight + 1 && getComputedStyle(page).overflowY !== "hidden";
  const box = el ? (around(el) ?? page) : tall ? page : (around(middle()) ?? page);
  const before = box.scrollTop;
  const shown = box === page ? innerHeight : box.clientHeight;
  // Where no amount was asked for, nothing of a small box is jumped over.
  const step = amount ?? Math.min(USUAL, Math.round(0.9 * shown));
  const top = { up: before - step, down: before + step, top: 0, bottom: box.scrollHeight }[direction];
  box.scrollTo({ top, behavior: "instant" });
  return { by: Math.round(box.scrollTop - before), left: Math.round(box.scrollHeight - shown - box.scrollTop), page: box === page };
};
