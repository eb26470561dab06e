// What the debugger told: who listens for which events. A page keeps its listeners to itself otherwise.

const heard = new WeakMap();
let listening = [];
let total = -1;
// Who listens for this many kinds of touch does so for everything inside: the root of a framework.
const EVERYTHING = 8;

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
  if (rect.width * rect.height > window.innerWidth * window.innerHeight * 0.5) return false;
  if (kinds.includes("drop") || kinds.includes("contextmenu")) return true;
  return el.querySelectorAll(INNER).length < 3 && !speaksFor(el);
}

// Whether it listens for several things inside it that show by themselves that they can be clicked.
function speaksFor(el) {
  if (styleOf(el).cursor === "pointer") return false;
  let found = 0;
  for (const inner of el.querySelectorAll("*")) if (styleOf(inner).cursor === "pointer" && ++found > 1) return true;
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
  return [...el.querySelectorAll(":scope > *")].every((child) => child.tagName === el.firstElementChild.tagName);
}
