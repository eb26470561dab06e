// Counts the controls that are off the screen, and keeps the headings further down.

const HEADINGS = 8;
// What was counted in boxes far below the screen.
let farCounts = new Map();

// Counts a control off the screen, or keeps the text of a heading there.
function countOffScreen(look, el, tag, rect, inScrollBox) {
  const given = el.getAttribute("role");
  const acts = given ? WIDGETS.has(given) : tag === "A" ? el.hasAttribute("href") : NATIVE.has(tag) && el.type !== "hidden";
  if (acts && rect.width > 0) {
    if (rect.top >= look.floor) look.below++;
    else if (rect.bottom <= 0) look.above++;
    else if (!inScrollBox && rect.top < look.height && rect.left < look.width && rect.right > 0) look.cut++;
  } else if (tag.length === 2 && tag[0] === "H" && tag !== "HR" && look.headings.length < HEADINGS && rect.top >= look.floor) {
    const text = clipped(el.textContent, 50);
    if (text) look.headings.push(text);
  }
}

function countFarBelow(look, el) {
  look.skipped = true;
  look.far.add(el);
  if (!farCounts.has(el)) farCounts.set(el, { controls: el.querySelectorAll(COUNTED).length, titles: titlesIn(el) });
  const { controls, titles } = farCounts.get(el);
  look.below += controls;
  look.headings.push(...titles.slice(0, Math.max(0, HEADINGS - look.headings.length)));
}

function titlesIn(el) {
  const titles = [];
  for (const heading of el.querySelectorAll("h1,h2,h3,h4")) {
    const text = clipped(heading.textContent, 50);
    if (text && titles.push(text) >= HEADINGS) break;
  }
  return titles;
}

function forgetFarCounts() {
  farCounts = new Map();
}
