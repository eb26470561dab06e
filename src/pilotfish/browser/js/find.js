// Searches the whole page for words, and scans only the places around the matches.

const PLACES = 30;
const TEXT_ATTRIBUTES = ["aria-label", "title", "placeholder", "alt"];
const NAMED_FIELDS = "input,select,textarea,[contenteditable],[role=textbox],[role=combobox],[role=spinbutton],[role=checkbox],[role=switch],[role=slider]";
const SURROUNDING_BOXES = "li,tr,p,fieldset,article,section,dl,figure,form,nav,table,[role=row],[role=listitem],[role=dialog]";

function findText(query) {
  const look = fresh(true);
  const wanted = query.toLowerCase();
  const places = new Set();
  for (const root of [document.documentElement, ...shadowRoots(document)].filter(Boolean)) {
    for (const el of findInText(root, wanted)) places.add(el);
    for (const el of findInAttributes(root, wanted)) places.add(el);
  }
  const found = [...places].filter((el) => el.checkVisibility());
  look.searched = new Set(found);
  const shown = [];
  for (const el of found.slice(0, PLACES).flatMap((each) => [each, fieldNamedBy(each)].filter(Boolean))) {
    const part = surroundings(el);
    if (shown.some((known) => known.contains(part))) continue;
    shown.push(part);
    const title = headingBefore(part);
    if (title) push(look, { k: "h", n: clipped(nameOf(title), 120), l: headingLevel(title), d: -1 });
    walkSafely(look, part, startContext(look));
    const after = part.nextElementSibling;
    const row = part.tagName === "TR" || part.tagName === "LI" || (isRepeated(part) && part.querySelector(INNER));
    if (after && after.textContent.length < 200 && !row) {
      shown.push(after);
      walkSafely(look, after, startContext(look));
    }
  }
  look.count = found.length;
  look.left = Math.max(0, found.length - PLACES);
  keepKnownHandles(look);
  keepLook(look, false);
  for (const node of look.nodes) {
    if (node.k === "c" && node.h && shownFirst(elementOf(node.h)).toLowerCase() === wanted) node.y = query;
  }
  return look;
}

// What a person reads first in an element, if its name differs: "Unpublish", though its label says more.
function shownFirst(el) {
  return tidy(((el && el.innerText) || "").split(/[\n\t]/).find((line) => line.trim()) || "");
}

function* findInText(root, wanted) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const el = texts.currentNode.parentElement;
    if (el && texts.currentNode.data.toLowerCase().includes(wanted) && !SKIP.has(el.tagName)) yield el;
  }
}

function* findInAttributes(root, wanted) {
  for (const el of root.querySelectorAll("[aria-label],[title],[placeholder],[alt],input,textarea")) {
    const value = el.type === "password" || el.type === "hidden" ? "" : el.value;
    const said = (text) => typeof text === "string" && text.toLowerCase().includes(wanted);
    if (said(value) || TEXT_ATTRIBUTES.some((name) => said(el.getAttribute(name)))) yield el;
  }
}

// The field whose label holds the words.
function fieldNamedBy(el) {
  const control = el.closest("label")?.control;
  if (control) return control.checkVisibility() ? control : null;
  for (let up = el, level = 0; up && level < 3; up = up.parentElement, level++) {
    const named = up.id ? [...up.getRootNode().querySelectorAll(`[aria-labelledby~="${CSS.escape(up.id)}"]`)] : [];
    const field = named.find((each) => each.matches(NAMED_FIELDS) && each.checkVisibility());
    if (field) return field;
  }
  return null;
}

// The part of the page to show around a match.
function surroundings(el) {
  let part = el;
  for (let up = el; up && up !== document.body && up.textContent.length < 600; up = parentOf(up)) {
    part = up;
    if (up !== el && up.matches(SURROUNDING_BOXES)) break;
  }
  return part;
}

function headingBefore(el) {
  for (let up = el, level = 0; up && level < 8; up = up.parentElement, level++) {
    for (let back = up.previousElementSibling; back; back = back.previousElementSibling) {
      if (/^H[1-6]$/.test(back.tagName)) return back;
      const inner = back.querySelectorAll("h1,h2,h3,h4,h5,h6");
      if (inner.length) return inner[inner.length - 1];
    }
  }
  return null;
}
