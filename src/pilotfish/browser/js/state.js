// The state of elements without ARIA that are no native controls, read from data attributes, classes, the knob, icons and
// the difference to their siblings. "" if none of these shows it.

const DATA = ["checked", "selected", "active", "on", "pressed", "expanded"];
const DATA_STATES = ["state", "status", ...DATA].map((name) => `[data-${name}]`).join();
// What data attributes say, while the document stays as it is.
let dataStates = new Map();
const NAMED_STATES = { active: "selected", on: "on" };
const ICONS = {
  toggle_on: "on", toggle_off: "off", check_box: "checked", check_box_outline_blank: "unchecked",
  radio_button_checked: "checked", radio_button_unchecked: "unchecked",
};
const PICTURES = "img[src],use[href]";
const DRAWINGS = "svg,img,i";
const TOGGLE_ICON = "[class*=toggle],:is(img,use):is([src*=toggle],[href*=toggle],[src*=checkbox],[href*=checkbox])";
// State words that say the same of whatever has them; the others may be facts about a thing: an active user.
const FIRM_STATES = new Set("chosen checked deselected picked pressed selected ticked toggled unchecked unselected".split(" "));
// State words that are also kinds of buttons, and where they are states.
const STYLE_WORDS = new Set(["enabled", "filled"]);
const MARK_WORDS = new Set("bookmark fav favorite favourite heart icon like love pin save star rate rating thumb wish".split(" "));
const STARS = new Set(["star", "rating", "rate"]);
// What stands for the slides of a carousel.
const DOTS = new Set(["dot", "bullet", "indicator"]);
const SHUT_ARROW = /^[▸▶►▷❯›⏵]$/u;
const OPEN_ARROW = /^[▾▼⌄⏷▿]$/u;
// The small triangles before the words of something that folds; larger ones may also mean to play or to go on.
const SHUT_SIGN = /^[▸▹]/u;
const FOLD_SIGN = /^[▸▹▾▿]\s*(?=[\p{L}\p{N}])/u;
const SURFACES = new Set(
  "backdrop body content dialog drawer modal overlay page popover popup screen section sheet view window wizard".split(" "),
);
// What opens a list below it, whose arrow points down all the time.
const LISTS_BELOW = new Set(["dropdown", "menu", "select", "split"]);
const RANGE = /(?:^|[\s_-])(?:range[_-]?(?:start|end|from|to|middle|between)|(?:in|start|end)[_-]?range)(?=$|[\s_-])/i;
const CALENDAR = "table,[role=grid],[class*=calendar],[class*=picker],[class*=month]";
const FOLD_HEADS = new Set(["head", "header", "question", "summary", "title", "toggle", "trigger"]);
const FOLD_BODIES = new Set(["answer", "body", "content", "details", "panel", "wrapper"]);
const HALF = new Set(["half"]);
const FULL_STARS = new Set(["full", "half"]);
const SLIDES = new Set(["carousel", "pane", "panel", "slide", "swiper"]);
const ENTRIES = new Set(["entry", "item", "link", "option", "tab"]);
const MIXED_WORDS = new Set(["indeterminate", "mixed"]);
const DONE_WORDS = new Set(["complete", "completed", "done"]);
const UNDONE_WORDS = new Set(["incomplete", "undone"]);
const STATEFUL_ROLES = new Set(
  `clickable button link listitem draggable switch checkbox radio tab option menuitem treeitem image gridcell row shape
  columnheader cell`.split(/\s+/),
);
const ARIA_STATES = "[aria-checked],[aria-selected],[aria-pressed],[aria-expanded],[aria-current]";

function forgetDataStates() {
  dataStates = new Map();
}

// One word for the state of a control that does not say it by ARIA; "" where it is not known.
function drawnState(el, role) {
  if (!STATEFUL_ROLES.has(role) || el.matches(ARIA_STATES) || el.tagName === "OPTION") return "";
  const toggle = spokenToggle(el);
  if (toggle && TOGGLES.has(role)) {
    if (classSays(toggle.at, MIXED_WORDS)) return "mixed";
    const on = toggleState(toggle, el);
    return on === null ? iconState(el) : role === "switch" ? (on ? "on" : "off") : on ? "checked" : "unchecked";
  }
  const said = ownState(el, role) || saidAround(el) || saidInside(el) || (TOGGLES.has(role) && doneState(el));
  if (said) return (said[0] === "selected" && foldState(el)) || spokenState(el, role, said);
  if (role === "link") return standsOut(el) ? "current" : "";
  return iconState(el) || foldState(el) || arrowState(el, role) || starState(el) || (standsOut(el) ? "selected" : "");
}

// The drawn toggle that makes a thing to click a switch, box or circle.
function spokenToggle(el) {
  const role = roleOf(el);
  const open = role === "generic" || role === "none" || role === "group" || (role === "button" && (!LETTERED.test(el.textContent) || isBoxIcon(el)));
  return open && !el.isContentEditable ? toggleOf(el) : null;
}

// Whether an element shows nothing but the icon of a box to tick.
function isBoxIcon(el) {
  return el.textContent.trim() in ICONS && /checked$/.test(iconState(el));
}

function spokenState(el, role, [word, on]) {
  if (TOGGLES.has(role)) return role === "switch" ? (on ? "on" : "off") : on ? "checked" : "unchecked";
  if (word === "unselected") return "";
  return role === "link" && word === "selected" ? "current" : word;
}

// What a control says of its own state. "filled" and "enabled" may only say how a button is drawn.
function ownState(el, role) {
  const said = saidState(el);
  return said && STYLE_WORDS.has(said[2]) && !TOGGLES.has(role) && !classSays(el, MARK_WORDS) ? null : said;
}

// What attributes and classes of an element say of its state, as [word, whether it is on].
function saidState(el, about = el) {
  if (!el || el === document.body) return null;
  const data = dataState(el);
  if (data) return data;
  const said = classState(el) || rangeState(el);
  if (!said || containsWord(about, said[2]) || (said[0] === "selected" && allSaySame(el))) return null;
  return said;
}

// A day at the ends of a span of days that is chosen, or within it.
function rangeState(el) {
  return RANGE.test(el.getAttribute("class") || "") && el.closest(CALENDAR) ? ["selected", true, "range"] : null;
}

// Whether the classes of a box to tick call the task done: the last words of them, one of both kinds only.
function doneState(el) {
  const words = (el.getAttribute("class") || "").toLowerCase().split(/\s+/).map((token) => token.split(/[-_]+/));
  const [done, undone] = [DONE_WORDS, UNDONE_WORDS].map((kind) => words.some((parts) => kind.has(parts.at(-1)) && !CHANGING_WORDS.has(parts.at(-2))));
  return done === undone ? null : ["checked", done];
}

function dataState(el) {
  let said = dataStates.get(el);
  if (said === undefined) dataStates.set(el, (said = el.matches(DATA_STATES) ? readDataState(el) : null));
  return said;
}

function readDataState(el) {
  const state = el.getAttribute("data-state") || el.getAttribute("data-status") || "";
  if (state in ON_WORDS && !UNSURE_STATES.has(state)) return [ON_WORDS[state] || "selected", true];
  if (state in OFF_WORDS && !UNSURE_STATES.has(state)) return [OFF_WORDS[state], false];
  if (state === "on" || state === "off") return [state, state === "on"];
  for (const name of DATA) {
    const value = el.getAttribute(`data-${name}`);
    if (value === "" || value === "true") return [NAMED_STATES[name] || name, true];
    if (value === "false") return [name === "expanded" ? "collapsed" : name === "checked" ? "unchecked" : name === "on" ? "off" : "unselected", false];
  }
  return null;
}

// Whether the text of an element contains the word of its class: then the class describes the text, not a state.
function containsWord(el, word) {
  const text = el.textContent;
  return text.length < 200 && new RegExp(`\\b${word}\\b`, "i").test(text);
}

// Whether all like siblings have the same state: then it distinguishes none.
function allSaySame(el) {
  const group = el.parentElement;
  const like = group ? childElements(group).slice(0, 40).filter((one) => one !== el && isAlike(one, el)) : [];
  return like.length > 1 && like.every((one) => classState(one)?.[0] === "selected");
}

// The state that the parent has, for the only control in it.
function saidAround(el) {
  const up = el.parentElement;
  const said = saidState(up, el);
  return said && !isSurface(up) && isOnlyControl(el) && concernsParts(up, said[2]) && !isSignIn(el, up) ? said : null;
}

// Whether an element shows no words and its box does, as the cross in a row that is chosen. A star may be what is meant.
function isSignIn(el, box) {
  return !SPEAKING.test(el.textContent) && SPEAKING.test(box.textContent) && !classSays(el, MARK_WORDS);
}

// Whether the state word of a box is about the control in it: the item of a menu that is active, not a user who is.
function concernsParts(box, word) {
  if (!word) return true;
  const kind = [KINDS, GROUP_WORDS, ENTRIES, FOLDING].some((kinds) => classSays(box, kinds));
  if (kind) return true;
  const chosen = box.tagName === "LI" || likeBeside(box).length > 1;
  return chosen && (FIRM_STATES.has(word) || !classWords(box, ""));
}

// Whether an element is a part of the page that shows and hides as a whole: that it is open or active says nothing of
// what stands on it.
function isSurface(el) {
  return classSays(el, SLIDES) || (classSays(el, SURFACES) && !classSays(el, ENTRIES));
}

// Whether the element is the only thing to act on in its parent.
function isOnlyControl(el) {
  const up = el.parentElement;
  if (!up || up === document.body || up.childElementCount > 4) return false;
  return [...up.querySelectorAll(INNER)].every((one) => one === el || el.contains(one) || !one.checkVisibility());
}

// The state of the only child.
function saidInside(el) {
  const inner = el.firstElementChild;
  return inner && el.childElementCount === 1 && !inner.matches(DRAWINGS) ? saidState(inner, el) : null;
}

// An icon whose name is a state: "fa-toggle-on", or the letters of an icon font.
function iconState(el) {
  if (!/_|toggle/.test(el.textContent) && !el.matches(TOGGLE_ICON) && !(el.firstElementChild && el.querySelector(TOGGLE_ICON))) return "";
  for (const icon of [el, ...[...el.querySelectorAll("i,span,svg,mat-icon,img,use")].slice(0, 6)]) {
    const drawn = ICONS[icon.textContent.trim()];
    if (drawn && isIcon(icon)) return drawn;
    const pictured = icon.matches(PICTURES) ? parseClass(pictureWord(icon)).state : "";
    if (/^(on|off|checked|unchecked)$/.test(pictured)) return pictured;
    const { parts, states } = classesOf(icon);
    if (parts.has("toggle") && (states.includes("on") || states.includes("off"))) return states.includes("on") ? "on" : "off";
  }
  return "";
}

// What the file of a picture, or the part of one that is drawn, is called.
function pictureWord(icon) {
  const address = icon.getAttribute("href") || icon.getAttribute("src");
  return address.startsWith("data:") ? "" : address.split(/[/#]/).at(-1).split(/[.?]/)[0];
}

// The head of something that folds: its body is there or is not.
function foldState(el) {
  const up = el.parentElement;
  const body = el.nextElementSibling;
  if (!up || !body || el.previousElementSibling || body.nextElementSibling || isAlike(body, el)) return "";
  const named = classSays(el, FOLD_HEADS) && classSays(body, FOLD_BODIES) && likeBeside(up).length > 1;
  if (!named && !classSays(el, FOLDING) && !classSays(up, FOLDING)) return "";
  if (!body.checkVisibility(SEEN)) return "collapsed";
  const [head, rect] = [el.getBoundingClientRect(), body.getBoundingClientRect()];
  // What stands beside the head is its label, not its body.
  return rect.height <= 2 ? "collapsed" : rect.top >= head.bottom - head.height / 4 ? "expanded" : "";
}

// Of stars in a row the first ones are filled or have another colour.
function starState(el) {
  const stars = starsBeside(el).sort((a, b) => a.getBoundingClientRect().left - b.getBoundingClientRect().left);
  if (stars.length < 3) return "";
  const empty = stars.some((one) => one.textContent.includes("☆"));
  const said = stars.map((one) => classState(one)?.[1] === true || classSays(one, FULL_STARS) || (empty && /[★⭐]/u.test(one.textContent)));
  if (said.some(Boolean)) return !said[stars.indexOf(el)] ? "" : classSays(el, HALF) ? "half" : "on";
  const inks = stars.map((one) => inkOf(one));
  const first = inks.findIndex((ink) => ink !== inks[0]);
  if (first < 1 || !inks.slice(first).every((ink) => ink === inks[first])) return "";
  return stars.indexOf(el) < first ? "on" : "";
}

// The stars of a rating: by their class or sign, or what is alike in a box that is called so.
function starsBeside(el) {
  const group = el.parentElement;
  const around = group && classSays(group, STARS);
  const star = (one) => one.tagName === el.tagName && (STAR.test(one.textContent.trim()) || ((around || classSays(one, STARS)) && !SPEAKING.test(one.textContent)));
  return group && star(el) ? childElements(group).slice(0, 40).filter(star) : [];
}

// An arrow alone that points at what is folded away or lies open below it. Beside words it may only say that a list
// opens, so it counts where the class says so, or where others alike point the other way.
function arrowState(el, role) {
  const text = el.textContent.trim();
  const sign = foldSign(el, role, text);
  if (sign) return SHUT_SIGN.test(sign) ? "collapsed" : "expanded";
  if (el.childElementCount > 2) return "";
  const open = OPEN_ARROW.test(text);
  if (!open && !SHUT_ARROW.test(text)) return "";
  const first = firstClass(el);
  const like = first ? document.getElementsByClassName(first) : el.closest("table,ul,ol,[role]")?.getElementsByTagName(el.tagName) || [];
  const other = open ? SHUT_ARROW : OPEN_ARROW;
  const folds = [el, el.parentElement].some((one) => one && classSays(one, FOLDING) && !classSays(one, LISTS_BELOW));
  return folds || [...like].slice(0, 60).some((one) => other.test(one.textContent.trim())) ? (open ? "expanded" : "collapsed") : "";
}

// The triangle before the words of a thing to click that folds; "" where there is none.
function foldSign(el, role, name) {
  if ((role !== "clickable" && role !== "button") || el.tagName === "SUMMARY") return "";
  const [sign] = FOLD_SIGN.exec(name) || [""];
  return sign && !turnsPage(el) && !NEXT_WORDS.has(name.slice(sign.length).toLowerCase()) ? sign : "";
}

function inkOf(el) {
  const drawing = el.querySelector("svg :is(path,polygon,use)") || el.querySelector("svg") || el;
  const icon = el.querySelector("svg,i,use,img");
  const picture = icon && (icon.getAttribute("class") || icon.getAttribute("href") || icon.getAttribute("src"));
  return `${styleOf(el).color} ${drawing === el ? "" : styleOf(drawing).fill} ${picture || ""}`;
}

// The elements beside it of its kind, and itself. Where all have the same classes but for one, that one is of their kind too:
// its own classes are its state.
function likeBeside(el) {
  const group = el.parentElement;
  if (!group) return [];
  const beside = childElements(group).slice(0, 40).filter((one) => one.tagName === el.tagName);
  const classes = tallied(beside.map((one) => one.getAttribute("class") || ""));
  const oneOdd = beside.length > 2 && classes.size === 2 && Math.min(...classes.values()) === 1;
  return oneOdd ? beside : beside.filter((one) => isAlike(one, el));
}
