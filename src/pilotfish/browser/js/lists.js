// Finds what repeats on a page by its structure: tables, grids, lists, terms with their definitions, sets of cards.

const NOT_LISTED = new Set(
  `P H1 H2 H3 H4 H5 H6 BR HR B I EM STRONG SMALL SUP SUB CODE ABBR CITE Q U S MARK TIME LABEL OPTION OPTGROUP LEGEND CAPTION
  COL COLGROUP THEAD TFOOT TD TH SOURCE TRACK IMG PICTURE SVG PATH SLOT INPUT SELECT TEXTAREA`.split(/\s+/),
);
const ROW_TAGS = new Set(["LI", "TR", "ARTICLE", "DT"]);
const ROW_ROLES = new Set(["listitem", "row", "option", "article", "treeitem", "menuitem", "menuitemcheckbox", "menuitemradio"]);
const TABLES = new Set(["table", "grid", "treegrid"]);
const CELL_ROLES = "[role=gridcell],[role=cell],[role=columnheader],[role=rowheader]";
const TITLE_SELECTOR = "h1,h2,h3,h4,h5,h6,[role=heading],summary,legend,caption";
const PAGE_FURNITURE = "nav,footer:not(article footer),aside:not(article aside),[role=navigation],[role=contentinfo],[role=banner],[role=complementary],[role=menubar]";
const LEAF_SELECTOR = "a[href],button,input:not([type=hidden]),select,textarea,img[alt]:not([alt=''])";
// Rows without heads that hold these are mostly a form.
const FORM_FIELDS = "input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit],[type=image]),select,textarea";
// So many rows are measured; the others are taken to be like them.
const SAMPLE = 40;
const SHAPE_DEPTH = 3;

function elementsOf(el) {
  return [...childrenOf(el)].filter((child) => child.nodeType === 1 && !SKIP.has(child.tagName));
}

function present(el) {
  if (!el.checkVisibility(SEEN)) return false;
  const { width, height } = el.getBoundingClientRect();
  return (width > TINY && height > TINY) || getComputedStyle(el).display === "contents";
}

// The steps from an element to what is in it, some levels down: two rows alike have most of them in common.
function shapeOf(el, depth = SHAPE_DEPTH, path = "", found = new Set()) {
  for (const child of elementsOf(el)) {
    const step = `${path}>${child.tagName}`;
    found.add(step);
    if (depth > 1) shapeOf(child, depth - 1, step, found);
  }
  return found;
}

function shapesLikeness(one, other) {
  if (!one.size && !other.size) return 1;
  let shared = 0;
  for (const step of one) if (other.has(step)) shared++;
  return shared / (one.size + other.size - shared);
}

function rowSign(el) {
  const role = el.getAttribute("role");
  return role && ROW_ROLES.has(role) ? `[${role}]` : `${el.tagName}.${firstClass(el)}`;
}

// Children that are rows of one thing: of one tag and class, or of one tag and built alike.
function likeGroups(el) {
  const groups = new Map();
  for (const child of elementsOf(el)) {
    if (NOT_LISTED.has(child.tagName.toUpperCase()) && !isRowParagraph(child)) continue;
    const sign = rowSign(child);
    if (!groups.has(sign)) groups.set(sign, []);
    groups.get(sign).push(child);
  }
  if (groups.size > 60) return groupByTag(el);
  const merged = [];
  for (const group of [...groups.values()].sort((a, b) => b.length - a.length)) {
    const like = merged.find((known) => known[0].tagName === group[0].tagName && builtAlike(known[0], group[0]));
    if (like) like.push(...group);
    else merged.push(group);
  }
  const order = new Map(elementsOf(el).map((child, at) => [child, at]));
  return merged.map((group) => group.sort((a, b) => order.get(a) - order.get(b)));
}

// A paragraph that is made of several things may be a row: a name in bold, lines, links.
function isRowParagraph(el) {
  return el.tagName === "P" && el.childElementCount > 1 && /^(B|STRONG|A|BR|SPAN|TIME)$/.test(el.firstElementChild.tagName) && !el.firstElementChild.previousSibling?.data?.trim();
}

// Where every child has a class of its own, the tag alone counts.
function groupByTag(el) {
  const groups = Map.groupBy(elementsOf(el).filter((child) => !NOT_LISTED.has(child.tagName)), (child) => child.tagName);
  return [...groups.values()];
}

function builtAlike(one, other) {
  const [shape, like] = [shapeOf(one), shapeOf(other)];
  return shape.size > 0 && shapesLikeness(shape, like) >= 0.6;
}

// How much there is in an element: texts, controls and pictures with a name.
function leafCount(el, most = 60) {
  let count = el.querySelectorAll(LEAF_SELECTOR).length;
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (count < most && texts.nextNode()) {
    const holder = texts.currentNode.parentElement;
    if (TELLING.test(texts.currentNode.data) && !(holder && (SKIP.has(holder.tagName) || isWithinControl(holder, el)))) count++;
  }
  if (el.nodeType !== 1) return count;
  const hosts = [el, ...(count < most ? el.querySelectorAll("*") : [])].filter(shadowOf);
  return hosts.reduce((sum, host) => sum + leafCount(shadowOf(host), most), count);
}

// Whether a text is inside a control of an element; a card that is a link itself holds its texts.
function isWithinControl(holder, el) {
  const control = holder.closest("a[href],button");
  return Boolean(control) && !control.contains(el);
}

// Every repeating structure of this document, the weightiest first.
function findLists() {
  forget();
  const found = [];
  const roots = [document.body || document.documentElement, ...shadowRoots(document)].filter(Boolean);
  for (const root of roots) {
    for (const el of [root, ...root.querySelectorAll("*")]) {
      if (el.nodeType === 1 ? SKIP.has(el.tagName) || el.closest("select,svg") || !el.firstElementChild : !el.host) continue;
      for (const list of listsIn(el)) if (weighList(list)) found.push(list);
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

function listsIn(el) {
  if (el.nodeType === 1) {
    if (TABLES.has(roleOf(el)) && !arranges(el)) return [tableList(el)].filter(Boolean);
    if (el.tagName === "DL") return [termList(el)].filter(Boolean);
    const around = el.closest("table,[role=grid],[role=table],[role=treegrid]");
    if (around && around !== el && TABLES.has(roleOf(around)) && !arranges(around) && !el.closest("td,th,[role=gridcell],[role=cell]")) return [];
  }
  const lists = [];
  for (const group of likeGroups(el.nodeType === 1 ? el : { childNodes: el.childNodes, tagName: "", getAttribute: () => null })) {
    const rows = group.filter(present);
    const sure = rows[0] && (ROW_TAGS.has(rows[0].tagName) || ROW_ROLES.has(rows[0].getAttribute("role")));
    const list = withNested({ box: el.nodeType === 1 ? el : el.host, rows, kind: sure ? "list" : "cards", heads: [] });
    const spread = rows.length > 1 || sure ? spreadRows(list) : list;
    if (rows.length < (sure ? 1 : 3) && spread.rows.length < 3) continue;
    lists.push(spread);
  }
  return [...lists, ...[periodList(el)].filter(Boolean)];
}

// Rows that hold rows like themselves, as comments hold their replies: all of them are rows.
function withNested(list) {
  const name = firstClass(list.rows[0] || list.box);
  if (!name || list.rows.length < 2) return list;
  const sign = rowSign(list.rows[0]);
  const every = list.rows.flatMap((row) => [row, ...row.getElementsByClassName(name)]).filter((row) => rowSign(row) === sign && present(row) && (row.className === list.rows[0].className || builtAlike(row, list.rows[0])));
  return every.length > list.rows.length && list.rows.every((row) => rowSign(row) === sign) ? { ...list, rows: [...new Set(every)], nested: new Set(every) } : list;
}

// A table that only arranges boxes holds tables or forms of its own.
function arranges(el) {
  return el.tagName === "TABLE" && Boolean(el.querySelector("table") || (el.rows.length < 2 && !el.tHead));
}

function tableList(el) {
  const inner = (row) => row.closest("table,[role=grid],[role=table],[role=treegrid]") === el;
  const every = el.tagName === "TABLE" ? [...el.rows] : [...el.querySelectorAll("[role=row]")].filter(inner);
  const isHead = (row) => cellsOf(row).length > 0 && (row.closest("thead") || cellsOf(row).every((cell) => roleOf(cell) === "columnheader"));
  let heads = every.filter(isHead);
  if (!heads.length && every.length > 2 && isBoldRow(every[0]) && !isBoldRow(every[1])) heads = [every[0]];
  const body = every.filter((row) => !heads.includes(row) && cellsOf(row).length && present(row) && !row.closest("tfoot"));
  const parts = numberedRows(body);
  const { rows, groups } = groupedRows(parts ? [...parts.keys()] : body, Math.max(...every.slice(0, SAMPLE).map(widthOf)));
  if (!rows.length) return null;
  return { box: el, rows, kind: "table", heads: columnNames(heads), ...(groups.size ? { groups } : {}), ...(parts ? { parts } : {}) };
}

// The rows of a grid that places them by their numbers, in the order of these, each with all its parts: pinned columns are
// drawn apart. Null where not every row has a number.
function numberedRows(body) {
  const numberOf = (row) => parseInt(row.getAttribute("aria-rowindex"), 10);
  if (!body.every((row) => numberOf(row) > 0)) return null;
  const numbered = [...Map.groupBy(body, numberOf)].sort(([one], [other]) => one - other);
  return new Map(numbered.map(([, parts]) => [parts[0], parts]));
}

function widthOf(row) {
  return cellsOf(row).reduce((sum, cell) => sum + (cell.colSpan || 1), 0);
}

// Whether all of a row is printed in bold: then it is a row of heads.
function isBoldRow(row) {
  const bold = (el) => Number(getComputedStyle(el).fontWeight) >= 600;
  const filled = cellsOf(row).filter((cell) => TELLING.test(cell.textContent));
  return filled.length > 1 && filled.every((cell) => bold(cell) || (cell.children.length === 1 && bold(cell.firstElementChild) && cell.firstElementChild.textContent.trim() === cell.textContent.trim()));
}

// A row that is one cell over the whole width is a heading of the rows below it.
function groupedRows(body, width) {
  const isGroup = (row) => width > 1 && cellsOf(row).length === 1 && (cellsOf(row)[0].colSpan || 1) >= width && TELLING.test(row.textContent);
  const groups = new Map();
  if (!body.some(isGroup) || body.every(isGroup)) return { rows: body, groups };
  let name = "";
  for (const row of body) {
    if (isGroup(row)) name = clipped(tidy(row.innerText || ""), 60);
    else if (name) groups.set(row, name);
  }
  return { rows: body.filter((row) => !isGroup(row)), groups };
}

function cellsOf(row) {
  if (row.cells) return [...row.cells];
  return [...row.querySelectorAll(CELL_ROLES)].filter((cell) => !holds(row, cell.parentElement.closest(CELL_ROLES)));
}

// The name of each column: what stands last over it, after what spans it and others.
function columnNames(heads) {
  const names = [];
  const groups = [];
  const down = [];
  for (const head of heads) {
    let at = 0;
    for (const cell of cellsOf(head)) {
      while (down[at] > 0) down[at++]--;
      const place = columnOf(cell, at);
      const wide = Math.min(cell.colSpan || 1, 30);
      const said = clipped(tidy(cell.innerText || cell.getAttribute("aria-label") || ""), 60);
      for (let column = place; column < place + wide; column++) {
        if (wide > 1 && head !== heads.at(-1)) groups[column] = said;
        else names[column] = said || names[column] || "";
        if (cell.rowSpan > 1) down[column] = cell.rowSpan - 1;
      }
      at = place + wide;
    }
    for (; at < down.length; at++) if (down[at] > 0) down[at]--;
  }
  const count = Math.max(names.length, groups.length);
  return Array.from({ length: count }, (_, at) => [groups[at], names[at]].filter(Boolean).join(" "));
}

function columnOf(cell, at) {
  const given = parseInt(cell.getAttribute("aria-colindex"), 10);
  return given > 0 ? given - 1 : at;
}

// Each term with what follows it up to the next one; terms in boxes of their own are rows as they are.
function termList(el) {
  const boxes = elementsOf(el).filter((child) => child.tagName === "DIV" && child.querySelector("dt"));
  if (boxes.length > 1) return { box: el, rows: boxes.filter(present), kind: "terms", heads: [] };
  const rows = elementsOf(el).filter((child) => child.tagName === "DT" && present(child));
  return rows.length ? { box: el, rows, kind: "terms", heads: [], until: "DT" } : null;
}

// Rows that are several siblings each: a first one of some kind, and others that follow it as often.
function periodList(el) {
  const children = elementsOf(el).filter((child) => child.checkVisibility() && child.tagName !== "BR");
  if (children.length < 6 || children.some((child) => child.tagName === "LI" || child.tagName === "DT")) return null;
  const signs = children.map(rowSign);
  const lead = signs[signs.findIndex((sign) => signs.indexOf(sign, signs.indexOf(sign) + 1) > signs.indexOf(sign) + 1)];
  if (!lead) return null;
  const starts = signs.flatMap((sign, at) => (sign === lead ? [at] : []));
  const spans = starts.slice(1).map((start, at) => start - starts[at]);
  const usual = spans.filter((span) => span === spans[0]).length;
  if (starts.length < 3 || spans[0] < 2 || spans[0] > 4 || usual < spans.length * 0.8) return null;
  const follows = starts.slice(0, -1).every((start) => signs[start + 1] === signs[starts[0] + 1] && signs[start + 1] !== lead);
  if (!follows || (NOT_LISTED.has(children[starts[0]].tagName) && !/^H\d$/.test(children[starts[0]].tagName))) return null;
  return { box: el, rows: starts.map((at) => children[at]), kind: "cards", heads: [], until: lead };
}

// All elements of a row: one, those that a grid draws apart, or those up to the next row.
function partsOf(list, row) {
  if (list.parts) return list.parts.get(row);
  if (!list.until) return [row];
  const parts = [row];
  const ends = (el) => (list.until === "DT" ? el.tagName === "DT" && parts.at(-1).tagName !== "DT" : rowSign(el) === list.until);
  for (let next = row.nextElementSibling; next && !ends(next) && parts.length < 8; next = next.nextElementSibling) parts.push(next);
  return parts.filter((part) => !SKIP.has(part.tagName) && part.checkVisibility());
}

// Cards in several rows or under several headings: a box that holds only a heading besides them is not a row.
function spreadRows(list) {
  const sample = list.rows.slice(0, SAMPLE).map((row) => innerRows(row, "")).filter((each) => each && each.items.length > 1);
  if (!sample.length || !sample.every(({ items }) => items.slice(1).every((item, at) => shapesLikeness(shapeOf(item), shapeOf(items[at])) >= 0.5))) return list;
  if (list.nested || haveLabels(sample.map(({ items }) => items))) return list;
  const sign = rowSign(sample[0].items[0]);
  const inner = list.rows.map((row) => innerRows(row, sign));
  if (inner.some((each) => !each) || inner.flatMap((each) => each.items).some((item) => rowSign(item) !== sign)) return list;
  const leaves = medianOf(sample.flatMap(({ items }) => items.slice(0, 4).map((item) => leafCount(item, 8))));
  if (leaves < 2 && !sample.every(({ head }) => head)) return list;
  const groups = new Map();
  const before = list.rows.map((row) => (row.previousElementSibling?.matches(TITLE_SELECTOR) ? row.previousElementSibling : null));
  inner.forEach(({ items, head }, at) => {
    const named = head || before[at];
    if (named) for (const item of items) groups.set(item, clipped(tidy(named.innerText), 60));
  });
  return { ...list, rows: inner.flatMap((each) => each.items).filter(present), groups };
}

// Whether the things in several boxes begin with the same labels: then they are parts of a row.
function haveLabels(boxes) {
  if (boxes.length < 2) return false;
  const labels = boxes.map((items) => items.map((item) => tidy(item.textContent).match(/^[^:]{2,30}:/)?.[0]).filter(Boolean));
  return boxes.every((items, at) => 2 * labels[at].length > items.length) && labels.slice(1).some((each) => each.some((label) => labels[0].includes(label)));
}

// The like things that a box holds beside at most one heading; `sign` tells what they are where there may be only one.
function innerRows(row, sign) {
  let head = null;
  for (let box = row, level = 0; level < 4; level++) {
    if ([...childrenOf(box)].some((child) => child.nodeType === 3 && TELLING.test(child.data))) return null;
    const children = elementsOf(box).filter((child) => child.checkVisibility());
    const heads = children.filter((child) => child.matches(TITLE_SELECTOR) || (child.querySelector(TITLE_SELECTOR) && leafCount(child, 3) < 2));
    const rest = children.filter((child) => !heads.includes(child));
    if (heads.length + Boolean(head) > 1 || !rest.length) return null;
    head ||= heads[0];
    const alike = rest.every((child) => rowSign(child) === (sign || rowSign(rest[0])) && !NOT_LISTED.has(child.tagName));
    if (rest.length > 1 || (sign && alike)) return alike ? { items: rest, head } : null;
    box = rest[0];
  }
  return null;
}

function medianOf(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

// How much a list matters: how much of the page its rows take, how much they say, and how alike they are.
function weighList(list) {
  const sample = list.rows.slice(0, SAMPLE);
  const leaves = sample.map((row) => partsOf(list, row).reduce((sum, part) => sum + leafCount(part, 20), 0));
  if (!leaves.some(Boolean)) return false;
  const shapes = sample.map((row) => shapeOf(row));
  const alike = shapes.slice(1).map((shape, at) => shapesLikeness(shape, shapes[at]));
  const regular = list.kind === "table" || list.until ? 1 : alike.length ? alike.reduce((sum, each) => sum + each, 0) / alike.length : 0.5;
  const area = sample.reduce((sum, row) => sum + partsOf(list, row).reduce((all, part) => all + areaOf(part), 0), 0);
  const parts = Math.min(Math.max(1, medianOf(leaves.slice())), 8);
  const count = list.rows.length;
  list.score = ((area * count) / sample.length + 1) ** 0.25 * Math.sqrt(count * parts) * regular ** 2;
  if (list.box.closest(PAGE_FURNITURE) && !list.box.closest("main,[role=main]")) list.score *= 0.15;
  if (!list.heads.length && 2 * sample.filter((row) => row.querySelector(FORM_FIELDS)).length >= sample.length) list.score *= 0.4;
  const box = scrollBoxOf(list);
  if (box && box !== document.scrollingElement) list.score *= Math.min(4, Math.sqrt(box.scrollHeight / box.clientHeight));
  return true;
}

function areaOf(el) {
  const { width, height } = el.getBoundingClientRect();
  return width * height;
}

// The box whose scrolling brings more rows: the list itself, one around it, or the page.
function scrollBoxOf(list) {
  for (let up = list.box; up && up !== document.body && up !== document.documentElement; up = parentOf(up)) {
    if (/auto|scroll|overlay/.test(getComputedStyle(up).overflowY) && up.scrollHeight > up.clientHeight + 8) return up;
  }
  return document.scrollingElement || document.documentElement;
}

// What people call a list: its caption or label, else the heading over it.
function titleOf(list) {
  const box = list.box;
  const own = box.caption ? box.caption.innerText : authorName(box) ? nameOf(box) : "";
  if (tidy(own)) return clipped(tidy(own), 80);
  const head = headingBefore(list.rows[0]);
  return head && !list.rows.some((row) => row.contains(head)) ? clipped(tidy(head.innerText || ""), 80) : "";
}
