// One look: a single walk over the document that keeps what a person could act on and the words that explain it.
// What is off screen is only counted, so that a long page costs little more than measuring its boxes.

const SKIP = new Set(
  "SCRIPT STYLE TEMPLATE NOSCRIPT HEAD META LINK BASE TITLE PARAM SOURCE TRACK BR WBR COL COLGROUP DATALIST".split(" "),
);
const NATIVE = new Set(["BUTTON", "INPUT", "SELECT", "TEXTAREA", "SUMMARY"]);
const WIDGETS = new Set(
  `button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider
  spinbutton switch tab textbox treeitem`.split(/\s+/),
);
const CLICKED = new Set(
  "onclick onmousedown ng-click v-on:click @click data-onclick data-action data-href data-toggle draggable".split(" "),
);
const ACTING = /(^|\s)(btn|button|clickable)(\s|$|--|__)/i;

const COUNTED = "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=tab]";
const TELLING = /[\p{L}\p{N}\p{S}]/u;
const HEADINGS = 8;
// More nodes than any budget can show.
const PLENTY = 2000;
// How far below the screen a look reaches: what a person would scroll to next.
const MARGIN = 800;
const LEAD = 60;
const PLAIN = new Set(["generic", "none", "paragraph", "listitem", "cell", "strong", "emphasis", "mark"]);
const FEW = 60;

function forget() {
  forgetRoles();
  forgetNames();
  forgetOwners();
  forgetCounters();
  forgetFocus();
  forgetGrounds();
}

function fresh(wide) {
  forget();
  return {
    wide, nodes: [], above: 0, below: 0, covered: 0, odd: "", under: [], suspects: 0, headings: [], keys: new Map(), held: [], given: new Set(), raised: [],
    far: new Set(), width: window.innerWidth, height: window.innerHeight, floor: window.innerHeight + MARGIN,
  };
}

function outset(look) {
  const clip = { left: 0, top: 0, right: look.width, bottom: look.floor };
  return { parent: -1, clip, level: 0, named: false, pointer: false, block: null };
}

// What is on the screen and just below it.
function scan() {
  const look = fresh(false);
  const start = document.body || document.documentElement;
  if (start) walk(look, start, outset(look));
  if (look.far.size) resurface(look);
  uncover(look);
  return look;
}

// All of one subtree, wherever it is.
function scanAll(root) {
  const look = fresh(true);
  walk(look, root, outset(look));
  return look;
}

// A far-off box may still hold something that is pinned to the screen: ask at the places where such things stand.
function resurface(look) {
  const seen = new Set();
  for (const [across, down] of [[0.5, 0.5], [0.5, 0.95], [0.97, 0.95], [0.03, 0.95], [0.5, 0.04], [0.97, 0.5]]) {
    const hit = under(look.width * across, look.height * down);
    if (!hit || seen.has(hit)) continue;
    seen.add(hit);
    let top = hit;
    let up = hit;
    for (; up && !look.far.has(up); up = parentOf(up)) if (getComputedStyle(up).position === "fixed") top = up;
    if (!up || (top !== hit && seen.has(top))) continue;
    seen.add(top);
    walk(look, top, outset(look));
  }
}

// Drops what lies under something else. Asking the browser what is at a point is dear, so only those are asked about
// that have a raised box over them.
function uncover(look) {
  for (const { at, el, rect } of look.held) {
    const x = rect.left + rect.width / 2;
    const y = rect.top + rect.height / 2;
    const over = look.raised.some(
      (box) => x >= box.rect.left && x <= box.rect.right && y >= box.rect.top && y <= box.rect.bottom && !holds(box.el, el) && !holds(el, box.el),
    );
    if (!over || reach(el, rect)) continue;
    const node = look.nodes[at];
    if (node.k === "f") node.o = 0;
    else {
      node.x = 1;
      look.covered++;
      if (node.h) look.under.push(node);
    }
  }
}

function walk(look, el, ctx) {
  const tag = el.tagName;
  if (SKIP.has(tag) || (look.wide && look.nodes.length >= PLENTY)) return;
  const rect = el.getBoundingClientRect();
  if (rect.width === 0 && rect.height === 0 && !el.checkVisibility()) {
    if (tag === "SLOT" || getComputedStyle(el).display === "contents") descend(look, el, ctx, true);
  } else if (!look.wide && outside(rect, ctx.clip)) {
    if (rect.top >= look.floor && rect.width > 0 && el.firstElementChild) return void tallyFar(look, el);
    tally(look, el, tag, rect);
    if (rect.width <= TINY && rect.height <= TINY && styleOf(el).overflowX !== "visible") return;
    for (let child = firstElement(el); child; child = child.nextElementSibling) attempt(look, child, ctx);
  } else {
    visit(look, el, tag, rect, ctx);
  }
}

// What cannot be read is left out, and why is kept; the rest of the page is there all the same.
function attempt(look, el, ctx) {
  try {
    walk(look, el, ctx);
  } catch (error) {
    look.odd ||= String(error.stack || error).slice(0, 300);
  }
}

function outside(rect, clip) {
  return rect.bottom <= clip.top || rect.top >= clip.bottom || rect.right <= clip.left || rect.left >= clip.right;
}

function firstElement(el) {
  const root = shadowOf(el);
  return root ? root.firstElementChild : el.firstElementChild;
}

// Off screen: counted, and the first headings named.
function tally(look, el, tag, rect) {
  const given = el.getAttribute("role");
  const acts = given ? WIDGETS.has(given) : tag === "A" ? el.hasAttribute("href") : NATIVE.has(tag) && el.type !== "hidden";
  if (acts && rect.width > 0) {
    if (rect.top >= look.floor) look.below++;
    else if (rect.bottom <= 0) look.above++;
  } else if (tag.length === 2 && tag[0] === "H" && tag !== "HR" && look.headings.length < HEADINGS && rect.top >= look.floor) {
    const text = clipped(el.textContent, 50);
    if (text) look.headings.push(text);
  }
}

function tallyFar(look, el) {
  look.far.add(el);
  look.below += el.querySelectorAll(COUNTED).length;
  if (look.headings.length >= HEADINGS) return;
  for (const heading of el.querySelectorAll("h1,h2,h3,h4")) {
    const text = clipped(heading.textContent, 50);
    if (text && look.headings.push(text) >= HEADINGS) return;
  }
}

// What is asked of a style more than once: each question goes through the whole of it.
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
  if (shown && !look.wide && raised(style)) look.raised.push({ el, rect });
  const role = roleOf(el);
  const kind = shown && !tiny ? kindOf(el, tag, role, style, ctx, rect) || soughtKind(look, el, role, ctx) : "";
  const inline = style.display === "inline" || style.display === "contents";
  const inner = {
    parent: ctx.parent, clip: clipTo(style, rect, ctx.clip, look), level: ctx.level, named: ctx.named,
    pointer: style.pointer, block: inline ? ctx.block : el,
  };
  if (tag === "CAPTION" || tag === "LEGEND") inner.named = true;
  if (sealed(el, tag, rect)) look.suspects++;
  if (kind) controlNode(look, el, role, rect, kind, inner);
  else if (shown && (ctx.named ? tag === "LABEL" && labelNode(look, el, rect, inner) : special(look, el, tag, role, rect, inner))) return;
  else {
    const item = !inline && itemised(el) ? push(look, { k: "item", d: ctx.parent }) : -1;
    if (item >= 0) {
      inner.parent = item;
      lead(look, el, rect, inner);
    }
    const before = look.nodes.length;
    descend(look, el, inner, shown);
    const silent = look.nodes.length === before && !ctx.named && rect.width > 24 && rect.height > 24;
    if (silent && shown && hides(el)) controlNode(look, el, "hover area", rect, "likely", inner);
  }
}

// What a row says above the edge that cuts it: whose the buttons below are.
function lead(look, el, rect, ctx) {
  const edge = ctx.clip.top;
  if (look.wide || rect.top >= edge) return;
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let said = "";
  while (said.length < LEAD && texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (!data.trim() || SKIP.has(parentElement.tagName) || !parentElement.checkVisibility(SEEN) || washed(parentElement)) continue;
    const box = parentElement.getBoundingClientRect();
    if (box.bottom > edge || box.width === 0) break;
    said += ` ${data.trim()}`;
  }
  if (said) push(look, { k: "t", n: `…${said.slice(0, LEAD)}`, d: ctx.parent, l: ctx.level });
}

// A box that shows nothing, with something to click in it that comes out when it is pointed at.
function hides(el) {
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

function clipTo(style, rect, clip, look) {
  if (style.position === "fixed") return { left: 0, top: 0, right: look.width, bottom: look.height };
  if (style.open) return clip;
  return {
    left: Math.max(clip.left, rect.left), top: Math.max(clip.top, rect.top),
    right: Math.min(clip.right, rect.right), bottom: Math.min(clip.bottom, rect.bottom),
  };
}

// "sure" for what is a control by tag or role, "likely" for what only behaves like one, "scroll" for a box that
// scrolls, "" for the rest.
function kindOf(el, tag, role, style, ctx, rect) {
  if (role === "button" && el.tabIndex < 0 && stepper(el)) return "";
  if (NATIVE.has(tag)) return tag === "SUMMARY" && role === "generic" ? "" : "sure";
  if (WIDGETS.has(role) || (tag === "A" && el.hasAttribute("href"))) return "sure";
  if (el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable)) return "sure";
  if (role === "gridcell" ? el.hasAttribute("role") : role === "columnheader" && el.hasAttribute("aria-sort")) return "likely";
  if (tag === "CANVAS" || tag === "VIDEO" || tag === "AUDIO") return "likely";
  if (scrolls(el, style) && tag !== "BODY" && tag !== "HTML") return "scroll";
  if (tag === "BODY" || tag === "HTML" || tag === "LABEL" || tag === "OPTION") return "";
  const tab = el.hasAttribute("tabindex") && el.tabIndex >= 0;
  if (tab && (role === "generic" || role === "none" || role === "group" || role === "image")) return "likely";
  if (el.getAttributeNames().some((name) => CLICKED.has(name) && !/^(false|collapse)$/.test(el.getAttribute(name)))) return "likely";
  if (ctx.named) return "";
  // A link that leads nowhere is there for a script; one with a name of its own is only a place to jump to.
  if (tag === "A" && el.className && !el.name && el.textContent.trim()) return "likely";
  if (listens(el, rect) || called(el)) return "likely";
  if (style.pointer && !ctx.pointer) return "likely";
  const look = el.getAttribute("class");
  return look && role === "generic" && ACTING.test(look) && !el.querySelector(INNER) ? "likely" : "";
}

// What somebody looked for gets a number even where nothing tells that it can be touched, if it is but a few words.
function soughtKind(look, el, role, ctx) {
  const plain = look.sought && !ctx.named && PLAIN.has(role) && look.sought.has(el);
  return plain && el.textContent.trim().length <= FEW ? "likely" : "";
}

// The arrows beside a number that can be typed: nameless, and left out of the keyboard's way.
function stepper(el) {
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
  const told = shown && !ctx.named ? { el, washed: undefined } : null;
  eachChild(el, (child) => step(look, child, ctx, told));
}

// A child: walked, or its words kept unless nobody can see them.
function step(look, child, ctx, told) {
  if (child.nodeType === 1) attempt(look, child, ctx);
  else if (told && child.nodeType === 3 && (goesOn(look, ctx) || TELLING.test(child.data))) {
    told.washed ??= washed(told.el);
    if (!told.washed) textNode(look, child.data, ctx);
  }
}

// Whether the last thing told is text that this continues: then blanks and full stops belong to it too.
function goesOn(look, ctx) {
  const last = look.nodes[look.nodes.length - 1];
  return Boolean(last) && last.k === "t" && look.block === ctx.block && last.d === ctx.parent;
}

// Whether an element is one of several alike beside it: a row of something.
function itemised(el) {
  if (!el.firstElementChild || el.tagName === "TD" || el.tagName === "TH") return false;
  let alike = 0;
  let next = el;
  let last = el;
  for (let step = 0; step < 3 && alike < 2; step++) {
    next = next && next.nextElementSibling;
    last = last && last.previousElementSibling;
    if (next && kin(next, el)) alike++;
    if (last && kin(last, el)) alike++;
  }
  return alike > 1;
}

// Of one tag and one class: further classes say what sets one apart.
function kin(one, other) {
  return one.tagName === other.tagName && firstClass(one) === firstClass(other);
}

function firstClass(el) {
  const look = el.getAttribute("class") || "";
  const gap = look.indexOf(" ");
  return gap < 0 ? look : look.slice(0, gap);
}
