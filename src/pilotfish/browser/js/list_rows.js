// Reads the rows of a list: what each says, part by part, and which controls it has.
// A part is named by the way to it from its row, so that the same part is known in every row.

// What is struck out is a part of its own: an old price is not the price.
const FORMATTING = new Set("B I EM STRONG SMALL SUP SUB CODE ABBR CITE Q U MARK BR WBR BDI BDO FONT INS KBD".split(" "));
const EMPHASIS = new Set("B I EM STRONG MARK U INS".split(" "));
const KEYS = ["itemprop", "data-field", "data-label", "data-column", "col-id", "data-testid", "data-test"];
const INDEXES = ["aria-rowindex", "aria-posinset", "data-index", "data-item-index", "data-row-index"];
const KNOWN_BY = /^data-([\w-]*-)?(id|key|asin|sku|uid|uuid)$/;
const ROWS_MOST = 3000;
const CELL_LENGTH = 300;
const MOST_SUMMARIES = 20;
const SURVEYED_ROWS = 4;

let current = null;

// The list that a query means, with all its rows: by an element, by words, by what is known of it, or the weightiest.
function collectRows(query) {
  const lists = findLists();
  const place = { path: framePath(), url: location.href, title: document.title };
  const list = pickList(lists, query);
  if (!list) return { ...place, none: lists.slice(0, 6).map((each) => [titleOf(each), each.kind, each.rows.length]) };
  current = list;
  return {
    ...place, score: list.score, fit: list.fit || 0, name: titleOf(list), kind: list.kind, mark: markOf(list), heads: list.heads,
    rows: readRows(list), scroll: scrollState(list), paging: pagingOf(list, lists),
  };
}

// The lists that a person may mean, the weightiest first, each with its first rows.
function surveyLists() {
  const lists = findLists();
  const kept = [];
  for (const list of lists) {
    if (kept.length === MOST_SUMMARIES) break;
    if (lists.some((each) => each !== list && covers(each, list))) continue;
    const around = kept.find((each) => each.rows.some((row) => holds(row, list.box)));
    if (!around || !repeatsWithin(around, list, lists)) kept.push(list);
  }
  const first = (list) => list.rows.slice(0, 2).map((row) => clipped(tidy(partsOf(list, row).map((part) => part.innerText || "").join(" ")), 120));
  return {
    path: framePath(), url: location.href, title: document.title,
    lists: kept.map((list) => ({ name: titleOf(list), kind: list.kind, count: list.rows.length, heads: list.heads, first: first(list), rows: readRows(list, SURVEYED_ROWS), score: list.score, mark: markOf(list) })),
  };
}

// Whether a list has all rows of another and more, or takes several of its rows together.
function covers(list, other) {
  if (list.box === other.box && list.until && !other.until) return true;
  return !other.until && list.rows.length > other.rows.length && other.rows.every((row) => list.rows.includes(row));
}

// Whether other rows of the list around have a list like this one: then it is a part of the row.
function repeatsWithin(around, list, lists) {
  const sign = markOf(list).signs.join();
  const own = around.rows.find((row) => holds(row, list.box));
  const like = lists.filter((each) => each !== list && each.kind === list.kind && markOf(each).signs.join() === sign);
  return like.some((each) => around.rows.some((row) => row !== own && holds(row, each.box)));
}

function pickList(lists, query) {
  if (query.mark) return bestOf(lists, (list) => fitsMark(list, query.mark));
  if (query.handle) {
    const el = elementOf(query.handle);
    return el && (lists.find((list) => holds(el, list.box)) || nearestList(lists, el));
  }
  if (query.words) return bestOf(lists, (list) => fitsWords(list, query.words));
  return lists[0];
}

// The innermost list around an element that is no part of the rows of a list around it.
function nearestList(lists, el) {
  const around = lists.filter((list) => holds(list.box, el)).sort((a, b) => depthOf(b.box) - depthOf(a.box));
  const isPart = (list) => around.some((each) => each !== list && each.rows.some((row) => holds(row, list.box)) && repeatsWithin(each, list, lists));
  return around.find((list) => !isPart(list));
}

function depthOf(el) {
  let depth = 0;
  for (let up = el; up; up = parentOf(up)) depth++;
  return depth;
}

// The one that fits best; of those that fit alike the weightiest.
function bestOf(lists, rate) {
  let best = null;
  for (const list of lists) {
    list.fit = rate(list);
    if (list.fit > (best ? best.fit : 0)) best = list;
  }
  return best;
}

function markOf(list) {
  const path = [];
  for (let up = list.box; up && path.length < 4; up = parentOf(up)) path.push(`${up.tagName}.${firstClass(up)}`);
  return { kind: list.kind, signs: [...new Set(list.rows.slice(0, 4).map(rowSign))], heads: list.heads.join("|"), path, title: titleOf(list) };
}

function fitsMark(list, mark) {
  const own = markOf(list);
  const signed = own.signs.some((sign) => mark.signs.includes(sign));
  const headed = own.heads !== "" && own.heads === mark.heads;
  if (own.kind !== mark.kind || !(signed || headed)) return 0;
  const titled = own.title !== "" && own.title === mark.title;
  return 1 + headed + titled + own.path.filter((step, at) => step === mark.path[at]).length;
}

// How much of the words a list's title, heads, names in the page's code and first rows have.
function fitsWords(list, query) {
  const stems = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1).map((word) => (word.length > 4 ? word.replace(/(es|s|en|n)$/, "") : word));
  const share = (text) => {
    const had = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return stems.length ? stems.filter((stem) => had.some((word) => word.startsWith(stem))).length / stems.length : 0;
  };
  const code = `${list.box.id} ${list.box.getAttribute("class") || ""} ${list.rows[0].getAttribute("class") || ""}`.replace(/[_-]/g, " ");
  const groups = list.groups ? [...new Set(list.groups.values())].join(" ") : "";
  const said = list.rows.slice(0, 30).map((row) => (row.innerText || "").slice(0, 300)).join(" ");
  const whole = 3 * share(titleOf(list)) + 2 * share(list.heads.join(" ")) + 2 * share(code) + share(groups) + share(said);
  return whole >= 0.5 ? whole : 0;
}

function readRows(list, most = ROWS_MOST) {
  const look = fresh(true);
  const box = scrollBoxOf(list);
  const top = box === document.scrollingElement ? -window.scrollY : box.getBoundingClientRect().top - box.scrollTop;
  const carried = [];
  const rows = list.rows.slice(0, most).map((row) => readListRow(look, list, row, top, carried));
  return rows.filter((row) => row.c.some((cell) => cell.h || cell.t));
}

function readListRow(look, list, row, top, carried) {
  const parts = partsOf(list, row);
  Object.assign(look, { nodes: [], held: [], raised: [] });
  for (const part of parts) walkSafely(look, part, startContext(look));
  const controls = new Map(look.nodes.filter((node) => node.h && !node.x && node.k === "c").map((node) => [elementOf(node.h), node]));
  const reader = { controls, cells: [], pending: null, nested: list.nested };
  if (list.kind === "table") tableParts(reader, parts, carried);
  else parts.forEach((part, at) => readPart(reader, part, at ? `+${rowStep(part)}` : "", at ? `+${at}` : "", part));
  const record = { c: reader.cells, t: clipped(reader.cells.map((cell) => cell.t).join(" "), 2000), y: Math.round(row.getBoundingClientRect().top - top) };
  if (list.groups?.has(row)) record.g = list.groups.get(row);
  if (!reader.cells.some((cell) => cell.h)) record.h = rowHandle(look, row);
  const index = INDEXES.map((name) => row.getAttribute(name)).find((value) => value !== null);
  if (index !== undefined) record.x = index;
  const named = row.getAttributeNames().find((name) => KNOWN_BY.test(name));
  if (named) record.i = row.getAttribute(named);
  record.u = reader.cells.find((cell) => cell.u)?.u;
  return record;
}

// A row without controls gets a number itself.
function rowHandle(look, row) {
  const role = roleOf(row);
  const said = BOXES.has(role) ? role : spokenRole(row, role);
  return [control(look, row, said, row.getBoundingClientRect(), { parent: -1, level: 0 }, null).h, said];
}

function tableParts(reader, parts, carried) {
  let at = 0;
  const skip = () => {
    for (; carried[at]?.left > 0; at++) {
      carried[at].left--;
      reader.cells.push(...carried[at].cells);
    }
  };
  for (const cell of parts.flatMap(cellsOf)) {
    skip();
    at = columnOf(cell, at);
    const before = reader.cells.length;
    readPart(reader, cell, `c${at}`, `c${at}`, cell);
    const own = reader.cells.slice(before);
    if (own.length) own[0].p = own[0].q = `c${at}`;
    if (cell.rowSpan > 1) carried[at] = { left: cell.rowSpan - 1, cells: own.map(({ p, q, n, t }) => ({ p, q, n, t })) };
    at += Math.max(1, cell.colSpan || 1);
  }
  skip();
}

function readPart(reader, el, p, q, top) {
  const node = reader.controls.get(el);
  if (SKIP.has(el.tagName) || (el !== top && reader.nested?.has(el))) return;
  const style = getComputedStyle(el);
  if (!node && (style.display === "none" || isUnseenPart(el, style))) return;
  if (node && !deep(reader, el)) return void pushCell(reader, el, p, q, top, controlText(el, node), node);
  if (node) {
    const held = reader.pending;
    reader.pending = node;
    readInside(reader, el, p, q, top);
    if (reader.pending === node) pushCell(reader, el, p, q, top, controlText(el, node), node);
    reader.pending = held;
    return;
  }
  const text = style.visibility === "visible" ? leafText(reader, el) : null;
  if (text === null) readInside(reader, el, p, q, top);
  else if (text) pushCell(reader, el, p, q, top, text, null);
}

// Whether a control holds several things, as a card that is one link does.
function deep(reader, el) {
  if (!el.firstElementChild || el.matches("select,textarea,button")) return false;
  return leafText(reader, el, true) === null && saidParts(el) > 1;
}

// How many texts and pictures with a name an element holds.
function saidParts(el) {
  let count = el.querySelectorAll("img[alt]:not([alt=''])").length;
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (TELLING.test(texts.currentNode.data) && !SKIP.has(texts.currentNode.parentElement.tagName)) count++;
  return count;
}

function controlText(el, node) {
  if (el.matches("input,select,textarea")) return node.v || node.n;
  const text = readCell(el);
  return TELLING.test(text) ? text : node.n;
}

// What an element says if it is one thing; null where it has to be taken apart, "" where it says nothing.
function leafText(reader, el, link) {
  if (el.tagName === "IMG") return roleOf(el) === "image" ? clipped(nameOf(el), 120) : "";
  const label = el.getAttribute("aria-label");
  if (el.tagName === "svg" || el.tagName === "CANVAS") return clipped(label || "", 120);
  if (el.tagName === "IFRAME") return "";
  const hint = label || el.getAttribute("title");
  if (hint && !/[\p{L}\p{N}]/u.test(el.textContent) && !el.querySelector("img[alt]:not([alt=''])")) return clipped(hint, 120);
  const inner = [...el.querySelectorAll("*")].filter((child) => !isFormatting(child) && !SKIP.has(child.tagName));
  if (shadowOf(el) || (!link && inner.some((child) => reader.controls.has(child))) || inner.some((child) => child.tagName === "IMG" && child.alt)) return null;
  const said = inner.filter((child) => TELLING.test(child.textContent) || child.hasAttribute("aria-label"));
  if (!said.length && haveLines(el)) return null;
  return !said.length || isOneLine(el) ? readCell(el) : null;
}

// Whether an element says a few short things, each on a line of its own.
function haveLines(el) {
  const breaks = [...el.childNodes].filter((node) => node.nodeName === "BR").length;
  if (!breaks || breaks > 4 || el.querySelector("br").parentNode !== el) return false;
  const lines = (el.innerText || "").split("\n").map(tidy).filter(Boolean);
  return lines.length > 1 && lines.length <= 5 && lines.every((line) => line.length < 60);
}

// What is small and has words is a part of its own, as a remark beside a price or a name.
function isFormatting(el) {
  if (!FORMATTING.has(el.tagName)) return false;
  if (el.tagName === "SMALL") return !/\p{L}{2}/u.test(el.textContent);
  return !EMPHASIS.has(el.tagName) || !TELLING.test(el.textContent) || !standsApart(el);
}

// Whether what is emphasised is a thing of its own beside other text: it has a class, ends as a label does, or begins the
// text, and a sign or a new line follows it.
function standsApart(el) {
  const beside = [...el.parentNode.childNodes].filter((node) => node !== el && TELLING.test(node.textContent));
  if (!beside.length || beside.some((node) => node.nodeType === 1 && !FORMATTING.has(node.tagName))) return false;
  if (el.className || /:\s*$/.test(el.textContent)) return true;
  const next = el.nextSibling;
  const first = ![...el.parentNode.childNodes].slice(0, [...el.parentNode.childNodes].indexOf(el)).some((node) => TELLING.test(node.textContent));
  return first && Boolean(next) && (next.nodeName === "BR" || /^\s*([,;:·|(–—-]|\.\s)/.test(next.textContent));
}

// What is written in several pieces without gaps and is one thing: one number with its currency or unit, a time, a rating.
const ONE_THING = /^[^\p{L}\p{N}]{0,3}\p{L}{0,3}[^\p{L}\p{N}]{0,3}\p{N}[\p{N}.,:'’]{0,20}[^\p{L}\p{N}]{0,3}\p{L}{0,4}[^\p{L}\p{N}]{0,3}$|^\p{N}[\p{N}.,]{0,6}\/\p{N}{1,3}$/u;

function isOneThing(pieces) {
  const cents = (piece, at) => at > 0 && /^\p{N}/u.test(piece.said) && /\p{N}$/u.test(pieces[at - 1].said) && !(piece.el.tagName === "SUP" || /cent|dec|frac|minor/i.test(piece.el.className));
  return ONE_THING.test(pieces.map(({ said }) => said).join("")) && !pieces.some(cents);
}

// Whether what is in an element is drawn without gaps on one line: a price in three pieces is one price.
function isOneLine(el) {
  let last = null;
  const pieces = [];
  for (const child of childrenOf(el)) {
    if (child.nodeType === 3 && TELLING.test(child.data)) return false;
    if (child.nodeType !== 1 || SKIP.has(child.tagName)) continue;
    if (!child.textContent.trim()) {
      if (child.hasAttribute("aria-label")) return false;
      continue;
    }
    if (!getComputedStyle(child).display.startsWith("inline") || isStruck(child)) return false;
    const rect = child.getBoundingClientRect();
    if (last && (rect.left - last.right > 1.5 || rect.top >= last.bottom)) return false;
    last = rect;
    pieces.push({ el: child, said: child.textContent.trim() });
  }
  return pieces.length === 1 || (pieces.length > 1 && isOneThing(pieces));
}

// The text of a part, without the marks of a heading or of a picture.
function readCell(el) {
  const text = textOnLine({ links: false }, el, {});
  const name = text.startsWith("![") && text.endsWith("]") ? text.slice(2, -1) : text;
  return clipped(name.replace(/^#{1,6} /, ""), CELL_LENGTH);
}

function readInside(reader, el, p, q, top) {
  const steps = new Map();
  const count = (step) => {
    steps.set(step, (steps.get(step) || 0) + 1);
    return steps.get(step) > 1 ? `${step}~${steps.get(step)}` : step;
  };
  if (el.tagName === "DETAILS" && !el.open) {
    const summary = el.querySelector(":scope > summary");
    return void (summary && readPart(reader, summary, `${p}/summary`, `${q}/summary`, top));
  }
  for (const child of childrenOf(el)) {
    if (child.nodeType === 3 && TELLING.test(child.data) && !isInvisibleText(el)) {
      const step = count("#");
      pushCell(reader, el, `${p}/${step}`, `${q}/${step}`, top, clipped(child.data.replace(GLYPHS, ""), CELL_LENGTH), null);
    } else if (child.nodeType === 1) readPart(reader, child, `${p}/${count(rowStep(child))}`, `${q}/${count(child.localName)}`, top);
  }
}

function rowStep(el) {
  const key = KEYS.map((name) => el.getAttribute(name)).find(Boolean) || firstClass(el);
  return `${isStruck(el) ? "s" : el.localName}.${key.slice(0, 40)}`;
}

// Whether it is printed with a line through it.
function isStruck(el) {
  return getComputedStyle(el).textDecorationLine === "line-through" && (!el.parentElement || getComputedStyle(el.parentElement).textDecorationLine !== "line-through");
}

function pushCell(reader, el, p, q, top, text, node) {
  const inmost = innermost(el);
  for (const step of inmost) [p, q] = [`${p}/${rowStep(step)}`, `${q}/${step.localName}`];
  const cell = { p, q, t: text, n: partName(inmost.at(-1) || el, top) };
  const own = node || reader.pending;
  if (own) {
    Object.assign(cell, { h: own.h, r: own.r, s: own.s, u: own.u, l: own.n });
    if (!node) reader.pending = null;
  }
  reader.cells.push(cell);
}

// The elements within an element that alone hold what it says, so that a part is the same with and without others beside it.
function innermost(el) {
  const steps = [];
  for (let box = el; !box.matches("select,button"); box = steps.at(-1)) {
    const telling = [...childrenOf(box)].filter((child) => child.nodeType === 3 ? TELLING.test(child.data) : child.nodeType === 1 && !SKIP.has(child.tagName) && (TELLING.test(child.textContent) || child.hasAttribute("aria-label")));
    if (telling.length !== 1 || telling[0].nodeType !== 1 || FORMATTING.has(telling[0].tagName)) break;
    steps.push(telling[0]);
  }
  return steps;
}

// What the page's code calls a part: the words of its own attributes, or of those around it in the row.
function partName(el, top) {
  for (let up = el, level = 0; up && up !== top && level < 3; up = parentOf(up), level++) {
    const said = KEYS.map((name) => up.getAttribute(name)).find(Boolean) || ownPart(up.getAttribute("class") || "");
    const found = words(`${said} ${labelWords(el)}`);
    if (words(said)) return found;
    if (/^H\d$/.test(up.tagName)) return "title";
    if (up.tagName === "TIME") return "time";
    if (up.tagName === "IMG") return "picture";
  }
  return words(labelWords(el));
}

// What a label says besides the text itself: "departure" of "Departure: 07:10".
function labelWords(el) {
  const [label, text] = [el.getAttribute("aria-label") || "", tidy(el.textContent)];
  return text && label.length > text.length && label.includes(text) ? label.replace(text, " ") : "";
}

// Of "card__price card__price--old" what names the part: "price price"; of "Card_price__x7Q" too, where a hash follows. A
// class that is nothing but a hash names nothing.
function ownPart(classes) {
  return classes.split(" ").filter((one) => one.includes("__") || !GENERATED.test(one)).map((one) => {
    const [block, , part = ""] = one.split(/(__)/);
    const hashed = /^[A-Z]?[a-zA-Z]+_[a-zA-Z]+$/.test(block) && part.length < 8;
    return (hashed ? block.slice(block.indexOf("_") + 1) : part || one).split("--")[0];
  }).join(" ");
}

function scrollState(list) {
  const box = scrollBoxOf(list);
  const page = box === (document.scrollingElement || document.documentElement);
  return { top: Math.round(box.scrollTop), height: page ? window.innerHeight : box.clientHeight, total: box.scrollHeight, page, y: Math.round(window.scrollY) };
}

// Scrolls the box of the list that was read last: its last row into sight, to its end, or to a place.
function moveScrollBox(how, top, y) {
  const list = current;
  if (!list || !list.box.isConnected) return null;
  const box = scrollBoxOf(list);
  const last = list.rows.findLast((row) => row.isConnected);
  if (how === "last" && last) last.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  else if (how === "to") {
    if (y >= 0) window.scrollTo({ top: y, behavior: "instant" });
    box.scrollTo({ top, behavior: "instant" });
  } else box.scrollTo({ top: box.scrollHeight, behavior: "instant" });
  return scrollState(list);
}
