// What the debugger told: who listens for which events. A page keeps its listeners to itself otherwise.

const heard = new WeakMap();
let listening = [];
let total = -1;
// Who listens for this many kinds of touch does so for everything inside: the root of a framework.
const EVERYTHING = 8;
const LISTS = new Set(["UL", "OL", "MENU"]);
// So many alike beside each other, with no more than so much to say, are the cells of something.
const CELLS = 7;
const CELLED = 40;
const CELL = `:is(ul,ol,menu) > li:nth-child(2):not(:has(*)),:nth-child(${CELLS}):not(:has(*))`;

function hear(kinds, elements) {
  elements.forEach((el, at) => {
    if (el.nodeType !== 1 || new Set(kinds[at].split(" ")).size >= EVERYTHING) return;
    heard.set(el, kinds[at]);
    listening.push(new WeakRef(el));
  });
}

// Whether the document has changed so much since it was last asked that the debugger may know more.
function unheard(look) {
  const count = document.getElementsByTagName("*").length;
  const gone = listening.some((ref) => !ref.deref()?.isConnected);
  if (gone) listening = listening.filter((ref) => ref.deref()?.isConnected);
  const fresh = gone || count !== total || look.suspects > 0;
  total = count;
  return fresh;
}

// Whether an element listens on its own behalf, and not for all that is inside it.
function listens(el, rect) {
  if (sorts(el.parentElement)) return true;
  const kinds = heard.get(el);
  if (!kinds || sorts(el)) return false;
  if (vast(rect)) return false;
  if (kinds.includes("drop") || kinds.includes("contextmenu")) return true;
  return el.querySelectorAll(INNER).length < 3 && !speaksFor(el);
}

function vast(rect) {
  return rect.width * rect.height > window.innerWidth * window.innerHeight * 0.5;
}

// Whether it listens for several things inside it: the items of a list, the cells of a grid, or what shows by itself
// that it can be clicked.
function speaksFor(el) {
  const cell = el.querySelector(CELL);
  if (cell && called(cell)) return true;
  if (styleOf(el).cursor === "pointer") return false;
  let found = 0;
  for (const inner of el.querySelectorAll("*"))
    if (styleOf(inner).cursor === "pointer" && !heard.has(inner) && ++found > 1) return true;
  return false;
}

// Whether an item or cell is one of those that something around them listens for.
function called(el) {
  if (!listening.length || el.firstElementChild) return false;
  const group = el.parentElement;
  const text = el.textContent.trim();
  if (!group || !text || text.length > CELLED || group.childElementCount < (LISTS.has(group.tagName) ? 2 : CELLS)) return false;
  if (!kin(el, el.nextElementSibling || el.previousElementSibling)) return false;
  for (let up = group, level = 0; up && level < 4; up = up.parentElement, level++)
    if (/\b(click|mousedown|pointerdown)\b/.test(heard.get(up) || "")) return !WIDGETS.has(roleOf(up)) && !vast(up.getBoundingClientRect());
  return false;
}

function drags(el) {
  const kinds = heard.get(el) || "";
  return kinds.includes("dragstart") || (kinds.includes("pointerdown") && kinds.includes("pointermove")) || sorts(el.parentElement);
}

// A list that waits for its items to be taken hold of: they are what is dragged, not the list.
function sorts(el) {
  const kinds = (el && listening.length && heard.get(el)) || "";
  if (!/mousedown|pointerdown/.test(kinds) || el.childElementCount < 2 || el.querySelector(INNER)) return false;
  return [...el.querySelectorAll(":scope > *")].every((child) => kin(child, el.firstElementChild));
}
