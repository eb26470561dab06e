// Scans the page in one walk: keeps controls and the text around them, and only counts what is off the screen, so that
// a long page takes little longer than measuring its boxes.

const SKIP = new Set(
  "SCRIPT STYLE TEMPLATE NOSCRIPT HEAD META LINK BASE TITLE PARAM SOURCE TRACK BR WBR COL COLGROUP DATALIST".split(" "),
);
const NATIVE = new Set(["BUTTON", "INPUT", "SELECT", "TEXTAREA", "SUMMARY"]);
const WIDGETS = new Set(
  `button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider
  spinbutton switch tab textbox treeitem`.split(/\s+/),
);
const CLICK_NAMES = new Set(
  "onclick onmousedown ng-click v-on:click @click data-onclick data-action data-href data-toggle draggable".split(" "),
);
const CLICKED = [...CLICK_NAMES].map((name) => `[${CSS.escape(name)}]`).join();
let clickMarks = null;
const ACTING = /(^|\s)(btn|button|clickable)(\s|$|--|__)/i;

const COUNTED = "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=tab]";
const TELLING = /[\p{L}\p{N}\p{S}]/u;
// More nodes than any budget can show.
const PLENTY = 2000;
// How far below the screen a look reaches: what a person would scroll to next.
const MARGIN = 800;
const LEAD = 60;
const PLAIN = new Set(["generic", "none", "paragraph", "listitem", "cell", "strong", "emphasis", "mark"]);
const FEW = 60;
// A box that can be focused and holds more controls than this is a container: a tree, a table, a tool bar.
const CROWD = 5;

function forget() {
  if (hasDomChanged()) {
    forgetRoles();
    forgetPagers();
    forgetClickMarks();
    forgetRows();
    forgetMatches();
    forgetHints();
    forgetFarCounts();
    forgetDataStates();
  }
  forgetNames();
  forgetOwners();
  forgetCounters();
  forgetFocus();
  forgetBackgrounds();
  forgetToggles();
  forgetHoverRules();
}

function fresh(wide) {
  forget();
  return {
    wide, hovered: new Map(), gridRows: new Map(), nodes: [], above: 0, below: 0, covered: 0, odd: "", under: [], suspects: 0, headings: [], held: [], given: new Set(), raised: [],
    far: new Set(), hiddenLayers: [], folded: 0, cut: 0, skipped: false, width: window.innerWidth, height: window.innerHeight, floor: window.innerHeight + MARGIN,
  };
}

function startContext(look) {
  const clip = { left: 0, top: 0, right: look.width, bottom: look.floor };
  return { parent: -1, clip, free: clip, level: 0, named: false, pointer: false, block: null };
}

// What is on the screen and just below it; `whole` also tells what lies behind an open dialog.
function scan(whole) {
  const look = fresh(false);
  const start = document.body || document.documentElement;
  if (start) walk(look, start, startContext(look));
  if (look.far.size) scanPinned(look);
  addPager(look);
  dropCovered(look, whole);
  keepKnownHandles(look);
  putLayersFirst(look, whole);
  return look;
}

// All of one subtree, wherever it is.
function scanAll(root) {
  const look = fresh(true);
  walk(look, root, startContext(look));
  keepKnownHandles(look);
  keepLook(look, false);
  return look;
}

// Scans what is pinned to the screen inside boxes that are off the screen: it is looked for at the usual places.
function scanPinned(look) {
  const seen = new Set();
  for (const [across, down] of [[0.5, 0.5], [0.5, 0.95], [0.97, 0.95], [0.03, 0.95], [0.5, 0.04], [0.97, 0.5]]) {
    const hit = under(look.width * across, look.height * down);
    if (!hit || seen.has(hit)) continue;
    seen.add(hit);
    let top = hit;
    let up = hit;
    for (; up && !look.far.has(up); up = parentOf(up)) if (styleOf(up).position === "fixed") top = up;
    if (!up || (top !== hit && seen.has(top))) continue;
    seen.add(top);
    walk(look, top, startContext(look));
  }
}

// Drops what lies under something else, unless `whole` asks for it. Finding the element at a point is slow, so this is done
// only for elements with a raised box over them.
function dropCovered(look, whole) {
  for (const { at, el, rect } of look.held) {
    const x = rect.left + rect.width / 2;
    const y = rect.top + rect.height / 2;
    const over = look.raised.some(
      (box) => x >= box.rect.left && x <= box.rect.right && y >= box.rect.top && y <= box.rect.bottom && !holds(box.el, el) && !holds(el, box.el),
    );
    if (!over || reach(el) || isSeenThrough(el, x, y)) continue;
    const node = look.nodes[at];
    if (node.k === "f") node.o = 0;
    else {
      node.c = 1;
      countHidden(look, el, under(x, y));
      if (whole) continue;
      node.x = 1;
      look.covered++;
      if (node.h) look.under.push(node);
    }
  }
  passBackdrops(look);
}

// Whether a disabled control that lets clicks through has nothing over it.
function isSeenThrough(el, x, y) {
  const hit = hollow(el) && under(x, y);
  return Boolean(hit) && holds(hit, el);
}

// What an empty box over the page hides, such as the shade behind a dialog, is hidden by what lies on top of it.
function passBackdrops(look) {
  for (const shade of look.raised.filter(({ hides, from, to }) => hides && from === to)) {
    for (const layer of look.raised) if (layer.to > layer.from && !holds(layer.el, shade.el) && onTop(layer)) layer.hides += shade.hides;
  }
}

// The outermost raised box that lies over an element.
function countHidden(look, el, hit) {
  const layer = hit && look.raised.find((box) => (box.el === hit || holds(box.el, hit)) && !holds(box.el, el));
  if (layer) layer.hides++;
}

function walk(look, el, ctx) {
  const tag = el.tagName;
  if (SKIP.has(tag) || (look.wide && look.nodes.length >= PLENTY)) return;
  const rect = el.getBoundingClientRect();
  if (rect.width === 0 && rect.height === 0 && !el.checkVisibility()) {
    if (tag === "SLOT" || getComputedStyle(el).display === "contents") visitContents(look, el, tag, ctx);
  } else if (!look.wide && (outside(rect, ctx.clip) ? !escapes(el, rect, ctx) : ctx.beyond && isCutAround(el, ctx))) {
    // What has no height is no box around its parts, such as the place at the end of a page where lists open.
    if (rect.top >= look.floor && rect.width > 0 && rect.height > 0 && el.firstElementChild) return void countFarBelow(look, el);
    look.skipped = true;
    countOffScreen(look, el, tag, rect, ctx.inScrollBox);
    if (rect.width <= TINY && rect.height <= TINY && styleOf(el).overflowX !== "visible") return;
    const inner = ctx.beyond === "cut" ? ctx : { ...ctx, beyond: outside(rect, ctx.clip) ? "away" : "cut" };
    for (let child = firstElement(el); child; child = child.nextElementSibling) walkSafely(look, child, inner);
  } else {
    visit(look, el, tag, rect, ctx);
  }
}

// An element without a box of its own: a control or label is where the first part of it is drawn.
function visitContents(look, el, tag, ctx) {
  const part = tag === "LABEL" || NATIVE.has(tag) || WIDGETS.has(roleOf(el)) ? childElements(el).find((child) => child.checkVisibility(SEEN)) : null;
  if (!part || ctx.named) return void descend(look, el, ctx, !ctx.beyond);
  const rect = part.getBoundingClientRect();
  if (tag === "LABEL") return void (labelNode(look, el, rect, ctx) || descend(look, el, ctx, !ctx.beyond));
  const at = push(look, control(look, el, spokenRole(el, roleOf(el)), rect, ctx, part));
  look.held.push({ at, el: part, rect });
}

// Walks an element; if that fails, leaves it out and keeps the reason, so that the rest of the page is still read.
function walkSafely(look, el, ctx) {
  try {
    walk(look, el, ctx);
  } catch (error) {
    look.odd ||= String(error.stack || error).slice(0, 300);
  }
}

// An absolutely placed element is cut off only by the boxes around the one that it is placed by, and one that is placed on
// the screen by none.
function escapes(el, rect, ctx) {
  const { position } = styleOf(el);
  if (position === "fixed") return !outside(rect, { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight });
  return ctx.free !== ctx.clip && !outside(rect, ctx.free) && position === "absolute";
}

// Whether one of the boxes around an element that are out of sight cuts it off, though its own place is in sight.
function isCutAround(el, { beyond, clip }) {
  let { position } = styleOf(el);
  if (position === "fixed" || beyond === "cut") return position !== "fixed";
  for (let up = parentOf(el); up && position !== "fixed" && outside(up.getBoundingClientRect(), clip); up = parentOf(up)) {
    const style = traitsOf(up);
    if (position === "absolute" && !placesInside(style)) continue;
    if (!style.open && !cutsAtScreen(up)) return true;
    position = style.position;
  }
  return false;
}

function outside(rect, clip) {
  return rect.bottom <= clip.top || rect.top >= clip.bottom || rect.right <= clip.left || rect.left >= clip.right;
}

function firstElement(el) {
  const root = shadowOf(el);
  return root ? root.firstElementChild : el.firstElementChild;
}

// The properties of a style that are used more than once: each read of a computed style takes time.
function traitsOf(el) {
  const style = styleOf(el);
  const { display, position, cursor, overflow } = style;
  return { whole: style, display, position, pointer: cursor === "pointer" || cursor === "grab", open: overflow === "visible" };
}

function visit(look, el, tag, rect, ctx) {
  const style = traitsOf(el);
  const tiny = rect.width <= TINY || rect.height <= TINY;
  if (unseen(el, tag, style, tiny)) return void behindDrawn(look, el, tag, tiny, ctx);
  const shown = style.whole.visibility === "visible";
  if (tag === "IFRAME" || tag === "FRAME") return void (shown && frameNode(look, el, ctx));
  const layer = shown && !look.wide && raised(style) ? { el, rect, sticky: style.position === "sticky", from: look.nodes.length, to: 0, hides: 0 } : null;
  if (layer) look.raised.push(layer);
  visitShown(look, el, tag, rect, ctx, { style, tiny, shown });
  if (layer) layer.to = look.nodes.length;
}

function visitShown(look, el, tag, rect, ctx, { style, tiny, shown }) {
  const role = roleOf(el);
  const kind = shown && !tiny ? kindOf(el, tag, role, style, ctx, rect) || searchedKind(look, el, role, ctx) : "";
  const inline = style.display === "inline" || style.display === "contents";
  const clip = clipTo(el, style, rect, ctx, look);
  const inner = {
    parent: ctx.parent, clip, free: clip === ctx.free || placesInside(style) ? clip : ctx.free, level: ctx.level,
    named: ctx.named, pointer: style.pointer, inRow: Boolean(kind) && ROWED.has(role), block: inline ? ctx.block : el, inScrollBox: ctx.inScrollBox, message: ctx.message,
  };
  if (tag === "CAPTION" || tag === "LEGEND") inner.named = true;
  if (mayHideShadowRoot(el, tag, rect)) look.suspects++;
  if (kind) controlNode(look, el, role, rect, kind, inner);
  else if (shown && (ctx.named ? tag === "LABEL" && labelNode(look, el, rect, inner) : special(look, el, tag, role, rect, inner))) return;
  else {
    const row = inline ? null : isRepeated(el) ? { k: "item" } : isPaired(el) ? { k: "item", pair: 1 } : null;
    if (row) tellHover(look, el, ctx);
    const item = row ? push(look, { ...row, d: ctx.parent }) : -1;
    if (item >= 0) {
      inner.parent = item;
      tellRowStart(look, el, rect, inner);
    }
    const before = look.nodes.length;
    descend(look, el, inner, shown);
    if (row && shown) hoverRow(look, el, rect, inner, before);
    const silent = look.nodes.length === before && !ctx.named && rect.width > 24 && rect.height > 24;
    if (silent && shown && showsOnHover(el) && !look.hovered.get(rowOf(el)?.parentElement)) controlNode(look, el, "hover area", rect, "likely", inner);
  }
}

// Adds the text of a row that is above the edge of its box, so that the controls below the edge have their row's name.
function tellRowStart(look, el, rect, ctx) {
  const edge = ctx.clip.top;
  if (look.wide || rect.top >= edge) return;
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let said = "";
  while (said.length < LEAD && texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.trim() || SKIP.has(parentElement.tagName) || !parentElement.checkVisibility(SEEN) || isInvisibleText(parentElement)) continue;
    const box = parentElement.getBoundingClientRect();
    if (box.bottom > edge || box.width === 0) break;
    said += ` ${data.trim()}`;
  }
  if (said) push(look, { k: "t", r: "hint", n: `…${said.slice(0, LEAD)}`, d: ctx.parent, l: ctx.level });
}

// Whether an empty box holds hidden controls that appear when the mouse is over it.
function showsOnHover(el) {
  for (let child = el.firstElementChild; child; child = child.nextElementSibling) {
    if (child.checkVisibility(SEEN)) continue;
    const inner = child.querySelector(INNER) || child.firstElementChild || child;
    if (inner.tagName === "IFRAME") continue;
    if (inner.matches(INNER) || getComputedStyle(inner).cursor === "pointer") return true;
  }
  return false;
}

function raised(style) {
  const position = style.position;
  if (position === "static") return false;
  return position !== "relative" || style.whole.zIndex !== "auto";
}

// Whether absolutely placed elements in it are placed by its box.
function placesInside(style) {
  return style.position !== "static" || style.whole.transform !== "none";
}

function clipTo(el, style, rect, ctx, look) {
  if (style.position === "fixed") return { left: 0, top: 0, right: look.width, bottom: look.height };
  const clip = style.position === "absolute" ? ctx.free : ctx.clip;
  if (style.open || cutsAtScreen(el)) return clip;
  return {
    left: Math.max(clip.left, rect.left), top: Math.max(clip.top, rect.top),
    right: Math.min(clip.right, rect.right), bottom: Math.min(clip.bottom, rect.bottom),
  };
}

// What the outermost element hides is hidden at the edge of the screen; its own box may have no height.
function cutsAtScreen(el) {
  const root = document.documentElement;
  return el === root || (el === document.body && styleOf(root).overflow === "visible");
}

// "sure" for what is a control by tag or role, "likely" for what only behaves like one, "scroll" for a box that
// scrolls, "" for the rest.
function kindOf(el, tag, role, style, ctx, rect) {
  if (role === "button" && el.tabIndex < 0 && isStepper(el)) return "";
  if (NATIVE.has(tag)) return tag === "SUMMARY" && role === "generic" ? "" : "sure";
  if (WIDGETS.has(role) || (tag === "A" && el.hasAttribute("href"))) return "sure";
  if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) return "sure";
  if (role === "gridcell" ? el.hasAttribute("role") : role === "columnheader" && el.hasAttribute("aria-sort")) return "likely";
  if (tag === "CANVAS" || tag === "VIDEO" || tag === "AUDIO") return "likely";
  if (scrolls(el, style) && tag !== "BODY" && tag !== "HTML") return "scroll";
  if (tag === "BODY" || tag === "HTML" || tag === "LABEL" || tag === "OPTION") return "";
  const tab = el.hasAttribute("tabindex") && el.tabIndex >= 0 && el.querySelectorAll(INNER).length <= CROWD;
  if (tab && (role === "generic" || role === "listitem" || role === "none" || role === "group" || role === "image")) return "likely";
  if (isClickMarked(el) && el.getAttributeNames().some((name) => CLICK_NAMES.has(name) && !/^(false|collapse)$/.test(el.getAttribute(name)))) return "likely";
  if (ctx.named) return isCellOfListener(el) ? "likely" : "";
  // A link that leads nowhere is there for a script; one with a name of its own is only a place to jump to.
  if (tag === "A" && el.className && !el.name && el.textContent.trim()) return "likely";
  if (listens(el, rect) || isCellOfListener(el) || opensRow(el, role)) return "likely";
  if (style.pointer && !ctx.pointer) return ctx.inRow && (role === "cell" || role === "gridcell") ? "" : "likely";
  const look = el.getAttribute("class");
  return look && role === "generic" && (ACTING.test(look) || opens(el)) && !el.querySelector(INNER) ? "likely" : "";
}

// Whether an attribute says that it can be clicked: looked up once for all elements outside shadow roots.
function isClickMarked(el) {
  if (sawUnwatched) return el.matches(CLICKED);
  clickMarks ||= new Set(document.querySelectorAll(CLICKED));
  return clickMarks.has(el);
}

function forgetClickMarks() {
  clickMarks = null;
}

// Whether the classes call it the part of a drop-down list that opens the list.
function opens(el) {
  const { parts } = classesOf(el);
  const list = parts.has("dropdown") || parts.has("select") || parts.has("combobox") || parts.has("picker");
  return list && ["trigger", "toggle", "control", "value", "current"].some((part) => parts.has(part)) && Boolean(el.textContent.trim());
}

// A short text that was searched for gets a number even if nothing shows that it can be clicked.
function searchedKind(look, el, role, ctx) {
  const plain = look.searched && !ctx.named && PLAIN.has(role) && look.searched.has(el);
  return plain && el.textContent.trim().length <= FEW ? "likely" : "";
}

// Whether a button is one of the nameless arrows beside a number field.
function isStepper(el) {
  return Boolean(el.parentElement.querySelector("[role=spinbutton],input[type=number]")) && !nameOf(el).trim();
}

function scrolls(el, style) {
  if (style.open) return false;
  const free = (value) => value === "auto" || value === "scroll";
  if (free(style.whole.overflowY) && el.clientHeight > 30 && el.scrollHeight > el.clientHeight + 8) return true;
  return free(style.whole.overflowX) && el.clientWidth > 30 && el.scrollWidth > el.clientWidth + 8;
}

function descend(look, el, ctx, shown) {
  if (el.tagName === "DETAILS" && !el.open) {
    const summary = el.querySelector(":scope > summary");
    if (summary) walk(look, summary, ctx);
    return;
  }
  const holder = shown && !ctx.named ? { el, invisible: undefined } : null;
  if (arePlaced(el)) inPlaceOrder(el).forEach((child) => step(look, child, ctx, holder));
  else eachChild(el, (child) => step(look, child, ctx, holder));
}

// Whether a page places the children of an element itself, as grids and long lists do with the rows that they draw.
function arePlaced(el) {
  if (el.childElementCount < 3 || el.tagName === "SLOT" || shadowOf(el)) return false;
  const { firstElementChild: one, lastElementChild: other } = el;
  return one.tagName === other.tagName && [one, other].every((child) => styleOf(child).position === "absolute");
}

// The children from top to bottom, whatever order they were drawn in.
function inPlaceOrder(el) {
  const texts = [...el.childNodes].filter((child) => child.nodeType === 3);
  const placed = childElements(el).map((child) => [child, child.getBoundingClientRect()]);
  placed.sort(([, one], [, other]) => one.top - other.top || one.left - other.left);
  return [...texts, ...placed.map(([child]) => child)];
}

// Walks a child element, or keeps a child text if it can be seen.
function step(look, child, ctx, holder) {
  const type = child.nodeType;
  if (type === 1) {
    if (child.tagName !== "BR") walkSafely(look, child, ctx);
    else if (continuesText(look, ctx)) look.nodes.at(-1).n += " ";
  } else if (holder && type === 3 && (continuesText(look, ctx) || TELLING.test(child.data))) {
    holder.invisible ??= isInvisibleText(holder.el) || isIcon(holder.el);
    if (holder.invisible) return;
    const glued = look.lastTextHolder !== holder.el && ENDS_IN_WORD.test(look.nodes.at(-1)?.n) && STARTS_WITH_WORD.test(child.data);
    textNode(look, glued && continuesText(look, ctx) && standApart(look.lastTextHolder, holder.el) ? ` ${child.data}` : child.data, ctx);
    look.lastTextHolder = holder.el;
  }
}

// Whether a text continues the last node, so that also blanks and full stops are kept.
function continuesText(look, ctx) {
  const last = look.nodes[look.nodes.length - 1];
  return Boolean(last) && last.k === "t" && look.block === ctx.block && last.d === ctx.parent;
}

// Whether an element is one of several alike beside it: a row of something.
function isRepeated(el) {
  if (!el.firstElementChild || el.tagName === "TD" || el.tagName === "TH") return false;
  let alike = 0;
  let next = el;
  let last = el;
  for (let step = 0; step < 3 && alike < 2; step++) {
    next = next && next.nextElementSibling;
    last = last && last.previousElementSibling;
    if (next && isAlike(next, el)) alike++;
    if (last && isAlike(last, el)) alike++;
  }
  return alike > 1;
}

// Whether an element is one of two alike, with words and something to act on: told as a row, though it may be no more
// than a column of the page.
function isPaired(el) {
  const [next, last] = [el.nextElementSibling, el.previousElementSibling];
  if (!firstClass(el) || !((next && isAlike(next, el)) || (last && isAlike(last, el)))) return false;
  return el.querySelector(INNER) !== null && hasLetters(el);
}

// Whether two elements have the same tag and the same first class that is no state; further classes may differ.
function isAlike(one, other) {
  return one.tagName === other.tagName && firstClass(one) === firstClass(other);
}

function firstClass(el) {
  const look = el.getAttribute("class") || "";
  const gap = look.indexOf(" ");
  const first = gap < 0 ? look : look.slice(0, gap);
  return first in ON_WORDS || first in OFF_WORDS ? look.split(" ").find((word) => !(word in ON_WORDS || word in OFF_WORDS)) || "" : first;
}
