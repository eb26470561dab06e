// What the debugger told: who listens for which events. A page keeps its listeners to itself otherwise.

const heard = new WeakMap();
let listening = [];
let total = -1;

function hear(kinds, elements) {
  elements.forEach((el, at) => {
    if (el.nodeType !== 1) return;
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
  return kinds.includes("drop") || kinds.includes("contextmenu") || el.querySelectorAll(INNER).length < 3;
}

function drags(el) {
  const kinds = heard.get(el) || "";
  return kinds.includes("dragstart") || (kinds.includes("pointerdown") && kinds.includes("pointermove")) || sorts(el.parentElement);
}

// A list that waits for its items to be taken hold of: they are what is dragged, not the list.
function sorts(el) {
  const kinds = (el && listening.length && heard.get(el)) || "";
  if (!/mousedown|pointerdown/.test(kinds) || el.childElementCount < 2 || el.querySelector(INNER)) return false;
  return [...el.children].every((child) => child.tagName === el.firstElementChild.tagName);
}
