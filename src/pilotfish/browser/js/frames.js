// Where this document sits among the page's frames. Indexes name a frame the same way from inside and outside, in
// every process, so that no frame needs to be told apart by its address.

const closed = new WeakMap();
// Whether a look met what the observer of the document does not see.
let sawUnwatched = false;

function shadowOf(el) {
  const root = el.shadowRoot || closed.get(el) || null;
  if (root) sawUnwatched = true;
  return root;
}

const asked = new WeakSet();

// Whether an element may have a closed shadow root: it has a size and no children.
function mayHideShadowRoot(el, tag, rect) {
  const empty = (tag === "DIV" || tag === "SPAN") && !el.firstChild && rect.height > 10 && rect.width > 10;
  return (empty || tag.includes("-")) && !asked.has(el) && !shadowOf(el);
}

// The elements whose shadow roots the debugger has not been asked for yet.
function sealedHosts() {
  const found = [];
  for (const root of [document, ...shadowRoots(document)]) {
    for (const el of root.querySelectorAll("*")) {
      if (found.length < 60 && mayHideShadowRoot(el, el.tagName, el.getBoundingClientRect())) found.push(el);
    }
  }
  for (const el of found) asked.add(el);
  return found;
}

// "" for the top document, "0.2" for the third frame of the first; "?" where a shadow tree hides it from the list.
function framePath() {
  const steps = [];
  for (let here = window; here !== here.parent; here = here.parent) steps.unshift(indexIn(here.parent, here));
  return steps.join(".");
}

function indexIn(parent, child) {
  for (let at = 0; at < parent.length; at++) if (parent[at] === child) return String(at);
  return "?";
}

function frameIndex(el) {
  const inside = el.contentWindow;
  return inside ? indexIn(window, inside) : "";
}

// The box of what a frame shows, without its border and padding, in this document's viewport.
function frameBox(el) {
  const rect = el.getBoundingClientRect();
  const style = getComputedStyle(el);
  const scale = el.offsetWidth ? rect.width / el.offsetWidth : 1;
  const x = rect.left + (el.clientLeft + parseFloat(style.paddingLeft)) * scale;
  const y = rect.top + (el.clientTop + parseFloat(style.paddingTop)) * scale;
  return [x, y, rect.right - x, rect.bottom - y, scale];
}

function frameBoxes() {
  const found = {};
  const visit = (root) => {
    for (const el of root.querySelectorAll("iframe,frame")) (found[frameIndex(el)] ||= frameBox(el));
  };
  visit(document);
  if (window.length < document.querySelectorAll("*").length) for (const root of shadowRoots(document)) visit(root);
  return found;
}

function* shadowRoots(root) {
  for (const el of root.querySelectorAll("*")) {
    const inner = shadowOf(el);
    if (inner) {
      yield inner;
      yield* shadowRoots(inner);
    }
  }
}

function holds(outer, inner) {
  if (outer.contains(inner)) return true;
  for (let node = inner; node; node = parentOf(node)) if (node === outer) return true;
  return false;
}

// The deepest element under a point, through shadow roots.
function under(x, y) {
  let hit = document.elementFromPoint(x, y);
  while (hit) {
    const root = shadowOf(hit);
    const inner = root && root.elementFromPoint(x, y);
    if (!inner || inner === hit || !root.contains(inner)) return hit;
    hit = inner;
  }
  return null;
}
