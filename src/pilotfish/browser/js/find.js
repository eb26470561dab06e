// Looking for words anywhere on the page: the places are found first, and only what is around them is looked at.

const PLACES = 30;
const TOLD = ["aria-label", "title", "placeholder", "alt"];
const AROUND = "li,tr,p,fieldset,article,section,dl,figure,form,nav,table,[role=row],[role=listitem],[role=dialog]";

function findText(query) {
  const look = fresh(true);
  const wanted = query.toLowerCase();
  const places = new Set();
  for (const root of [document.documentElement, ...shadowRoots(document)].filter(Boolean)) {
    for (const el of saying(root, wanted)) places.add(el);
    for (const el of marked(root, wanted)) places.add(el);
  }
  const found = [...places].filter((el) => el.checkVisibility());
  look.sought = new Set(found);
  const shown = [];
  for (const el of found.slice(0, PLACES)) {
    const part = surroundings(el);
    if (shown.some((known) => known.contains(part))) continue;
    shown.push(part);
    const title = headingBefore(part);
    if (title) push(look, { k: "h", n: clipped(nameOf(title), 120), l: headingLevel(title), d: -1 });
    attempt(look, part, outset(look));
    const after = part.nextElementSibling;
    if (after && after.textContent.length < 200 && part.tagName !== "TR" && part.tagName !== "LI") {
      shown.push(after);
      attempt(look, after, outset(look));
    }
  }
  look.count = found.length;
  return look;
}

function* saying(root, wanted) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const el = texts.currentNode.parentElement;
    if (el && texts.currentNode.data.toLowerCase().includes(wanted) && !SKIP.has(el.tagName)) yield el;
  }
}

function* marked(root, wanted) {
  for (const el of root.querySelectorAll("[aria-label],[title],[placeholder],[alt],input,textarea")) {
    const value = el.type === "password" || el.type === "hidden" ? "" : el.value;
    const said = (text) => typeof text === "string" && text.toLowerCase().includes(wanted);
    if (said(value) || TOLD.some((name) => said(el.getAttribute(name)))) yield el;
  }
}

// Enough of the page to understand a place, and not much more.
function surroundings(el) {
  let part = el;
  for (let up = el; up && up !== document.body && up.textContent.length < 600; up = parentOf(up)) {
    part = up;
    if (up !== el && up.matches(AROUND)) break;
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
