// Scrolls the box around this element, or the one inside it. Without one: the dialog in front, else the page, else the
// largest box that scrolls.
(el, direction, amount) => {
  const MOST = 0.9;
  const sideways = direction === "left" || direction === "right";
  const free = (overflow) => /auto|scroll|overlay/.test(overflow);
  const scrolls = (box) =>
    sideways
      ? box.scrollWidth > box.clientWidth + 1 && free(getComputedStyle(box).overflowX)
      : box.scrollHeight > box.clientHeight + 1 && free(getComputedStyle(box).overflowY);
  const page = document.scrollingElement ?? document.documentElement;
  const around = (start) => {
    for (let at = start; at && at !== page; at = at.parentElement ?? at.getRootNode().host) if (scrolls(at)) return at;
    return null;
  };
  const area = (box) => {
    const { left, top, right, bottom } = box.getBoundingClientRect();
    return Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0)) * Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  };
  const largest = (root) =>
    [root, ...root.querySelectorAll("*")]
      .filter((box) => box !== page && box !== document.body && scrolls(box) && box.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .reduce((best, box) => (area(box) > (best ? area(best) : 900) ? box : best), null);
  const middle = (box) => {
    const { left, top, right, bottom } = box.getBoundingClientRect();
    return document.elementFromPoint((Math.max(left, 0) + Math.min(right, innerWidth)) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2);
  };
  const front = () =>
    [...document.querySelectorAll("dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]")]
      .filter((box) => box.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && box.contains(middle(box)))
      .at(-1);
  const hidden = (box) => getComputedStyle(box)[sideways ? "overflowX" : "overflowY"] === "hidden";
  const tall = (sideways ? page.scrollWidth > innerWidth + 1 : page.scrollHeight > innerHeight + 1) && !hidden(page) && !hidden(document.body);
  const chosen = () => {
    const dialog = front();
    const inner = dialog && (largest(dialog) ?? around(dialog));
    return inner ?? (tall ? page : (around(document.elementFromPoint(innerWidth / 2, innerHeight / 2)) ?? largest(document.documentElement) ?? page));
  };
  const box = el ? (around(el) ?? largest(el) ?? page) : chosen();
  const [at, size] = sideways ? ["scrollLeft", "Width"] : ["scrollTop", "Height"];
  const before = box[at];
  const shown = box === page ? window[`inner${size}`] : box[`client${size}`];
  // Where no amount was asked for, a little of what was seen stays in sight.
  const step = amount ?? Math.round(MOST * shown);
  const goal = { up: before - step, down: before + step, left: before - step, right: before + step, top: 0, bottom: box.scrollHeight }[direction];
  box.scrollTo({ [sideways ? "left" : "top"]: goal, behavior: "instant" });
  return { by: Math.round(box[at] - before), left: Math.round(box[`scroll${size}`] - shown - box[at]), page: box === page };
};
