// What a look keeps: controls with a handle, boxes that group them, headings, pictures and plain text.
// `d` is the index of the node that holds it, -1 for none; `x` marks a node that was merged into another, `q` one whose
// name is only a guess.

const INNER =
  'a[href],button,input,select,textarea,summary,iframe,[role],[tabindex],[onclick],[contenteditable=""],[contenteditable="true"],[draggable="true"]';
const BOXES = new Set(
  `alert alertdialog article banner complementary contentinfo dialog feed figure form grid group list listbox listitem
  log main menu menubar navigation radiogroup region row search status table tablist tabpanel toolbar tree
  treegrid`.split(/\s+/),
);
const LEAVES = new Set(
  "button link option tab menuitem menuitemcheckbox menuitemradio checkbox radio slider switch treeitem".split(" "),
);
const ASIDE = new Set(["BUTTON", "SELECT", "OPTION", "SCRIPT", "STYLE"]);
const LONG = 300;
const NAME = 120;

// Boxes that scroll: what is in them is no name of theirs, however they change.
const reels = new WeakSet();
let handles = new WeakMap();
const records = new Map();
let lastHandle = 0;

// A handle stands for one element with one role and name in one row. When any of them changes, so does the handle:
// a recycled row or a renamed button is another thing to whoever holds the old number.
function handleFor(look, el, role, name, target) {
  const near = rowKey(look, el);
  const known = records.get(handles.get(el));
  if (known && known.role === role && known.name === name && known.near === near) {
    known.target = target ? new WeakRef(target) : null;
    return handles.get(el);
  }
  const bare = decorated ? clipped(bareName(el), NAME) : name;
  records.set(++lastHandle, { el: new WeakRef(el), role, name, bare, near, target: target ? new WeakRef(target) : null });
  handles.set(el, lastHandle);
  return lastHandle;
}

function push(look, node) {
  look.nodes.push(node);
  return look.nodes.length - 1;
}

function round(rect) {
  return [Math.round(rect.left), Math.round(rect.top), Math.round(rect.width), Math.round(rect.height)];
}

function spokenRole(el, role) {
  if (role === "listitem" && drags(el)) return "draggable";
  if (role === "generic" || role === "none" || role === "group") {
    const tag = el.tagName;
    if (drawn(el)) return drags(el) ? "draggable" : "shape";
    if (tag === "CANVAS" || tag === "VIDEO" || tag === "AUDIO") return tag.toLowerCase();
    if (el.isContentEditable) return "textbox";
    if (thumb(el)) return "slider";
    return drags(el) || (el.draggable && tag !== "IMG") ? "draggable" : "clickable";
  }
  return role;
}

// The knob of a slider that says so only by its class.
function thumb(el) {
  return el.tabIndex >= 0 && /slider[\w-]*(handle|thumb)/i.test(el.getAttribute("class") || "");
}

function controlNode(look, el, role, rect, kind, ctx) {
  if (look.given.has(el)) return;
  if (kind === "scroll") return scrollNode(look, el, role, rect, ctx);
  const said = spokenRole(el, role);
  const at = push(look, control(look, el, said, rect, ctx, null));
  look.held.push({ at, el, rect });
  if (kind === "likely") look.nodes[at].w = 1;
  if (said === "textbox" || el.tagName === "SELECT" || el.tagName === "INPUT" || el.tagName === "CANVAS") return;
  if (!el.firstElementChild && !shadowOf(el)) return;
  const leaf = LEAVES.has(said) || said === "clickable" || said === "draggable";
  if (leaf && !shadowOf(el) && !el.querySelector(INNER)) return void listeners(look, el, at, ctx);
  descend(look, el, { ...ctx, parent: at, named: leaf }, !leaf);
  if (leaf) merge(look, at, el, rect);
  else unwrap(look, at);
}

// Icons that listen for themselves inside a row that does too: the star of a message, the cross of a card.
function listeners(look, el, at, ctx) {
  for (const child of el.querySelectorAll("*")) {
    if (!(heard.get(child) || "").includes("click")) continue;
    const rect = child.getBoundingClientRect();
    if (rect.width < 4 || rect.height < 4 || !child.checkVisibility()) continue;
    const inner = control(look, child, spokenRole(child, roleOf(child)), rect, { ...ctx, parent: at }, null);
    if (inner.n && inner.n !== look.nodes[at].n) look.held.push({ at: push(look, { ...inner, w: 1 }), el: child, rect });
  }
  unwrap(look, at);
}

function control(look, el, role, rect, ctx, target, given) {
  decorated = false;
  const name = given ?? clipped(labelFor(el, role), NAME);
  look.given.add(el);
  const node = { k: "c", h: handleFor(look, el, role, name, target), r: role, n: name, d: ctx.parent, b: round(rect), g: el.tagName.toLowerCase() };
  if (ctx.level) node.l = ctx.level;
  if (given === undefined && !nameOf(el)) node.q = 1;
  if (el.hasAttribute("aria-describedby") || el.hasAttribute("aria-description") || el.getAttribute("title")) {
    const about = clipped(describe(el), 120);
    if (about && about !== name) node.ds = about;
  }
  if (el.tagName === "TEXTAREA" && el.scrollHeight > el.clientHeight + 8) node.sc = reel(el);
  return Object.assign(node, factsOf(el, role));
}

function reel(el) {
  return [Math.round(el.scrollTop), el.clientHeight, el.scrollHeight];
}

// Of nested things to click, keep the one that a person would mean.
function merge(look, at, el, rect) {
  const outer = look.nodes[at];
  const inner = look.nodes.slice(at + 1).filter((node) => node.h && !node.x && (!node.w || node.r === "slider"));
  if (!inner.length) return void unwrap(look, at);
  const same = inner.length === 1 && (inner[0].n.trim() === outer.n.trim() || !inner[0].n);
  if (!outer.w) {
    if (!LEAVES.has(outer.r) && unwrap(look, at)) return;
    if (same && inner[0].r !== "textbox" && (inner[0].r !== "checkbox" || outer.r === "checkbox")) inner[0].x = 1;
    return;
  }
  const area = inner.reduce((sum, node) => sum + node.b[2] * node.b[3], 0);
  const told = inner.reduce((sum, node) => sum + node.n.length, 0);
  if (same || area > rect.width * rect.height * 0.5 || outer.n.length < told * 1.3) {
    outer.x = 1;
    if (!same) retell(look, el, at);
  }
}

// A row, cell, drawing or bar that says nothing but the names of its controls is only their wrapper. True when it was
// dropped.
function unwrap(look, at) {
  const outer = look.nodes[at];
  const inner = look.nodes.slice(at + 1).filter((node) => node.h && !node.x);
  if (outer.q && inner.length === 1 && inner[0].r === outer.r && WIDGETS.has(outer.r)) return Boolean((outer.x = 1));
  const rest = inner.reduce((said, node) => said.replace(node.n, ""), outer.n);
  if (!inner.length || !inner.every((node) => node.n) || rest.trim()) return false;
  const loose = outer.r === "clickable" || (outer.w && BOXES.has(outer.r));
  const real = inner.length > 1 ? loose : LEAVES.has(inner[0].r) || outer.r === "shape";
  if (real) outer.x = 1;
  return real;
}

// The text that a dropped wrapper had swallowed comes back as plain words.
function retell(look, el, at) {
  const names = look.nodes.slice(at + 1).map((node) => node.n || "");
  let rest = tidy(el.innerText || "");
  for (const name of names) if (name) rest = rest.replace(name, " ");
  textNode(look, rest, { parent: at, level: 0, block: el });
}

function scrollNode(look, el, role, rect, ctx) {
  const boxed = BOXES.has(role) ? role : "scrollable";
  const name = boxed === role ? nameOf(el) : el.getAttribute("aria-label") || el.getAttribute("title");
  reels.add(el);
  const node = control(look, el, boxed, rect, ctx, null, clipped(name, 60));
  node.sc = reel(el);
  node.k = "s";
  descend(look, el, { ...ctx, parent: push(look, node) }, true);
}

// Headings, labels of drawn-over controls, pictures and grouping boxes. True when it dealt with the element.
function special(look, el, tag, role, rect, ctx) {
  if (role === "heading") {
    const level = headingLevel(el);
    if (el.querySelector(INNER) || shadowOf(el)) descend(look, el, { ...ctx, level }, true);
    else if (nameOf(el)) push(look, { k: "h", n: clipped(nameOf(el), 160), l: level, d: ctx.parent });
    return true;
  }
  if (tag === "LABEL") return labelNode(look, el, rect, ctx);
  if (tag === "IMG") {
    if (role === "image" && rect.width > 24 && nameOf(el)) push(look, { k: "i", n: clipped(nameOf(el), 100), d: ctx.parent });
    return true;
  }
  if (tag === "svg") {
    if (rect.width > 64) drawingNode(look, el, rect, ctx);
    return true;
  }
  if (!BOXES.has(role)) return false;
  const name = role === "row" || role === "listitem" ? "" : clipped(nameOf(el), 80);
  const inner = { ...ctx, parent: push(look, { k: "b", r: role, n: name, d: ctx.parent }) };
  if (role === "listitem" || role === "row" || role === "article") lead(look, el, rect, inner);
  descend(look, el, inner, true);
  return true;
}

// A drawing tells its shapes where they are few; else only what in it is made to be touched.
function drawingNode(look, el, rect, ctx) {
  const shapes = rect.width >= 80 && rect.height >= 80 ? shapesOf(el) : [];
  if (!shapes.length) return void descend(look, el, { ...ctx, named: true, pointer: false }, false);
  for (const shape of shapes) controlNode(look, shape, roleOf(shape), shape.getBoundingClientRect(), "likely", ctx);
}

// A label whose control is drawn elsewhere or not at all stands in for it; other labels are told by their control, or
// for themselves where nobody sees that or more is in them.
function labelNode(look, el, rect, ctx) {
  const field = el.control;
  if (!field) return false;
  const box = field.getBoundingClientRect();
  const hidden = box.width <= TINY || box.height <= TINY || !field.checkVisibility(SEEN);
  const standing = field.type === "checkbox" || field.type === "radio" || field.type === "file";
  const wide = field.tagName !== "BUTTON" && el.querySelector("button,table,[role=grid]");
  if (hidden ? !standing : wide) return false;
  if (hidden && !look.given.has(field)) {
    const at = push(look, control(look, field, roleOf(field), rect, ctx, el));
    look.held.push({ at, el, rect });
  }
  descend(look, el, { ...ctx, named: true }, false);
  return true;
}

function frameNode(look, el, ctx) {
  const node = { k: "f", i: frameIndex(el), n: clipped(nameOf(el), 60), d: ctx.parent, b: frameBox(el), o: 1 };
  look.held.push({ at: push(look, node), el, rect: el.getBoundingClientRect() });
}

function textNode(look, data, ctx) {
  const text = data.replace(GLYPHS, "").replace(SPACE, " ");
  if (goesOn(look, ctx)) {
    const last = look.nodes[look.nodes.length - 1];
    if (last.n.length < LONG) last.n += (/[\p{L}\s]$/u.test(last.n) || /^[\s\p{P}\p{L}]/u.test(text) ? "" : " ") + text;
    return;
  }
  const said = tidy(text);
  const holder = look.nodes[ctx.parent];
  if (!said || (holder && holder.k === "c" && holder.n === said)) return;
  look.block = ctx.block;
  push(look, { k: "t", n: text.slice(0, LONG), d: ctx.parent, l: ctx.level });
}

// What tells a row from its like: its own attributes, its first words and its first link.
function rowKey(look, el) {
  for (let row = rowOf(el); row; row = rowOf(row)) {
    if (!look.keys.has(row)) look.keys.set(row, rowWords(row));
    if (look.keys.get(row)) return look.keys.get(row);
  }
  return "";
}

// Texts up to the first that has letters, those of buttons aside; true when it came.
function firstTexts(el, parts) {
  for (let child = el.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 1) {
      if (!ASIDE.has(child.tagName) && child.getAttribute("role") !== "button" && firstTexts(child, parts)) return true;
    } else if (child.nodeType === 3) {
      const text = child.data.trim();
      if (text) parts.push(text.slice(0, 60));
      if (/\p{L}/u.test(text)) return true;
    }
  }
  return false;
}

// The nearest thing around an element that has others like it beside it.
function rowOf(el) {
  let up = parentOf(el);
  for (let level = 0; up && level < 8; level++, up = parentOf(up)) {
    const tag = up.tagName;
    if (tag === "LI" || tag === "TR" || tag === "ARTICLE" || tag === "BODY") return tag === "BODY" ? null : up;
    const role = up.getAttribute("role");
    if (role === "row" || role === "listitem" || role === "article" || role === "treeitem") return up;
    if (itemised(up)) return up;
  }
  return null;
}

function rowWords(row) {
  const parts = [row.getAttribute("id"), row.getAttribute("data-id"), row.getAttribute("data-key"), row.getAttribute("aria-rowindex")];
  firstTexts(row, parts);
  const link = row.querySelector("a[href]");
  if (link) parts.push(link.getAttribute("href").slice(0, 120));
  return parts.filter(Boolean).join("|");
}
