// Scrolls the box that this element stands in (without one: the page, or the box that fills it).
(el, direction, amount) => {
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
  const top = { up: before - amount, down: before + amount, top: 0, bottom: box.scrollHeight }[direction];
  box.scrollTo({ top, behavior: "instant" });
  const shown = box === page ? innerHeight : box.clientHeight;
  return { by: Math.round(box.scrollTop - before), left: Math.round(box.scrollHeight - shown - box.scrollTop), page: box === page };
};
