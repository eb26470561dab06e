// Which elements listen for which events. Only the debugger can tell: scripts cannot list listeners.

const listenerKinds = new WeakMap();
const otherListenerKinds = new WeakMap();
let listening = [];
let total = -1;
// An element that listens for so many kinds of events is the root of a framework.
const EVERYTHING = 8;
const LISTS = new Set(["UL", "OL", "MENU"]);
const OFFERS = new Set(["menu", "option", "dropdown"]);
// The least number of like siblings, and the most characters in one, for them to be cells of a grid.
const CELLS = 7;
const CELLED = 40;
const CELL = `:is(ul,ol,menu) > li:nth-child(2):not(:has(*)),:nth-child(${CELLS}):not(:has(*))`;
const GRID_ROW = "[role=row],tr";

// A box that holds one of these listens for it, as a dialog or the row of a field does.
const TYPED = "input:not([type=hidden],[type=checkbox],[type=radio]),textarea,select,[contenteditable=true]";

// Events of the mouse; other events matter only for the effects of an input.
const TOUCH = /^(click|dblclick|mousedown|mouseup|pointerdown|pointermove|touchstart|contextmenu|dragstart|drop)$/;

const CLICKS = /\b(click|mousedown|pointerdown)\b/;
const KEYED = /\b(input|keyup|keydown|keypress)\b/;
const CHANGED = /\b(change|blur|focusout|input)\b/;
let rooted = false;

function storeListeners(kinds, elements) {
  elements.forEach((el, at) => {
    const events = [...new Set(kinds[at].split(" "))];
    const touches = events.filter((kind) => TOUCH.test(kind));
    rooted ||= touches.length >= EVERYTHING && KEYED.test(kinds[at]);
    if (el.nodeType !== 1 || touches.length >= EVERYTHING) return;
    if (events.length > touches.length) otherListenerKinds.set(el, events.filter((kind) => !TOUCH.test(kind)).join(" "));
    if (!touches.length) return;
    listenerKinds.set(el, touches.join(" "));
    listening.push(new WeakRef(el));
  });
}

// Whether elements came or went since the last look, so that there may be new listeners.
function mayHaveNewListeners(look) {
  const count = document.getElementsByTagName("*").length;
  const gone = listening.some((ref) => !ref.deref()?.isConnected);
  if (gone) listening = listening.filter((ref) => ref.deref()?.isConnected);
  const fresh = gone || count !== total || look.suspects > 0;
  total = count;
  return fresh;
}

// Whether an element listens for clicks on itself, and not for several things inside it.
function listens(el, rect) {
  if (isSortable(el.parentElement)) return true;
  const kinds = listenerKinds.get(el);
  if (!kinds || isSortable(el)) return false;
  if (coversHalfScreen(rect) || opensItsRows(el)) return false;
  if (kinds.includes("drop")) return true;
  if (holdsRows(el)) return false;
  if (kinds.includes("contextmenu")) return true;
  if (el.querySelector(TYPED) && styleOf(el).cursor !== "pointer") return false;
  const row = ROWED.has(roleOf(el));
  return (row || el.querySelectorAll(INNER).length < 3) && !speaksFor(el, row);
}

// Whether an element listens for the rows in it, as the box of a grid does.
function holdsRows(el) {
  return el.querySelectorAll(GRID_ROW).length > 1;
}

function coversHalfScreen(rect) {
  return rect.width * rect.height > window.innerWidth * window.innerHeight * 0.5;
}

// Whether it listens for several things inside it: the items of a list, the cells of a grid, or, unless it is a row,
// what shows by itself that it can be clicked.
function speaksFor(el, row) {
  const cell = el.querySelector(CELL);
  if (cell && isCellOfListener(cell)) return true;
  if (row || styleOf(el).cursor === "pointer") return false;
  let found = 0;
  for (const inner of el.querySelectorAll("*"))
    if (styleOf(inner).cursor === "pointer" && !listenerKinds.has(inner) && ++found > 1) return true;
  return false;
}

// Whether a row is one of those that something around them lets people open or right-click.
function opensRow(el, role) {
  if (!listening.length || !ROWED.has(role) || !el.parentElement || el.querySelectorAll(INNER).length > 1) return false;
  const like = el.nextElementSibling || el.previousElementSibling;
  if (!like || !isAlike(el, like) || !LETTERED.test(el.textContent) || el.textContent.length > ROW_TEXT) return false;
  for (let up = el.parentElement, level = 0; up && level < 3; up = up.parentElement, level++)
    if (/\b(dblclick|contextmenu)\b/.test(listenerKinds.get(up) || "")) return true;
  return false;
}

function opensItsRows(el) {
  const row = el.querySelector(ROW);
  return row !== null && opensRow(row, roleOf(row));
}

// Whether an item or cell is one of those that something around them listens for.
function isCellOfListener(el) {
  if (!listening.length || el.firstElementChild) return false;
  const group = el.parentElement;
  const text = el.textContent.trim();
  const least = LISTS.has(group?.tagName) || (group && classSays(group, OFFERS)) ? 2 : CELLS;
  if (!group || !text || text.length > CELLED || group.childElementCount < least) return false;
  if (!isAlike(el, el.nextElementSibling || el.previousElementSibling)) return false;
  for (let up = group, level = 0; up && level < 4; up = up.parentElement, level++)
    if (CLICKS.test(listenerKinds.get(up) || "")) return !WIDGETS.has(roleOf(up)) && !coversHalfScreen(up.getBoundingClientRect());
  return false;
}

function isDraggable(el) {
  const kinds = listenerKinds.get(el) || "";
  return kinds.includes("dragstart") || (kinds.includes("pointerdown") && kinds.includes("pointermove")) || isSortable(el.parentElement);
}

// Whether an element is a list whose items can be dragged.
function isSortable(el) {
  const kinds = (el && listening.length && listenerKinds.get(el)) || "";
  if (!/mousedown|pointerdown/.test(kinds) || el.childElementCount < 2 || el.querySelector(INNER)) return false;
  if (NATIVE.has(el.tagName) || WIDGETS.has(roleOf(el))) return false;
  return [...el.querySelectorAll(":scope > *")].every((child) => isAlike(child, el.firstElementChild));
}

// Whether something listens for what is typed into a field that stands alone, as fields do that filter or search.
function isTypingHandled(el) {
  const group = el.closest("form,fieldset,dialog,[role=dialog],[role=search]") || el.parentElement;
  const others = group ? [...group.querySelectorAll("input,textarea")].filter((each) => TEXTS.has(each.type)) : [];
  if (others.some((each) => each !== el)) return false;
  for (let up = el; up; up = up.parentElement)
    if (up.oninput || up.onkeyup || up.onkeydown || up.hasAttribute("oninput") || up.hasAttribute("onkeyup") || KEYED.test(otherListenerKinds.get(up) || "")) return true;
  return rooted;
}

// Whether the page hears that a field has changed, so that it may set it to something else.
function isChangeHandled(el) {
  for (let up = el; up; up = up.parentElement)
    if (["change", "blur", "input"].some((kind) => up[`on${kind}`]) || CHANGED.test(otherListenerKinds.get(up) || "")) return true;
  return rooted;
}
