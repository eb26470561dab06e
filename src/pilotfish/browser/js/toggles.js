// Switches, boxes and circles that are only drawn: a track with a knob in it, a small square with a mark.

const MARKS = /[✓✔☑✅●◉]/;
const SQUARES = new Set(["checkbox", "tickbox"]);
const CIRCLES = new Set(["radio"]);
const SLIDING_WORDS = new Set(["switch", "toggle"]);
// A drawn switch or box is looked for only in elements with at most this many parts.
const PARTS = 24;
const TOGGLES = new Set(["switch", "checkbox", "radio"]);
// The most rules of style sheets that are read.
const RULES = 4000;
let drawnToggles = new Map();
let ruledClasses = new Map();
const foreignSheets = new WeakSet();

function forgetToggles() {
  drawnToggles = new Map();
  ruledClasses = new Map();
}

// The switch, box or circle that an element is or contains: its role, the element that draws it, and its knob's place.
function toggleOf(el) {
  if (!drawnToggles.has(el)) drawnToggles.set(el, findToggle(el));
  return drawnToggles.get(el);
}

function findToggle(el) {
  const own = toggleAt(el) || boxAt(el);
  const box = shadowOf(el) || el;
  if (own || box.childElementCount === 0) return own;
  const parts = box.querySelectorAll("*");
  if (parts.length > PARTS || box.querySelector("input,select,textarea,button,a[href],[role]")) return null;
  const inside = (at) => [...parts].map(at).filter((one) => one && !hearsClick(one.at));
  const toggles = inside(toggleAt);
  const found = toggles.length ? toggles : inside(boxInside);
  return found.length === 1 || (found.length && found.every((one) => found[0].at.contains(one.at))) ? found[0] : null;
}

// An empty dark square in a thing to click may be the colour that a legend explains.
function boxInside(el) {
  const box = boxAt(el);
  return box && (el.firstChild || !/black|grey/.test(colourOf(styleOf(el).backgroundColor))) ? box : null;
}

function hearsClick(el) {
  return el.hasAttribute("onclick") || /click|down/.test(listenerKinds.get(el) || "");
}

function toggleAt(el) {
  const rect = el.getBoundingClientRect();
  if (rect.width < 8 || rect.width > 90 || rect.height < 8 || rect.height > 48 || (/\p{L}{2}/u.test(el.textContent) && !isIcon(el))) return null;
  const shape = rect.width / rect.height;
  const icon = iconState(el);
  if (/^o/.test(icon)) return { role: "switch", at: el, knob: null };
  if (icon && isBoxIcon(el)) return { role: el.textContent.includes("radio") ? "radio" : "checkbox", at: el };
  if (shape > 1.25 && shape < 3.4) return trackAt(el, rect);
  if (shape < 0.75 || shape > 1.35 || rect.width > 34) return null;
  const role = classSays(el, SQUARES) ? "checkbox" : classSays(el, CIRCLES) ? "radio" : "";
  return role ? { role, at: el } : null;
}

// A small square with a frame and nothing or a tick in it, alone beside words: a box to tick, whatever its class says. So is
// a circle with a tick, and an empty one of the same kind.
function boxAt(el) {
  const text = el.textContent.trim();
  if (roleOf(el) === "button" || (text && !(text.length < 3 && MARKS.test(text)))) return null;
  const { width, height } = el.getBoundingClientRect();
  if (width < 10 || width > 28 || Math.abs(width - height) > 2) return null;
  const style = styleOf(el);
  const framed = ["Top", "Right", "Bottom", "Left"].every((side) => parseFloat(style[`border${side}Width`]) >= 1);
  if (!framed || (style.backgroundImage !== "none" && !classSays(el, MIXED_WORDS)) || style.maskImage !== "none") return null;
  const round = parseFloat(style.borderTopLeftRadius) > width * 0.35;
  if (round && !text && !twinsOf(el).some((one) => MARKS.test(one.textContent))) return null;
  if (el.firstElementChild && !hasEmptyTwin(el) && !/checked$/.test(classState(el)?.[0])) return null;
  return likeBeside(el).length < 2 && besideText(el) ? { role: "checkbox", at: el } : null;
}

// Whether another of its kind has nothing in it: then what is in this one is its tick.
function hasEmptyTwin(el) {
  return twinsOf(el).some((one) => !one.firstChild);
}

// The first elements of the page with its tag and first class.
function twinsOf(el) {
  const first = firstClass(el);
  return first ? [...document.getElementsByClassName(first)].slice(0, 60).filter((one) => one.tagName === el.tagName) : [];
}

function trackAt(el, rect) {
  const said = saysSliding(el) || /^(on|off|checked|unchecked)$/.test(dataState(el)?.[0]);
  const knob = knobAcross(el, rect);
  const round = parseFloat(styleOf(el).borderTopLeftRadius) >= rect.height / 2 - 2;
  if (knob !== null && (said || round)) return { role: "switch", at: el, knob };
  const plain = said && rect.width >= 20 && !el.querySelector("svg,img,i");
  return plain ? { role: "switch", at: el, knob: null } : null;
}

// Whether the classes or the tag call it a switch: "toggle-switch", "p-inputswitch", "ion-toggle".
function saysSliding(el) {
  if (classSays(el, SLIDING_WORDS) || el.localName.split("-").slice(1).some((word) => SLIDING_WORDS.has(word))) return true;
  for (const part of classesOf(el).parts) if (part.endsWith("switch")) return true;
  return false;
}

// Where the middle of the knob is, from 0 (left) to 1 (right).
function knobAcross(el, rect) {
  const boxes = [...(shadowOf(el) || el).querySelectorAll("*")].slice(0, 6).filter((one) => !one.textContent.trim() || one.childElementCount === 0)
    .map((one) => one.getBoundingClientRect());
  const found = [...boxes.map((box) => [box.left - rect.left, box.width, box.height]), pseudoBox(el, "::before"), pseudoBox(el, "::after")]
    .filter((box) => box && isKnob(box, rect));
  if (el.firstElementChild && !found.length) {
    const inner = el.firstElementChild;
    const track = inner.getBoundingClientRect();
    for (const which of ["::before", "::after"]) {
      const box = pseudoBox(inner, which);
      if (box && isKnob(box, rect)) found.push([box[0] + track.left - rect.left, box[1], box[2]]);
    }
  }
  if (!found.length) return null;
  const [left, width] = found[0];
  return (left + width / 2) / rect.width;
}

function isKnob([left, width, height], rect) {
  const square = width / height > 0.7 && width / height < 1.45;
  return square && height >= rect.height * 0.35 && height <= rect.height * 1.5 && width <= rect.width * 0.66 && left > -rect.width * 0.3 && left + width < rect.width * 1.3;
}

// The place and size of what the style sheet draws into an element; nothing where the layout places it.
function pseudoBox(el, which) {
  const style = styleOf(el, which);
  if (!style.content || style.content === "none" || style.content === "normal") return null;
  const [left, width, height] = [style.left, style.width, style.height].map(parseFloat);
  if (style.position !== "absolute" || Number.isNaN(left + width + height)) return null;
  const moved = /^matrix\((?:[^,]+,){4}([^,]+),/.exec(style.transform);
  const slid = /^(-?[\d.]+)px/.exec(style.translate);
  return [left + (parseFloat(style.marginLeft) || 0) + (moved ? Number(moved[1]) : 0) + (slid ? Number(slid[1]) : 0), width, height];
}

// Whether a drawn switch, box or circle is on; nothing where nothing tells.
function toggleState({ role, at, knob }, el) {
  const said = saidState(at) || (at === el ? null : saidState(el)) || saidState(at.parentElement, el) || doneState(at);
  if (said) return said[1];
  if (role === "switch" && knob !== null && Math.abs(knob - 0.5) > 0.08) {
    return knob > 0.5 === (styleOf(at).direction !== "rtl");
  }
  if (role !== "switch") {
    const mark = markIn(at);
    if (mark !== null) return mark;
  }
  return peersSay(at) || sheetSays(at) ? false : null;
}

// Whether a box has its mark: a tick, a dot, or a drawing within its border.
function markIn(at) {
  const style = styleOf(at);
  const framed = parseFloat(style.borderTopWidth) > 0 || parseColour(style.backgroundColor)[3] > 0.2;
  const ticked = ["::before", "::after"].some((which) => {
    const { content, visibility, opacity, display, width, height, transform } = styleOf(at, which);
    if (!content || content === "none" || content === "normal" || visibility !== "visible" || opacity < 0.1 || display === "none") return false;
    if (transform.startsWith("matrix(0, 0, 0, 0")) return false;
    return MARKS.test(content) || (parseFloat(width) > 2 && parseFloat(height) > 2);
  });
  if (ticked || MARKS.test(at.textContent)) return true;
  const inner = [...at.querySelectorAll("*")].filter((one) => one.checkVisibility(SEEN) && one.getBoundingClientRect().width > 3);
  if (inner.length) return framed ? true : null;
  if (!PALE.has(colourOf(style.backgroundColor))) return null;
  return framed && !at.textContent.trim() ? false : null;
}

// Whether another of its kind on the page says by its class that it is on: then this one would say so too.
function peersSay(at) {
  const first = firstClass(at);
  if (!first || first in ON_WORDS) return false;
  return [...document.getElementsByClassName(first)].slice(0, 60).some((one) => one !== at && one.tagName === at.tagName && classState(one)?.[1]);
}

// Whether a style sheet has a rule for it with a class that says "on": then it would have that class if it were.
function sheetSays(at) {
  const first = firstClass(at);
  if (!first || first in ON_WORDS || first in OFF_WORDS) return false;
  if (!ruledClasses.has(first)) ruledClasses.set(first, ruleFor(first));
  return ruledClasses.get(first);
}

function ruleFor(name) {
  let left = RULES;
  for (const sheet of document.styleSheets) {
    for (const rule of rulesOf(sheet)) {
      if (--left < 0) return false;
      const text = rule.selectorText || "";
      if (!text.includes(`.${name}`)) continue;
      for (const [, word] of text.matchAll(/\.([\w-]+)/g)) {
        const state = parseClass(word).state || (word.startsWith(`${name}-`) ? word.split(/[-_]+/).at(-1) : "");
        if (word !== name && ON_WORDS[state] && (text.includes(`.${name}.${word}`) || word.startsWith(name))) return true;
      }
    }
  }
  return false;
}

// The rules of a style sheet; those of another origin cannot be read.
function rulesOf(sheet) {
  if (foreignSheets.has(sheet)) return [];
  try {
    return sheet.cssRules;
  } catch {
    foreignSheets.add(sheet);
    return [];
  }
}
