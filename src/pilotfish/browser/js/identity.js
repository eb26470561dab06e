// Which handle stands for which element. An element keeps its handle while its role, its name and its row stay. One
// that the page draws anew gets the handle of the one before it, if no other element could be meant.

const ASIDE = new Set(["BUTTON", "SELECT", "OPTION", "SCRIPT", "STYLE"]);
const LETTERS = /\p{L}/u;
// Longer lists are not compared row by row.
const LONGEST = 800;
const ROW_TEXT = 600;
// Signs that stand for a state or for what can be done with a row.
const SIGNED = /[★☆⭐✓✔☐☑☒✅●○♥♡×✕✖]/gu;
const ROWED = new Set(["listitem", "row", "article", "treeitem", "option"]);
const NO_ROW = { words: "", only: true, full: "", twin: "0/1", around: "", list: null };

let handles = new WeakMap();
const records = new Map();
let lastHandle = 0;
// Handles by identity in the last look and in the look before it, and the content of the last look.
let lastIdentities = new Map();
let previousIdentities = new Map();
let lastContent = "";
// What is known of rows, of their words, lists and places, while the document stays as it is.
let knownRows = new Map();
let rowsAround = new Map();
let rowFactsBy = new Map();
let wordsBy = new Map();
let listsBy = new Map();
let pathsBy = new Map();
// Boxes that held rows in some look.
const rowLists = new WeakSet();
const PATHS = 5000;
const pathNumbers = new Map();
let lastPath = 0;

function forgetRows() {
  knownRows = new Map();
  rowsAround = new Map();
  rowFactsBy = new Map();
  wordsBy = new Map();
  listsBy = new Map();
  pathsBy = new Map();
}

function handleFor(look, el, role, name, target) {
  const row = rowFacts(el);
  const known = records.get(handles.get(el));
  const aim = target ? new WeakRef(target) : null;
  if (known && known.role === role && known.name === name && sameRow(known.row, row)) {
    known.target = aim;
    known.row = row;
    return handles.get(el);
  }
  const bare = decorated ? clipped(bareName(el), NAME) : name;
  records.set(++lastHandle, { el: new WeakRef(el), role, name, bare, row, target: aim });
  handles.set(el, lastHandle);
  (look.newHandles ||= new Set()).add(lastHandle);
  return lastHandle;
}

function elementOf(handle) {
  const record = records.get(handle);
  const el = record && record.el.deref();
  return el && el.isConnected ? el : null;
}

// Why an element is not what its handle stands for, or null where it is.
function mismatch(handle) {
  const record = records.get(handle);
  const el = elementOf(handle);
  if (!el) return { e: "gone" };
  const role = record.role;
  const now = BOXES.has(role) || role === "scrollable" || role === "hover area" ? role : spokenRole(el, roleOf(el));
  const name = scrollBoxes.has(el) || (role === "hover area" && hoverRows.has(el)) ? record.name : clipped(labelFor(el, now), NAME);
  if (now !== role || !(name === record.name || hasBareName(el, record))) return { e: "renamed", r: now, n: name };
  const row = rowFacts(el);
  return sameRow(record.row, row) ? null : { e: "moved", was: firstWords(record.row), now: firstWords(row) };
}

// Whether only the part of the name changed that the style sheet adds.
function hasBareName(el, record) {
  const name = clipped(bareName(el), NAME);
  return name !== "" && name === record.bare;
}

function firstWords(row) {
  return row.words.split("|").filter((part) => LETTERS.test(part) && !part.includes("/"))[0] || row.words.slice(0, 60);
}

// The same; if the page was redrawn since the last look, scan it again first.
function mismatchNow(handle) {
  const wrong = () => mismatch(handle);
  forget();
  let why = wrong();
  if (!why || !records.has(handle)) return why;
  scan();
  why = wrong();
  if (!why || !document.body) return why;
  scanAll(document.body);
  return wrong();
}

function standsFor(handle, el) {
  forget();
  return elementOf(handle) === el && !mismatch(handle);
}

// Gives redrawn elements the handles of those that they replace.
function keepKnownHandles(look) {
  const identified = identities(look);
  look.content = look.nodes.map((node) => `${node.k}|${node.r}|${node.n}`).join("\n");
  if (look.newHandles) {
    const still = lastContent === look.content;
    for (const [identity, { node, alone }] of identified) {
      const old = look.newHandles.has(node.h) && (alone || still) && lastIdentities.get(identity);
      if (old && records.has(old) && (handles.get(elementOf(old)) !== old || mismatch(old))) takeOverHandle(node, old);
    }
  }
  look.identified = identified;
}

function takeOverHandle(node, old) {
  const { el, bare, row, target } = records.get(node.h);
  Object.assign(records.get(old), { el, bare, row, target });
  records.delete(node.h);
  handles.set(el.deref(), old);
  node.h = old;
}

// Keeps what a look saw, to recognise it in the next. A look at a part of the page adds to what is kept.
function keepLook(look, whole) {
  if (whole) {
    lastIdentities = new Map();
    lastContent = look.content;
  }
  for (const [identity, { node }] of look.identified) {
    const known = lastIdentities.get(identity);
    lastIdentities.set(identity, known && known !== node.h ? 0 : node.h);
  }
}

// What identifies each control of a look: role, name, where it leads, its row and the row's list, or outside rows the
// heading and words before it; and which of several it is. `alone`: no other control in the look shares all of that.
function identities(look) {
  const counts = new Map();
  const found = [];
  const rowed = [];
  const here = location.href;
  const parts = here.split("#")[0] + "#";
  let head = "";
  let said = "";
  for (const node of look.nodes) {
    rowed.push((node.k === "item" && !node.pair) || ROWED.has(node.r) || Boolean(rowed[node.d]));
    if (node.k === "h" && !rowed.at(-1)) [head, said] = [node.n, ""];
    else if (node.k === "t" && !rowed.at(-1) && LETTERS.test(node.n)) said = node.n;
    const record = node.h && records.get(node.h);
    if (!record) continue;
    const row = record.row;
    const place = row.list ? [row.words, listPath(row.list), row.only ? "" : row.full + row.twin + row.around] : [head, said];
    const leads = node.g === "a" && node.u && !node.u.startsWith(parts) ? node.u : here;
    const key = [node.r, node.n, node.g, node.y, leads, ...place].join("\n");
    found.push([key, counts.get(key) || 0, node]);
    counts.set(key, (counts.get(key) || 0) + 1);
  }
  return new Map(found.map(([key, at, node]) => {
    const many = counts.get(key);
    const sure = records.get(node.h).row.list ? records.get(node.h).row.twin !== "" : many === 1;
    return [`${key}\n${at}/${many}`, { node, alone: sure }];
  }));
}

function sameRow(one, two) {
  return one.words === two.words && ((one.only && two.only) || (one.full === two.full && one.twin === two.twin));
}

// What distinguishes a row from similar ones: its first words, and more of it where other rows begin alike.
function rowFacts(el) {
  const scrolled = scrollBoxes.has(el);
  let facts = scrolled ? undefined : rowsAround.get(el);
  if (facts !== undefined) return facts;
  facts = NO_ROW;
  for (let row = !scrolled && isRow(el) ? el : rowOf(el); row; row = rowOf(row)) {
    if (!rowFactsBy.has(row)) rowFactsBy.set(row, readRow(row));
    if (!rowFactsBy.get(row)) continue;
    facts = rowFactsBy.get(row);
    break;
  }
  if (!scrolled) rowsAround.set(el, facts);
  return facts;
}

function readRow(row) {
  const words = wordsOf(row);
  if (!words) return null;
  const item = itemOf(row);
  const list = item.parentNode;
  const full = wholeText(row);
  const facts = { words, only: true, full, twin: "0/1", around: "", list };
  if (list.childElementCount > LONGEST) return { ...facts, only: false, twin: "" };
  const known = readList(list);
  if (known.words.get(wordsOf(item)) === 1) return facts;
  known.lasting ||= Map.groupBy(childElements(list), lastingText);
  if (known.lasting.get(lastingText(item)).length === 1) return { ...facts, only: false, full: lastingText(row) };
  known.texts ||= Map.groupBy(childElements(list), wholeText);
  const twins = known.texts.get(wholeText(item));
  if (twins.length > 1) known.hash ||= hashed(list.textContent);
  return { ...facts, only: false, twin: `${twins.indexOf(item)}/${twins.length}`, around: known.hash || "" };
}

function readList(list) {
  if (!listsBy.has(list)) listsBy.set(list, { words: tallied(childElements(list).map(wordsOf)) });
  return listsBy.get(list);
}

function hashed(text) {
  let sum = 5381;
  for (let at = 0; at < text.length; at++) sum = (sum * 33 + text.charCodeAt(at)) % 9007199254740;
  return String(sum);
}

function tallied(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) || 0) + 1);
  return counts;
}

// The row, or the outermost box around it that holds nothing else. What is a row by its tag or role stands in its list, also
// where it is the last one there.
function itemOf(row) {
  let item = row;
  if (row.tagName === "LI" || row.tagName === "TR" || row.hasAttribute("role")) return item;
  while (item.parentElement && item.parentElement !== document.body && item.parentElement.childElementCount === 1) item = item.parentElement;
  return item;
}

function wordsOf(row) {
  if (!wordsBy.has(row)) wordsBy.set(row, rowWords(row));
  return wordsBy.get(row);
}

// Where a list is: the box around it, and its number among similar boxes that could hold such a list.
function listPath(list) {
  const tag = list.localName || "*";
  if (!pathsBy.has(tag)) pathsBy.set(tag, new Map());
  return pathFrom(list.nodeType === 11 ? list.host : list, tag, pathsBy.get(tag));
}

// The boxes from an element up, as a number; lists in the same boxes share what was found.
function pathFrom(el, tag, known) {
  if (!el || el === document.body) return 0;
  let path = known.get(el);
  if (path === undefined) {
    const like = el.parentElement ? childElements(el.parentElement).filter((each) => each === el || (isAlike(each, el) && holdsSuch(each, tag))) : [el];
    path = pathNumber(`${el.tagName}.${firstClass(el)}#${el.getAttribute("id") || ""}@${like.indexOf(el)}/${like.length} ${pathFrom(parentOf(el), tag, known)}`);
    known.set(el, path);
  }
  return path;
}

// The number of a way down to a box: the same in every look, and never that of another way.
function pathNumber(way) {
  let number = pathNumbers.get(way);
  if (number === undefined) {
    if (pathNumbers.size > PATHS) pathNumbers.clear();
    pathNumbers.set(way, (number = ++lastPath));
  }
  return number;
}

function holdsSuch(el, tag) {
  return el.localName === tag || el.getElementsByTagName(tag).length > 0;
}

// Collects the texts up to the first with letters, without those of buttons. True if there was one.
function firstTexts(el, parts) {
  for (let child = el.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 1) {
      if (!ASIDE.has(child.tagName) && child.getAttribute("role") !== "button" && firstTexts(child, parts)) return true;
    } else if (child.nodeType === 3) {
      const text = child.data.trim();
      // A sign alone, such as a tick or a star, may be the state of the row.
      if (SPEAKING.test(text)) parts.push(text.slice(0, 60));
      if (LETTERS.test(text)) return true;
    }
  }
  return false;
}

// The nearest row around an element, or null.
function rowOf(el) {
  let up = parentOf(el);
  for (let level = 0; up && level < 8; level++, up = parentOf(up)) {
    if (up.tagName === "BODY") return null;
    if (isRow(up)) return up;
  }
  return null;
}

function isRow(el) {
  let row = knownRows.get(el);
  if (row === undefined) knownRows.set(el, (row = looksLikeRow(el)));
  return row;
}

function looksLikeRow(el) {
  const tag = el.tagName;
  if (tag === "LI" || tag === "TR" || tag === "ARTICLE") return true;
  const role = el.getAttribute("role");
  if (role === "row" || role === "listitem" || role === "article" || role === "treeitem") return true;
  if (!isRepeated(el)) return isLeftOfRows(el);
  rowLists.add(el.parentNode);
  return true;
}

// Whether an element is one of the last two in a box that held rows: with the third gone, they are still rows.
function isLeftOfRows(el) {
  const list = el.parentNode;
  if (!rowLists.has(list) || list.childElementCount > 2 || !el.firstElementChild) return false;
  return isAlike(list.firstElementChild, list.lastElementChild);
}

function rowWords(row) {
  const parts = [row.getAttribute("id"), row.getAttribute("data-id"), row.getAttribute("data-key")];
  firstTexts(row, parts);
  const link = row.querySelector("a[href]");
  if (link) parts.push(link.getAttribute("href").slice(0, 120));
  return parts.filter(Boolean).join("|");
}

// The same without the signs that stand for a state, such as a star.
function lastingText(row) {
  return wholeText(row).replace(SIGNED, "");
}

function wholeText(row) {
  return `${row.getAttribute("aria-rowindex") || ""}|${row.textContent.trim().slice(0, ROW_TEXT)}`;
}
