// Boxes that scroll: how many of their rows are out of sight. Also finds what leads to the next page of a list.

const ROW_DEPTH = 6;
const PAGING = new Set(["pagination", "pager", "paginator", "paging"]);
const PAGING_CLASS = /paginat|pager|paging/i;
const PAGERS = 'a[rel~=next],a[rel~=prev],[class*="paginat" i],[class*="pager" i],[class*="paging" i],[aria-label*="pagination" i]';
const PAGER_SIZE = 20;
let pagedBoxes = new Map();
let pageTurns = new Map();

function forgetPagers() {
  pagedBoxes = new Map();
  pageTurns = new Map();
}

// How many rows of a box (or controls, if it has no rows) are above and below its visible part.
function countOutOfSight(el) {
  const box = el.getBoundingClientRect();
  const rows = rowsIn(el);
  const parts = rows || [...el.querySelectorAll(COUNTED)].slice(0, PLENTY);
  let above = 0;
  let below = 0;
  let [first, last, count] = [Infinity, -Infinity, 0];
  for (const part of parts) {
    const { top, bottom, height } = part.getBoundingClientRect();
    if (height === 0) continue;
    [first, last, count] = [Math.min(first, top), Math.max(last, bottom), count + 1];
    if (bottom <= box.top + 2) above++;
    else if (top >= box.bottom - 2) below++;
  }
  if (!rows) return { ab: above, be: below, ro: 0 };
  const tall = (last - first) / count;
  return { ab: estimateRows(above, el.scrollTop, tall), be: estimateRows(below, el.scrollHeight - el.scrollTop - el.clientHeight, tall), ro: 1 };
}

// How many parts of a box that scrolls sideways are left and right of what it shows.
function countSideways(el) {
  if (el.scrollWidth <= el.clientWidth + 8) return {};
  const box = el.getBoundingClientRect();
  const parts = (rowsIn(el) || []).map((part) => part.getBoundingClientRect());
  if (parts.length < 2 || Math.abs(parts[0].top - parts[1].top) > parts[0].height / 2) return {};
  return { lf: parts.filter((part) => part.right <= box.left + 2).length, ri: parts.filter((part) => part.left >= box.right - 2).length };
}

// The number of rows that fit the scroll height, for lists that create only the visible rows; else the number counted.
function estimateRows(counted, room, tall) {
  const most = tall ? Math.round(room / tall) : 0;
  return most > counted * 1.5 + 3 ? most : counted;
}

// The rows of a box: the first children alike on the way down through its tallest parts.
function rowsIn(el) {
  let box = el;
  for (let level = 0; box && level < ROW_DEPTH; level++) {
    const children = childElements(box).filter((child) => !SKIP.has(child.tagName) && child.getBoundingClientRect().height > 0);
    const kinds = Map.groupBy(children, (child) => `${child.tagName}.${firstClass(child)}`);
    const like = [...kinds.values()].reduce((most, kind) => (kind.length > most.length ? kind : most), []);
    if (like.length > 2 && like.length > children.length * 0.6) return like;
    box = children.sort((a, b) => b.getBoundingClientRect().height - a.getBoundingClientRect().height)[0];
  }
  return null;
}

// Whether a control leads to another page of a list.
function turnsPage(el) {
  if (!pageTurns.has(el)) pageTurns.set(el, leadsToPage(el));
  return pageTurns.get(el);
}

function leadsToPage(el) {
  if (el.tagName === "A" && /\b(next|prev)\b/.test(el.rel)) return true;
  if (saysPager(el)) return true;
  return el.parentElement ? inPager(el.parentElement) : false;
}

function inPager(box) {
  if (!pagedBoxes.has(box)) {
    let found = false;
    for (let up = box, level = 0; up && level < 3 && !found; up = up.parentElement, level++) found = saysPager(up);
    pagedBoxes.set(box, found);
  }
  return pagedBoxes.get(box);
}

function saysPager(el) {
  return PAGING_CLASS.test(el.getAttribute("class") || "") ? classSays(el, PAGING) : PAGING_CLASS.test(el.getAttribute("aria-label") || "");
}

// Adds the paging controls of a list that are below the scanned part of the page.
function addPager(look) {
  if (!look.skipped || look.nodes.some((node) => node.pg)) return;
  for (const el of allMatching(PAGERS).slice(0, 5)) {
    const controls = el.querySelectorAll(COUNTED).length + (el.matches(COUNTED) ? 1 : 0);
    if (look.given.has(el) || !controls || controls > PAGER_SIZE || !el.checkVisibility(SEEN) || !turnsPage(el)) continue;
    look.wide = true;
    walkSafely(look, el, startContext(look));
    look.wide = false;
    return;
  }
}
