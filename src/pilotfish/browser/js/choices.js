// The one that is chosen of several alike, where only its look tells: filled, framed or bold beside the others.

// What is to be chosen from by its class; the words of the second kind name the parts of other things too.
const GROUP_WORDS = new Set("chip choice pagination pager pill seg segment segmented switcher tab tabs togglegroup".split(" "));
const MAYBE_GROUPED = new Set("color colour option page size swatch variant".split(" "));
const COMMANDS = new Set("action btn button cta foot footer head header info submit toolbar".split(" "));
// Why one of several commands is drawn stronger than the others.
const STRESS_WORDS = new Set("accent brand contained cta danger featured filled primary promo raised recommended solid submit".split(" "));
// The largest side of a colour to choose.
const SWATCH = 48;
const TICKS = new Set(["check", "checkmark", "tick"]);

// Whether it is the one of a group to choose from that is drawn stronger than all others: filled, framed or bold.
function standsOut(el) {
  const group = isSwatch(el) || isToChoose(el) ? likeBeside(el) : [];
  if (group.length < leastToChoose(el) || group.length > 24 || (isSwatch(el) && !(group.length > 2 && group.every(isSwatch)))) return false;
  const filled = new Set(group.map((one) => styleOf(one).backgroundColor)).size <= 2;
  const strengths = group.map((one) => strengthOf(one, filled));
  const own = strengths[group.indexOf(el)];
  const others = strengths.filter((one) => one !== own);
  if (others.some((one) => one.join() !== others[0].join())) return false;
  return own.every((value, at) => value >= others[0][at]) && own.some((value, at) => value > others[0][at]) && !leadsOn(el);
}

// Whether the classes call it one of several to choose from, not one of several commands.
function isToChoose(el) {
  const up = el.parentElement;
  if (!up || classSays(el, GROUP_WORDS)) return Boolean(up);
  const named = classSays(up, GROUP_WORDS) || classSays(el, MAYBE_GROUPED);
  const numbered = !named && classSays(up, MAYBE_GROUPED) && (!classesOf(up).parts.has("page") || /^\d{1,5}$/.test(el.textContent.trim()));
  return (named || numbered) && !classSays(up, COMMANDS) && !isStressed(el, up);
}

// Whether its classes, and not those of another beside it, say that it is the main command.
function isStressed(el, group) {
  const other = group.firstElementChild === el ? group.lastElementChild : group.firstElementChild;
  return [...classesOf(el).parts].some((part) => STRESS_WORDS.has(part) && !classesOf(other).parts.has(part));
}

// Whether it leads on or back: the way on may be drawn stronger than the pages.
function leadsOn(el) {
  return /^(next|previous|more)$/.test(turnOf(el).way);
}

// The fewest of a kind that are a choice: of two, the stronger one may be the command that is meant first.
function leastToChoose(el) {
  return isSwatch(el) || [el, el.parentElement].some((one) => one && classSays(one, GROUP_WORDS)) ? 2 : 3;
}

// Whether it is a small box that shows nothing but a colour.
function isSwatch(el) {
  if (el.textContent.trim()) return false;
  const { width, height } = el.getBoundingClientRect();
  return width <= SWATCH && height <= SWATCH && width > 8 && parseColour(styleOf(el).backgroundColor)[3] > 0.9;
}

function strengthOf(el, filled) {
  const style = styleOf(el);
  const ground = backgroundOf(el.parentElement)?.paper || [255, 255, 255];
  const apart = (colour, wide) => {
    const [red, green, blue, alpha] = parseColour(colour);
    return wide && alpha > 0.1 ? Math.round(Math.hypot(ground[0] - red, ground[1] - green, ground[2] - blue) / 24) : 0;
  };
  const sides = ["Top", "Bottom", "Left"].map((side) => apart(style[`border${side}Color`], parseFloat(style[`border${side}Width`])));
  const ring = style.boxShadow === "none" ? 0 : 1;
  const line = style.outlineStyle === "none" || focused() === el ? 0 : 1;
  const lines = style.textDecorationLine.includes("underline") ? 1 : 0;
  const ticked = [...el.querySelectorAll(DRAWINGS)].some((one) => classSays(one, TICKS));
  return [Number(ticked), filled ? apart(style.backgroundColor, 1) : 0, Math.max(...sides), ring, line, lines, Number(style.fontWeight)];
}
