// What a look keeps: controls with a handle, boxes that group them, headings, pictures and plain text.
// `d` is the index of the node that holds it, -1 for none; `x` marks a node that was merged into another, `q` one whose
// name is only a guess.

const INNER =
  'a[href],button,input,select,textarea,summary,iframe,[role],[tabindex],[onclick],[contenteditable=""],[contenteditable="true"],[draggable="true"]';
const TOUCHED = `${INNER},${CLICKED}`;
const BOXES = new Set(
  `alert alertdialog article banner complementary contentinfo dialog feed figure form grid group list listbox listitem
  log main menu menubar navigation radiogroup region row search status table tablist tabpanel toolbar tree
  treegrid`.split(/\s+/),
);
const LEAVES = new Set(
  "button link option tab menuitem menuitemcheckbox menuitemradio checkbox radio slider switch treeitem".split(" "),
);
// What stands in a drawn list beside the fields that it draws over, such as a cross that empties it.
const BESIDE = "button,a[href],[role=button],[role=option],[role=listbox],[onclick],[tabindex]:not(input,select,textarea)";
const TYPED_INTO = new Set(["textbox", "searchbox", "spinbutton"]);
const LONG = 300;
// What classes call the arrow that unfolds a branch, and its greatest width.
const FOLDER = ":is([class*=switcher],[class*=expand],[class*=toggle],[class*=arrow],[class*=caret],[class*=chevron],[class*=twist])";
const ARROW = 40;
const MESSAGES = new Set(["alert", "toast", "snackbar", "flash", "messagelist", "notice", "notification"]);
const NAME = 120;

// Boxes that scroll: their content is never their name.
const scrollBoxes = new WeakSet();

function push(look, node) {
  look.nodes.push(node);
  return look.nodes.length - 1;
}

function round(rect) {
  return [Math.round(rect.left), Math.round(rect.top), Math.round(rect.width), Math.round(rect.height)];
}

function spokenRole(el, role) {
  if (role === "listitem" && isDraggable(el)) return "draggable";
  if (role === "generic" || role === "none" || role === "group") {
    const tag = el.tagName;
    if (isShape(el)) return isDraggable(el) ? "draggable" : "shape";
    if (tag === "CANVAS" || tag === "VIDEO" || tag === "AUDIO") return tag.toLowerCase();
    if (el.isContentEditable) return "textbox";
    if (isSliderKnob(el)) return "slider";
    const toggle = spokenToggle(el);
    if (toggle) return toggle.role;
    return isDraggable(el) || (el.draggable && tag !== "IMG") ? "draggable" : "clickable";
  }
  return role === "button" && spokenToggle(el) ? toggleOf(el).role : role;
}

// The knob of a slider that says so only by its class.
function isSliderKnob(el) {
  return el.tabIndex >= 0 && /slider[\w-]{0,40}(handle|thumb)/i.test(el.getAttribute("class") || "");
}

function controlNode(look, el, role, rect, kind, ctx) {
  if (look.given.has(el)) return;
  if (kind === "scroll") return scrollNode(look, el, role, rect, ctx);
  if (kind === "likely" && role === "generic" && fieldDrawnBy(el)) return drawnFieldNode(look, el, rect, ctx);
  const said = spokenRole(el, role);
  const at = push(look, control(look, el, said, rect, ctx, null));
  look.held.push({ at, el, rect });
  if (kind === "likely") look.nodes[at].w = 1;
  if (said === "textbox" || el.tagName === "SELECT" || el.tagName === "INPUT" || el.tagName === "CANVAS") return;
  if (!el.firstElementChild && !shadowOf(el)) return;
  if (said === "combobox" && !editableIn(el) && !el.querySelector(BESIDE)) return void giveInside(look, el);
  if (said === "treeitem") tellFold(look, el, at, ctx);
  const leaf = LEAVES.has(said) || said === "clickable" || said === "draggable";
  if (leaf && !shadowOf(el) && !el.querySelector(INNER)) return void listeners(look, el, at, ctx);
  descend(look, el, { ...ctx, parent: at, named: leaf }, !leaf);
  if (leaf) merge(look, at, el, rect);
  else if (!unwrap(look, at)) dropEcho(look, at);
}

// The only field in a box that draws it: a list to choose from whose own field cannot be seen until it is open.
function fieldDrawnBy(el) {
  const fields = [...el.querySelectorAll(INNER)].filter((one) => !one.matches("[role=img],[role=presentation]"));
  return fields.length === 1 && fields[0].matches("input[role=combobox]") && !fields[0].checkVisibility(SEEN) ? fields[0] : null;
}

function drawnFieldNode(look, el, rect, ctx) {
  look.given.add(el);
  look.held.push({ at: push(look, control(look, fieldDrawnBy(el), "combobox", rect, ctx, el)), el, rect });
  look.block = null;
  textNode(look, shown(el), ctx);
}

// The arrow of a branch of a tree: a click on the branch itself may choose or tick it.
function tellFold(look, el, at, ctx) {
  const arrow = el.hasAttribute("aria-expanded") && [...(shadowOf(el) || el).querySelectorAll(FOLDER)].find((one) => (one.closest("[role=treeitem]") || el) === el && !one.matches(CONTROLS) && !one.querySelector(CONTROLS));
  const rect = arrow ? arrow.getBoundingClientRect() : null;
  if (!rect || !rect.width || rect.width > ARROW || SPEAKING.test(shown(arrow)) || !arrow.checkVisibility(SEEN)) return;
  // The branch tells whether it is unfolded; an arrow may be drawn turned.
  const node = { ...control(look, arrow, "clickable", rect, { ...ctx, parent: at }, null), w: 1, s: undefined };
  look.held.push({ at: push(look, node), el: arrow, rect });
}

// Whether text can be typed into a field in a drawn list.
function editableIn(el) {
  return [...el.querySelectorAll("input,textarea")].some((field) => !field.readOnly && TEXTS.has(field.type) && field.checkVisibility(SEEN));
}

// The fields in a drawn list are shown as part of the list.
function giveInside(look, el) {
  for (const field of el.querySelectorAll("input,select,textarea")) look.given.add(field);
}

// Cells that only repeat the name of their row are left out. Without one of its own, a row is called by all of its text. In
// the head of a column and in a cell, what only repeats its name is left out.
function dropEcho(look, at) {
  const { n: name, r: role, h } = look.nodes[at];
  const inner = look.nodes.slice(at + 1);
  if (role === "columnheader" || role === "gridcell") for (const node of inner) if (node.w && node.n === name) node.x = 1;
  if (role !== "row" && role !== "listitem" && role !== "article") return;
  const echoes = inner.filter((node) => node.x || (node.k === "t" && name.includes(tidy(node.n))));
  const whole = !authorName(elementOf(h));
  if (whole || echoes.length === inner.length) for (const node of echoes) node.x = 1;
}

// Icons with listeners of their own inside a row that has some too: the star of a message, the cross of a card.
function listeners(look, el, at, ctx) {
  const pointed = pointedIn(el);
  for (const child of el.querySelectorAll("*")) {
    if (!(listenerKinds.get(child) || "").includes("click") && !pointed.includes(child) && !isCellOfListener(child)) continue;
    const rect = child.getBoundingClientRect();
    if (rect.width < 4 || rect.height < 4 || !child.checkVisibility() || isFace(child, rect, el)) continue;
    const inner = control(look, child, spokenRole(child, roleOf(child)), rect, { ...ctx, parent: at }, null);
    if (inner.n && inner.n !== look.nodes[at].n) look.held.push({ at: push(look, { ...inner, w: 1 }), el: child, rect });
  }
  unwrap(look, at);
}

// Whether a part without text lies in the middle of a control: a click on the control reaches it anyhow.
function isFace(part, rect, el) {
  const { left, top, width, height } = el.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  return x >= rect.left && x <= rect.right && y >= rect.top && y <= rect.bottom && !LETTERED.test(shown(part));
}

// The parts of a box that change the mouse pointer, where there are several and the box itself does not.
function pointedIn(el) {
  if (NATIVE.has(el.tagName) || hearsClick(el) || styleOf(el).cursor === "pointer") return [];
  const found = [...el.querySelectorAll("*")].slice(0, 40).filter((one) => styleOf(one).cursor === "pointer" && styleOf(one.parentElement).cursor !== "pointer");
  return found.length > 1 ? found : [];
}

function control(look, el, role, rect, ctx, target, given) {
  decorated = borrowed = false;
  const name = given ?? clipped(labelFor(el, role), NAME);
  const fromRow = borrowed;
  look.given.add(el);
  const node = { k: "c", h: handleFor(look, el, role, name, target), r: role, n: name, d: ctx.parent, b: round(rect), g: el.tagName.toLowerCase() };
  if (ctx.level) node.l = ctx.level;
  if (turnsPage(el)) node.pg = 1;
  if (given === undefined && !nameOf(el)) node.q = 1;
  if (fromRow) node.bn = 1;
  if (el.hasAttribute("aria-describedby") || el.hasAttribute("aria-description") || el.getAttribute("title")) {
    const about = clipped(describe(el), 120);
    if (about && about !== name) node.ds = about;
  }
  if (el.tagName === "TEXTAREA" && el.scrollHeight > el.clientHeight + 8) node.sc = scrollPosition(el);
  return Object.assign(node, factsOf(el, role));
}

function scrollPosition(el) {
  return [Math.round(el.scrollTop), el.clientHeight, el.scrollHeight];
}

// Of nested things to click, keeps the one that a person would click.
function merge(look, at, el, rect) {
  const outer = look.nodes[at];
  const inner = look.nodes.slice(at + 1).filter((node) => node.h && !node.x && (!node.w || node.r === "slider"));
  if (!inner.length) return void unwrap(look, at);
  if (outer.q && inner.length === 1 && inner[0].r === "slider" && !LETTERED.test(shown(el))) return void (outer.x = 1);
  const same = inner.length === 1 && (inner[0].n.trim() === outer.n.trim() || (!inner[0].n && !(inner[0].r === "textbox" && LETTERED.test(outer.n))));
  if (!outer.w) {
    if (!LEAVES.has(outer.r) && unwrap(look, at)) return;
    if (same && inner[0].r !== "textbox" && (inner[0].r !== "checkbox" || outer.r === "checkbox")) inner[0].x = 1;
    return;
  }
  if (outer.r === "draggable" && !same) return;
  const area = inner.reduce((sum, node) => sum + node.b[2] * node.b[3], 0);
  const named = inner.reduce((sum, node) => sum + node.n.length, 0);
  if (same || area > rect.width * rect.height * 0.5 || outer.n.length < named * 1.3) {
    outer.x = 1;
    if (!same) retell(look, el, at);
  }
}

// A row, cell, drawing or bar that says nothing but the names of its controls is only their wrapper. True when it was
// dropped.
function unwrap(look, at) {
  const outer = look.nodes[at];
  const inner = look.nodes.slice(at + 1).filter((node) => node.h && !node.x);
  const bare = outer.q && inner.length === 1 && (WIDGETS.has(outer.r) ? inner[0].r === outer.r : !LETTERED.test(shown(elementOf(outer.h))));
  if (bare) return Boolean((outer.x = 1));
  if (outer.r === "gridcell" && !outer.n && inner.length) return Boolean((outer.x = 1));
  const rest = inner.reduce((said, node) => (node.bn && ROWED.has(outer.r) ? said : said.replace(node.n, "")), outer.n);
  if (!inner.length || !inner.every((node) => node.n) || rest.trim()) return false;
  const loose = outer.r === "clickable" || (outer.w && BOXES.has(outer.r));
  const real = inner.length > 1 ? loose : LEAVES.has(inner[0].r) || outer.r === "shape";
  if (real) outer.x = 1;
  return real;
}

// Tells the text of a dropped wrapper that its controls do not contain.
function retell(look, el, at) {
  const names = look.nodes.slice(at + 1).map((node) => node.n || "");
  let rest = tidy(el.innerText || "");
  for (const name of names) if (name) rest = rest.replace(name, " ");
  textNode(look, rest, { parent: at, level: 0, block: el });
}

function scrollNode(look, el, role, rect, ctx) {
  const boxed = BOXES.has(role) ? role : "scrollable";
  const name = boxed === role ? nameOf(el) : el.getAttribute("aria-label") || el.getAttribute("title");
  scrollBoxes.add(el);
  const node = control(look, el, boxed, rect, ctx, null, clipped(name, 60));
  node.sc = scrollPosition(el);
  Object.assign(node, countOutOfSight(el), countSideways(el));
  node.k = "s";
  descend(look, el, { ...ctx, parent: push(look, node), inScrollBox: true }, true);
}

// Headings, labels of drawn-over controls, pictures and grouping boxes. True when it dealt with the element.
function special(look, el, tag, role, rect, ctx) {
  if (role === "heading") {
    const level = headingLevel(el);
    if (shadowOf(el) || (el.firstElementChild && isTouchable(el))) descend(look, el, { ...ctx, level }, true);
    else if (nameOf(el)) push(look, { k: "h", n: clipped(nameOf(el), 160), l: level, d: ctx.parent });
    return true;
  }
  if (tag === "LABEL") return labelNode(look, el, rect, ctx);
  if (tag === "IMG") {
    if (role === "image" && (rect.width > 24 || isAllOfCell(el)) && nameOf(el)) push(look, { k: "i", n: clipped(nameOf(el), 100), d: ctx.parent });
    return true;
  }
  if (tag === "svg") {
    if (rect.width > 64) drawingNode(look, el, rect, ctx);
    return true;
  }
  if ((role === "generic" || role === "list") && !ctx.message && isMessage(el)) {
    const inner = { ...ctx, message: true, parent: push(look, { k: "b", r: "status", n: "", d: ctx.parent }) };
    descend(look, el, inner, true);
    return true;
  }
  if (!BOXES.has(role)) return false;
  const row = role === "listitem" || role === "row" || role === "article";
  if (row) tellHover(look, el, ctx);
  const name = role === "row" || role === "listitem" ? "" : clipped(nameOf(el), 80);
  const inner = { ...ctx, parent: otherPartOfRow(look, el, role) ?? push(look, { k: "b", r: role, n: name, d: ctx.parent }) };
  if (row) tellRowStart(look, el, rect, inner);
  const before = look.nodes.length;
  descend(look, el, inner, true);
  if (row) hoverRow(look, el, rect, inner, before);
  return true;
}

// The node of the row that an element continues: grids with pinned columns draw the parts of a row apart, each with the
// number of the row.
function otherPartOfRow(look, el, role) {
  const number = role === "row" && el.getAttribute("aria-rowindex");
  const grid = number && el.closest("[role=grid],[role=treegrid],[role=table]");
  if (!grid) return undefined;
  if (!look.gridRows.has(grid)) look.gridRows.set(grid, new Map());
  const rows = look.gridRows.get(grid);
  if (!rows.has(number)) rows.set(number, look.nodes.length);
  return rows.get(number) < look.nodes.length ? rows.get(number) : undefined;
}

// Whether a small picture is all that a cell shows, such as a tick.
function isAllOfCell(el) {
  const cell = el.closest("td,[role=cell],[role=gridcell]");
  return Boolean(cell) && !SPEAKING.test(cell.textContent);
}

// Whether the class calls it a message of the page, and it is no longer than one.
function isMessage(el) {
  return classSays(el, MESSAGES) && el.textContent.length < LONG && LETTERED.test(el.textContent) && el.querySelectorAll(INNER).length < 3;
}

// Lists the shapes of a drawing if they are few, else only those that can be clicked.
function drawingNode(look, el, rect, ctx) {
  const shapes = rect.width >= 80 && rect.height >= 80 ? shapesOf(el) : [];
  if (!shapes.length) return void (isTouchable(el) && descend(look, el, { ...ctx, named: true, pointer: false }, false));
  for (const shape of shapes) controlNode(look, shape, roleOf(shape), shape.getBoundingClientRect(), "likely", ctx);
}

// Whether anything in a drawing or a heading may be a control.
function isTouchable(el) {
  if (el.querySelector(TOUCHED)) return true;
  const { cursor } = styleOf(el);
  for (const part of el.querySelectorAll("*"))
    if (listenerKinds.has(part) || styleOf(part).cursor !== cursor) return true;
  return false;
}

// A label whose control is drawn elsewhere or not at all is shown in its place. Other labels are shown with their
// control, or by themselves where the control cannot be seen or the label contains more.
function labelNode(look, el, rect, ctx) {
  const field = el.control;
  if (!field) return false;
  const box = field.getBoundingClientRect();
  const cut = field.tagName === "BUTTON" && isCutAway(styleOf(field), styleOf(field).position, false);
  const hidden = cut || box.width <= TINY || box.height <= TINY || !field.checkVisibility(SEEN);
  const standing = field.type === "checkbox" || field.type === "radio" || field.type === "file" || TOGGLES.has(roleOf(field));
  const wide = field.tagName !== "BUTTON" && el.querySelector("button,table,[role=grid]");
  if (hidden ? !standing : wide) return false;
  if (hidden && !look.given.has(field)) {
    const at = push(look, control(look, field, roleOf(field), rect, ctx, el));
    look.held.push({ at, el, rect });
    // What draws the field elsewhere is the same control.
    const drawn = el.contains(field) ? [] : childElements(field.parentElement).filter((one) => one !== el && toggleOf(one));
    for (const one of drawn) look.given.add(one).add(field.parentElement);
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
  if (continuesText(look, ctx)) {
    const last = look.nodes[look.nodes.length - 1];
    if (last.n.length < LONG) last.n += (/[\p{L}\s]$/u.test(last.n) || /^[\s\p{P}\p{L}]/u.test(text) ? "" : " ") + text;
    return;
  }
  const said = tidy(text);
  const holder = look.nodes[ctx.parent];
  const last = look.nodes.at(-1);
  if (last && last.q && last.n === said && TYPED_INTO.has(last.r)) return;
  if (!said || (holder && !holder.x && holder.k === "c" && holder.n === said)) return;
  look.block = ctx.block;
  push(look, { k: "t", n: text.slice(0, LONG), d: ctx.parent, l: ctx.level });
}
