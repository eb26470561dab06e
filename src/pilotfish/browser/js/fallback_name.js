// The best words for a control that has no accessible name: icons, nearby text, test ids, class words, file names.

const NOISE = new Set(
  `a an the btn button icon icons ico fa fas far fab fal mdi bi material symbols glyphicon svg img image link wrapper
  container inner outer item items root base js is has ui col row box div span content block element component input
  field control form text var ant mui main primary secondary default active small large medium sm md lg xl xs left right top bottom
  flex grid inline horizontal vertical rail track thumb hidden visible cursor pointer rounded bg px py mx my pt pb pl pr mt mb ml mr w h css sc style styles
  ltr rtl none auto full light dark white black gray grey circle invisible transparent solid outline undefined null true false typography`.split(/\s+/),
);
const HINTS = ["data-testid", "data-test", "data-test-id", "data-qa", "data-cy", "data-icon", "data-name", "data-action",
  "data-tooltip", "data-title", "data-original-title", "aria-roledescription", "name", "data-value", "data-key", "id"];
// An element beside one of these is another of the same kind; its text does not describe this one.
const ROW = "tr,li,[role=row],[role=listitem],[role=gridcell]";
const FIELD = "input,select,textarea,canvas,video,audio";
const FIELD_TAGS = new Set(FIELD.toUpperCase().split(","));
const SPEAKING = /[\p{L}\p{N}]/u;
// Words of classes that say how a thing is, not what it is.
const PASSING = /^(active|inactive|selected|unselected|current|chosen|picked|checked|unchecked|ticked|pressed|toggled|open|opened|closed|expanded|collapsed|enabled|disabled|filled|focus|focused|hover|hovered|starred|liked|pinned)$/;
// "switchOff", "toggle-on": the state at the end of a class.
const STATE_END = /(?<=[a-z])(On|Off|[-_](on|off))$/;
const LAYOUT = new Set(
  "wrapper wrap container root inner outer content body holder layout item row cell col column group area list section".split(" "),
);
// A word that begins this many different classes is the prefix of a design system.
const PREFIXED = 8;
// The farthest that a label stands above its field.
const NEAR = 48;
// A colon that the style sheet puts behind a label.
const LOOSE_COLON = /\s:$/;
// Classes that say how a thing is drawn, as style sheets of small classes have them: "hover:bg-red", "justify-center", "opacity-0".
const DRAWING = new RegExp(
  "[:[\\]()]|^-?(?:justify|items|self|content)-(?:start|end|center|between|around|evenly|stretch|baseline|normal)$" +
    "|^-?(?:leading|tracking|shadow|opacity|duration|delay|ease|z|order|grow|shrink|basis|scale|rotate|blur|ring|inset|border|rounded|gap|size|[mp][trblxyse]?|[wh]|min-[wh]|max-[wh])-(?:\\d[\\d./]*|px|xs|sm|md|lg|xl|full|auto|none|tight|snug|normal|relaxed|loose|inset|inner|in|out|screen|fit|max|min)$" +
    "|^(?:text|bg|border|ring|ring-offset|outline|fill|stroke|from|to)-(?:foreground|background|muted|accent|primary|secondary|destructive|input|transparent|current|inherit|white|black)(?:-foreground)?$" +
    "|^font-(?:mono|sans|serif|thin|light|normal|medium|semibold|bold|black)$|^(?:cursor|pointer-events|overflow|overflow-[xy]|transition|whitespace)-\\w+$",
);
// Ids that a script gave: a long number, or the mark of a component.
const GIVEN_ID = /\d{5}|[:_]r\w{0,6}[:_]/;
// Keys that a script made: letters after figures.
const GENERATED = /\d[A-Za-z]/;
// What the attributes and classes of elements hint at, while the document stays as it is.
let attributeHints = new Map();
let classHints = new Map();
const CONTROLS = "a[href],button,input,select,textarea,[role=button],[role=link],[role=checkbox],[role=switch],[role=combobox],[role=menuitem]";
// What has a number of its own in an element and is no part of its name.
const APART = { gridcell: CONTROLS, row: CONTROLS, treeitem: "[role=treeitem],[role=group]" };
const GLYPHS = /[\uE000-\uF8FF\u200B-\u200F\u2060\uFEFF]/g;

function forgetHints() {
  attributeHints = new Map();
  classHints = new Map();
}

// What a person would call it: the accessible name without icon glyphs, else the best guess.
function labelFor(el, role) {
  const own = ownLabel(el, role).replace(LOOSE_COLON, "");
  if (FIELD_TAGS.has(el.tagName) || isShape(el) || role === "gridcell") return own;
  if (SPEAKING.test(own) && !ON_OFF.test(own) && !likeNamed(el, own) && (nameOf(el) || !(classSays(el, STARS) || classSays(el, DOTS)))) return own;
  return nameWithRow(el, own);
}

// The name without the row that it belongs to. Where no role takes its name from the content, the tooltip is the
// accessible name; the words that an element shows come before it.
function ownLabel(el, role) {
  if (role in APART && !authorName(el) && el.querySelector(APART[role])) return clipped(textBeside(el, APART[role]), 100);
  if (isLabelledByButtons(el)) return clipped(el.placeholder, 80);
  const name = isNamedByValue(el, role) ? "" : tidy(nameOf(el).replace(GLYPHS, ""));
  if (!name.trim()) return guessed(el, role);
  const sign = foldSign(el, role, name);
  if (sign) return name.slice(sign.length);
  const title = SPEAKING.test(name) ? "" : tidy(el.getAttribute("title") || "");
  if (LETTERED.test(title)) return clipped(title, 80);
  const hint = role === "clickable" && el.hasAttribute("title") && name === tidy(el.getAttribute("title"));
  const text = hint ? clipped(shown(el), 100) : "";
  return LETTERED.test(text) ? text : name;
}

// Whether a drawn list is called by the part of it that shows what is chosen.
function isNamedByValue(el, role) {
  const named = role === "combobox" && el.tagName !== "INPUT" ? listReferenced(el, "aria-labelledby") : [];
  return named.length > 0 && named.every((to) => to !== el && el.contains(to));
}

// Whether the labels of a field say nothing but what the buttons in them say, and it tells itself what belongs into it.
function isLabelledByButtons(el) {
  return Boolean(el.placeholder && el.labels?.length) && [...el.labels].every((label) => label.querySelector("button") && !LETTERED.test(textBeside(label, CONTROLS)));
}

// What a cell, row, branch or label says beside what is told by itself.
function textBeside(el, apart) {
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  let said = "";
  while (texts.nextNode()) {
    const { data, parentElement: holder } = texts.currentNode;
    const label = holder.closest("label");
    const part = holder.closest(apart) || (label?.control && label !== el && label);
    if (data.trim() && !(part && part !== el && el.contains(part)) && holder.checkVisibility(SEEN) && !isIcon(holder)) said += ` ${data}`;
  }
  return tidy(said.replace(GLYPHS, ""));
}

function guessed(el, role) {
  const name = guess(el, role);
  return name.slice(foldSign(el, role, name).length);
}

function guess(el, role) {
  const label = hostLabel(el);
  if (label) return clipped(label, 80);
  const field = el.matches("input,select,textarea") || el.isContentEditable;
  if (el.type === "checkbox" || el.type === "radio") return clipped(besideField(el) || rowTitle(el) || `${attributeHint(el)} ${valueHint(el)}`.trim(), 80);
  if (field) return clipped((sharesCell(el) && besideField(el)) || columnHead(el) || nearby(el) || labelAbove(el) || attributeHint(el) || signPlace(el), 80);
  if (TOGGLES.has(role)) return clipped(firstWordsOf(el) || rowTitle(el) || hinted(el, role), 80);
  if (isShape(el)) return clipped(shapeName(el), 60);
  if (role === "slider" && el.parentElement) return clipped(sliderName(el), 60);
  if (role === "combobox") return clipped(replacedFieldName(el) || listLabel(el) || pictured(el) || labelAbove(el) || attributeHint(el), 80);
  const text = WIDGETS.has(role) ? "" : ROWED.has(role) ? shown(el).replace(SIGNED, " ") : shown(el);
  if (role === "gridcell") return clipped(text, 100);
  const address = role === "link" && !text ? attributeHint(el) || addressName(el) : "";
  return clipped(text || pictured(el) || address || colouredHint(el, role), 100);
}

// Which of several fields for one sign each it is, as for a code.
function signPlace(el) {
  for (let up = el.parentElement, level = 0; el.maxLength === 1 && up && level < 2; up = up.parentElement, level++) {
    const all = [...up.querySelectorAll("input[maxlength='1']")];
    if (all.length > 2) return `sign ${all.indexOf(el) + 1} of ${all.length}`;
  }
  return "";
}

// Whether the cell of a field has other fields too, so that the head of the column names none of them alone.
function sharesCell(el) {
  const cell = el.closest("td");
  return Boolean(cell) && cell.querySelectorAll(FIELD).length > 1;
}

// What the head of a table says above the cell of a field.
function columnHead(el) {
  const cell = el.closest("td");
  const head = cell && cell.parentElement.parentElement !== cell.closest("table").tHead && headRow(cell.closest("table"));
  const found = head && head !== cell.parentElement ? [...head.cells].find((one) => one.cellIndex === cell.cellIndex) : null;
  return found && found.tagName === "TH" && found.colSpan === 1 ? labelTextOf(found) : "";
}

function headRow(table) {
  const row = table.tHead?.rows[0] || table.rows[0];
  return row && row.cells.length > 1 && [...row.cells].every((cell) => cell.tagName === "TH") ? row : null;
}

// What the field is called that a drawn list is shown instead of.
function replacedFieldName(el) {
  for (let up = el.parentElement, level = 0; up && level < ROW_LEVELS; up = up.parentElement, level++) {
    const fields = [...up.querySelectorAll("select,input:not([type=hidden])")].filter((field) => !el.contains(field));
    if (!fields.length) continue;
    const { width, height } = fields[0].getBoundingClientRect();
    const unseen = width <= TINY || height <= TINY || !fields[0].checkVisibility(SEEN);
    return fields.length === 1 && unseen ? tidy(nameOf(fields[0])) : "";
  }
  return "";
}

// What a drawn list is called by: the label in it or beside it.
function listLabel(el) {
  const label = el.querySelector("label");
  return label ? tidy(shown(label)) : nearby(el);
}

// The colour of a pale button, or of a pale box that something else tells of, is not its name.
function colouredHint(el, role) {
  const hint = hinted(el, role);
  const colour = hint && hint === besideText(el) ? "" : boxColour(el);
  return (role === "button" || hint) && PALE.has(colour) ? hint : `${hint} ${colour}`.trim();
}

// The label stands beside a box that has the knob deep inside it. The number of a slider is not its name.
function sliderName(el) {
  const near = nearby(el, 5);
  return el.closest("[aria-label]")?.getAttribute("aria-label") || (/\p{L}/u.test(near) ? near : hinted(el.parentElement, "slider"));
}

// What the label of a component says of the control inside it.
function hostLabel(el) {
  const host = el.getRootNode().host;
  if (!host) return "";
  const id = host.getAttribute("id");
  const label = host.closest("label") || (id && host.getRootNode().querySelector(`label[for="${CSS.escape(id)}"]`));
  return host.getAttribute("aria-label") || (label ? shown(label) : "");
}

function clipped(text, length) {
  if (!text) return "";
  const line = tidy(text);
  return line.length > length ? line.slice(0, length - 1) + "…" : line;
}

// Text beside a field, or in the cell or block before it. A sentence is no label.
function nearby(el, levels = 3) {
  const beside = besideField(el, true) || loneLabel(el) || besideField(el);
  if (beside) return beside;
  let up = el.parentElement;
  for (let level = 0; up && level < levels; level++, up = up.parentElement) {
    const fields = [...up.querySelectorAll("input:not([type=hidden]),select,textarea")].filter((field) => field === el || !replaced(field));
    if (fields.length > 1) return "";
    const lone = [...up.querySelectorAll("label")].filter((label) => !label.control && label.checkVisibility());
    if (lone.length === 1 && labelTextOf(lone[0])) return labelTextOf(lone[0]);
    const row = up.matches(ROW) || isRepeated(up);
    const own = el.isContentEditable || (el.parentElement === up && hasCells(el)) ? "" : labelTextOf(up);
    const text = own || (row ? "" : textBefore(up));
    if (text || row) return text;
  }
  return "";
}

// The only label in a box that holds this field alone and no field of the label, which may name one that is elsewhere: what
// stands behind the field may say what is wrong with it.
function loneLabel(el) {
  for (let up = el.parentElement, level = 0; up && level < 3; up = up.parentElement, level++) {
    if ([...up.querySelectorAll("input:not([type=hidden]),select,textarea")].some((field) => field !== el && !replaced(field))) return "";
    const labels = [...up.querySelectorAll("label")].filter((label) => !(label.control && up.contains(label.control)) && label.checkVisibility());
    if (labels.length) return labels.length === 1 ? shortText(labels[0]) : "";
  }
  return "";
}

// Whether a field is out of sight, or so faint that another one is drawn in its place and takes keys and clicks.
function replaced(field) {
  return !field.checkVisibility() || (field.tabIndex < 0 && !field.checkVisibility(SEEN));
}

// Text right beside a field: before it, or after it for boxes and circles. In a row of several alike, what stands after a
// field that is typed into is its label only where it stands alone and holds no number; else it is another cell.
function besideField(el, before = false) {
  const after = el.type === "checkbox" || el.type === "radio";
  const steps = after ? ["nextSibling", "previousSibling"] : ["previousSibling", "nextSibling"];
  for (const step of !after && (before || hasCells(el)) ? steps.slice(0, 1) : steps) {
    for (let node = el[step]; node; node = node[step]) {
      const text = labelTextOf(node);
      if (text) return text;
      const step = node.nodeType === 1 && el.matches(NUMBER_FIELD) && STEP_SIGN.test(node.textContent.trim());
      if (!step && node.nodeType === 1 && node.matches("input,select,textarea,button")) break;
    }
  }
  return "";
}

// Whether a field stands in a row of several alike with other cells: several texts, or one with a number.
function hasCells(el) {
  if (!el.parentElement || !isRepeated(el.parentElement)) return false;
  const texts = [...el.parentNode.childNodes].filter((node) => node !== el && SPEAKING.test(node.textContent));
  return texts.length > 1 || texts.some((node) => /\d/.test(node.textContent));
}

// What stands right before an element, a line break apart.
function textBefore(el) {
  let node = el.previousSibling;
  while (node && (node.nodeType === 8 || (node.nodeType === 3 && !node.data.trim()))) node = node.previousSibling;
  return node ? labelTextOf(node) : "";
}

function shortText(label) {
  const text = tidy(shown(label));
  return isLabel(text) && SPEAKING.test(text) ? text : "";
}

function labelTextOf(node) {
  if (node.nodeType === 3) return SPEAKING.test(node.data) ? tidy(node.data) : "";
  if (node.nodeType !== 1 || !node.checkVisibility() || node.matches("script,style,button,select,option,a,input,textarea")) return "";
  if ((node.tagName === "LABEL" && node.control) || node.getAttribute("aria-hidden") === "true" || pressed(node)) return "";
  const more = node.querySelector("select,textarea,button,td,li,p") || [...node.querySelectorAll("label")].some((label) => label.control);
  return more ? "" : shortText(node);
}

function isLabel(text) {
  return text.length <= 80 && !/[.!]["”']?$|[.!?] \p{Lu}/u.test(text);
}

// Whether a box is there to be clicked, or holds nothing but what is: its words do not describe its neighbours.
function pressed(node) {
  const points = (el) => el && styleOf(el).cursor === "pointer";
  return !points(node.parentElement) && [node, ...node.querySelectorAll(":scope > *")].some(points);
}

function pictured(el) {
  const inner = el.querySelector("[aria-label],[title],img[alt],svg title,svg desc");
  if (inner) {
    const text = inner.getAttribute("aria-label") || inner.getAttribute("title") || inner.getAttribute("alt") || inner.textContent;
    if (text && text.trim()) return text;
  }
  const icon = iconsIn(el)[0];
  if (icon) return words(icon.textContent);
  const drawn = drawnIcon(el);
  if (drawn) return words(drawn);
  const use = el.querySelector("use");
  const ref = use && (use.getAttribute("href") || use.getAttribute("xlink:href"));
  if (ref && ref.includes("#")) return words(ref.slice(ref.indexOf("#") + 1));
  const image = el.tagName === "IMG" ? el : el.querySelector("img[src]");
  return image ? lastAddressPart(image.getAttribute("src")) : "";
}

// What attributes and ids say, then classes, then the words beside what stands alone, then what a click calls: "save(this)" and "this.form.submit()".
function hinted(el, role) {
  const said = attributeHint(el) || elementAndParts(el).map((node) => classWords(node, role)).find(Boolean);
  if (said) return said;
  if (role === "clickable" && likeBeside(el).length < 2) {
    const beside = besideText(el);
    if (beside) return beside;
  }
  const calls = (el.getAttribute("onclick") || "").match(/\b[A-Za-z]\w*(?=\()/g);
  return calls ? words(calls[calls.length - 1]) : "";
}

// What a circle without words stands for: the value that it sends.
function valueHint(el) {
  return el.type === "radio" && el.value !== "on" ? words(el.value) : "";
}

function attributeHint(el) {
  let hint = attributeHints.get(el);
  if (hint === undefined) attributeHints.set(el, (hint = readAttributeHint(el)));
  return hint;
}

function readAttributeHint(el) {
  for (const node of elementAndParts(el)) {
    const present = node.getAttributeNames();
    for (const name of HINTS) {
      const text = present.includes(name) ? node.getAttribute(name) : "";
      const given = GENERATED.test(text) || (name === "id" && GIVEN_ID.test(text));
      const said = text && text.length < 60 && !given ? words(text, name === "id" ? classPrefixes() : null) : "";
      if (said) return said;
    }
  }
  return "";
}

// An element with the first few parts of it.
function elementAndParts(el) {
  const inner = el.firstElementChild;
  return inner ? [el, inner, ...inner.querySelectorAll(":scope > *")].slice(0, 4) : [el];
}

// The words of classes, but for those that only repeat the role. A class that names a part of a layout, such as
// "list-item__wrapper", does not say what the part is for.
function classWords(el, role) {
  let said = classHints.get(el);
  if (said === undefined) {
    const tokens = lastingClasses(el).split(/\s+/);
    const folded = (token) => classSays(el, FOLDING) && /^(open|closed)$/.test(addedWord(token, tokens));
    const telling = tokens.filter((token) => !isLayout(token) && !folded(token) && !GENERATED.test(token) && !DRAWING.test(token)).map((token) => token.replace(STATE_END, "")).join(" ");
    classHints.set(el, (said = words(telling, classPrefixes()).split(" ")));
  }
  return said.filter((word) => word !== role).join(" ");
}

function isLayout(token) {
  const parts = token.toLowerCase().split(/[-_]+/);
  while (parts.length > 1 && /\d/.test(parts.at(-1))) parts.pop();
  return parts.length > 1 && LAYOUT.has(parts.at(-1).replace(/s$/, ""));
}

// The classes of an element; where it has more than all its like, only those that they share: the rest is its state.
function lastingClasses(el) {
  const own = el.getAttribute("class") || "";
  const others = el.parentElement ? likeBeside(el).filter((one) => one !== el).map((one) => one.getAttribute("class") || "") : [];
  const shared = others.length > 1 && others.every((one) => one === others[0]) ? others[0] : own;
  return shared.split(/\s+/).every((token) => own.includes(token)) ? shared : own;
}

// What a link without words leads to: the last part of its address, else the part of this page.
function addressName(el) {
  const [page, part] = (el.getAttribute("href") || "").split("#");
  return page ? lastAddressPart(el.href) : words(part || "");
}

// The one line of text right above a field that stands alone in its box, though it may be there to be clicked.
function labelAbove(el) {
  const field = el.getBoundingClientRect();
  for (let up = el.parentElement, level = 0; up && up !== document.body && level < ROW_LEVELS; up = up.parentElement, level++) {
    if ([...up.querySelectorAll(FIELD)].some((other) => other !== el && !replaced(other))) return "";
    const lines = linesBefore(up, el);
    if (!lines.length) continue;
    const [[text, rect]] = lines;
    const above = field.top - rect.bottom > -4 && field.top - rect.bottom < NEAR && Math.abs(field.left - rect.left) < NEAR;
    return lines.length === 1 && above && isLabel(text) ? text : "";
  }
  return "";
}

// The first two texts with letters before an element in a box, with where they are.
function linesBefore(box, el) {
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const found = [];
  while (found.length < 2 && texts.nextNode() && !(texts.currentNode.compareDocumentPosition(el) & 2) && !el.contains(texts.currentNode)) {
    const { data, parentElement: holder } = texts.currentNode;
    if (!LETTERED.test(data) || SKIP.has(holder.tagName) || isIcon(holder) || !holder.checkVisibility(SEEN) || isInvisibleText(holder)) continue;
    if (holder.closest("label")?.control) continue;
    found.push([tidy(data), holder.getBoundingClientRect()]);
  }
  return found;
}

let prefixes = new Set();
let prefixesAt = 0;

// The words that begin so many classes of the page that they are the prefix of its design system, which may have two.
function classPrefixes() {
  const count = document.getElementsByTagName("*").length;
  if (count <= prefixesAt * 2) return prefixes;
  prefixesAt = count;
  const rests = new Map();
  for (const el of [...document.querySelectorAll("[class]")].slice(0, PLENTY)) {
    for (const token of el.getAttribute("class").split(/\s+/)) {
      const [, first, second] = /^([a-z]+)(?=[-_])(?:[-_]([a-z]+)(?=[-_]))?/i.exec(token)?.map((word) => word?.toLowerCase()) || [];
      for (const start of [first, second && `${first}-${second}`]) if (start) rests.set(start, (rests.get(start) || new Set()).add(token));
    }
  }
  const begins = [...rests].filter(([, found]) => found.size >= PREFIXED).map(([start]) => start);
  // A second word begins nearly all classes that the first one begins; else it is the name of a component.
  const whole = begins.filter((start) => !start.includes("-") || rests.get(start).size * 2 > rests.get(start.split("-")[0]).size);
  return (prefixes = new Set(whole.flatMap((start) => start.split("-"))));
}

// "fa-trash-alt btnPrimary x7Gq" → "trash alt": words that a person could read.
function words(text, without) {
  const parts = text.slice(0, 120).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}]+/u);
  const kept = parts.filter((part) => part.length > 2 && !NOISE.has(part) && !without?.has(part) && !PASSING.test(part) && /[aeiouy\u0080-\uffff]/.test(part));
  return [...new Set(kept)].slice(0, 3).join(" ");
}

function lastAddressPart(url) {
  if (!url || url.startsWith("data:") || url.startsWith("blob:")) return "";
  const path = url.split(/[?#]/)[0].replace(/(?<!\/)\/+$/, "");
  const last = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return words(last) || (last.length > 1 && last.length < 24 ? last : "");
}
