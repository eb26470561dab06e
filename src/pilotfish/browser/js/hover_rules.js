// What a row shows only while the mouse is over it, read from the style sheets and told once ahead of the rows.

const MOST_HOVER_NAMES = 4;
const SHOWING_STYLES = { display: /^(?!none)./, visibility: /^visible/, opacity: /^(?!0(\.0+)?%?$)./ };
let hoverRules = [];
let hoverSheets = "";
let hoverRead = false;
// Rows that have a number only to be pointed at: they are known by their words.
const hoverRows = new WeakSet();

function forgetHoverRules() {
  hoverRead = false;
}

// The selectors of what a style sheet shows when something around it is pointed at, without that condition.
function hoverSelectors() {
  // Counting the rules is slow, so it is done once per look; they are read again only when their numbers change.
  if (hoverRead) return hoverRules;
  hoverRead = true;
  const sheets = [...document.styleSheets].map((sheet) => rulesOf(sheet).length).join();
  if (sheets === hoverSheets) return hoverRules;
  hoverSheets = sheets;
  hoverRules = [];
  let left = RULES;
  const read = (rules, within) => {
    for (const rule of rules) {
      if (--left < 0) return;
      const selector = (rule.selectorText || "").replaceAll("&", within ? `:is(${within})` : "&");
      if (selector.includes(":hover") && Object.keys(SHOWING_STYLES).some((name) => SHOWING_STYLES[name].test(rule.style?.[name] || "")))
        hoverRules.push(...selector.split(",").filter((part) => /:hover\S{0,200}\s/.test(part)).map((part) => part.replaceAll(":hover", "")));
      if (rule.cssRules?.length) read(rule.cssRules, selector || within);
    }
  };
  for (const sheet of document.styleSheets) read(rulesOf(sheet), "");
  return (hoverRules = [...new Set(hoverRules)].filter((part) => CSS.supports(`selector(${part})`)));
}

// Adds a line before the first of several rows alike: what each shows when the mouse is over it.
function tellHover(look, row, ctx) {
  if (look.wide || look.hovered.has(row.parentElement)) return;
  look.hovered.set(row.parentElement, false);
  const selectors = hoverSelectors();
  if (!selectors.length) return;
  const names = [...row.querySelectorAll(selectors.join(","))].filter((one) => row.matches(":hover") || !one.checkVisibility(SEEN)).flatMap(namesIn);
  const shownNames = [...new Set(names)].slice(0, MOST_HOVER_NAMES);
  look.hovered.set(row.parentElement, shownNames.length > 0);
  if (shownNames.length) push(look, { k: "t", r: "hint", n: `(rows show under the mouse: ${shownNames.join(", ")})`, d: ctx.parent });
}

// A row with nothing to act on gets a number, so that the mouse can be brought over it to show what it hides.
function hoverRow(look, row, rect, ctx, before) {
  const said = look.nodes.slice(before);
  if (!look.hovered.get(row.parentElement) || said.some((node) => node.h && !node.x)) return;
  const texts = said.filter((node) => node.k === "t" && !node.x);
  if (!texts.length) return;
  hoverRows.add(row);
  const area = control(look, row, "hover area", rect, ctx, null, clipped(texts.map((node) => tidy(node.n)).join(" "), NAME));
  for (const node of texts) if (area.n.includes(tidy(node.n))) node.x = 1;
  look.held.push({ at: push(look, area), el: row, rect });
}

function namesIn(box) {
  const found = box.matches(INNER) ? [box] : [...box.querySelectorAll(INNER)];
  return found.map((el) => clipped(el.getAttribute("aria-label") || el.getAttribute("title") || el.textContent || classWords(el, ""), 40)).filter(Boolean);
}
