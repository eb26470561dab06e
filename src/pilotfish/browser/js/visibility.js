// Whether a person can see an element: hidden controls, faint boxes, text in the colour of its background.

const SEEN = { opacityProperty: true, visibilityProperty: true };
// Below this opacity nothing can be seen.
const FAINT_OPACITY = 0.05;
const TINY = 1.5;
const TEXTS = new Set("text search email tel url number password textarea".split(" "));
const parsedColours = new Map();
let backgrounds = new Map();

function forgetBackgrounds() {
  backgrounds = new Map();
}

// Controls made invisible on purpose, under a drawn replacement, stay: a person clicks them all the same.
function unseen(el, tag, style, tiny) {
  if (tag === "INPUT" && (el.type === "hidden" || tiny)) return true;
  const { opacity } = style.whole;
  if ((opacity !== "1" && opacity < FAINT_OPACITY) || isCutAway(style.whole, style.position, tiny)) return tiny || !underlies(el, tag);
  return tiny && style.whole.overflowX !== "visible" && tag !== "BODY" && tag !== "HTML" && tag !== "svg";
}

// Whether what nobody sees lies under something drawn in its place: fields often, in components of their own buttons too.
function underlies(el, tag) {
  if (el.hasAttribute("hidden") || el.getAttribute("aria-hidden") === "true") return false;
  if (tag === "SELECT" && el.tabIndex < 0 && styleOf(el).pointerEvents === "none") return false;
  return tag === "INPUT" || tag === "SELECT" || (tag === "BUTTON" && Boolean(el.getRootNode().host));
}

// A slider may be hidden away in the knob that is drawn for it, and a field of a component in a box that shows only
// while it is used.
function behindDrawn(look, el, tag, tiny, ctx) {
  const field = tag === "INPUT" ? el : el.querySelector("input,textarea") || slottedField(el);
  if (!field || look.given.has(field)) return;
  const knob = tiny && field.type === "range" ? knobOf(field) : null;
  if (knob) push(look, control(look, field, "slider", knob.getBoundingClientRect(), ctx, knob));
  else if (field !== el && !tiny && TEXTS.has(field.type) && el.getRootNode().host) walk(look, field, ctx);
}

function slottedField(el) {
  const slot = el.querySelector("slot");
  const given = slot ? slot.assignedElements({ flatten: true }) : [];
  return given.map((one) => (one.matches("input,textarea") ? one : one.querySelector("input,textarea"))).find(Boolean);
}

function knobOf(field) {
  for (let up = field.parentElement, level = 0; up && level < 4; up = up.parentElement, level++) {
    const { width, height } = up.getBoundingClientRect();
    if (width > 4 && height > 4) return up.checkVisibility(SEEN) ? up : null;
  }
  return null;
}

// Whether an element is clipped or scaled to nothing.
function isCutAway(style, position, tiny) {
  if (style.contentVisibility === "hidden" || (tiny && style.transform.startsWith("matrix(0, 0, 0, 0"))) return true;
  const path = style.clipPath;
  if (path !== "none" && /^(inset\((50|100)%|circle\(0)/.test(path)) return true;
  return position === "absolute" && /^rect\((0px|1px|auto)(,? (0px|1px)){3}\)$/.test(style.clip);
}

// Whether a text cannot be seen: no size, pushed out of its box, or in the colour of its background.
function isInvisibleText(el) {
  const style = styleOf(el);
  const ink = parseColour(style.color);
  if (parseFloat(style.fontSize) < 3 || ink[3] < FAINT_OPACITY || parseFloat(style.textIndent) < -500) return true;
  const ground = backgroundOf(el);
  if (!ground) return false;
  const apart = Math.hypot(ground.paper[0] - ink[0], ground.paper[1] - ink[1], ground.paper[2] - ink[2]);
  return apart <= 8 && !covered(el, ground.at);
}

// Red, green, blue and opacity; not a number for other colour spaces, so that no other colour is near them.
function parseColour(colour) {
  if (!parsedColours.has(colour)) {
    const [red, green, blue, alpha = 1] = colour.startsWith("rgb") ? colour.match(/[\d.]+/g).map(Number) : [NaN, NaN, NaN];
    parsedColours.set(colour, [red, green, blue, alpha]);
  }
  return parsedColours.get(colour);
}

// The nearest colour behind an element, and the element that has it; null where a picture is behind it.
function backgroundOf(el) {
  if (!backgrounds.has(el)) {
    const style = styleOf(el);
    const paper = parseColour(style.backgroundColor);
    const above = el.parentElement || el.parentNode?.host;
    if (style.backgroundImage !== "none") backgrounds.set(el, null);
    else if (paper[3] >= 0.9) backgrounds.set(el, { paper, at: el });
    else if (above) backgrounds.set(el, backgroundOf(above));
    else backgrounds.set(el, style.colorScheme.includes("dark") ? null : { paper: [255, 255, 255], at: el });
  }
  return backgrounds.get(el);
}

// Whether something else is painted between a text and its background.
function covered(el, ground) {
  const rect = el.getBoundingClientRect();
  const at = (x) => document.elementsFromPoint(rect.left + x, rect.top + rect.height / 2);
  const stack = [...at(rect.width / 2), ...at(Math.min(20, rect.width / 2))].filter((other) => !other.contains(ground));
  if (!stack.length) return Boolean(ground.querySelector("img, video, canvas, svg"));
  return stack.some((other) => {
    if (el.contains(other)) return false;
    if (/^(IMG|VIDEO|CANVAS|svg)$/.test(other.tagName)) return true;
    const style = getComputedStyle(other);
    return !other.contains(el) && (style.backgroundImage !== "none" || parseColour(style.backgroundColor)[3] > 0.1);
  });
}
