// What a control without words of its own is called by: the row or label that it belongs to, or its icon.

const STAR = /^[★☆⭐]$/u;
const LETTERED = /\p{L}/u;
// What some switches say beside their knob is their state, not their name.
const STATE_WORD = /^(on|off|yes|no|enabled|disabled|an|aus|ein|ja|nein|oui|non|sí|开|关|是|否)$/i;
// A name that says of nothing whether it is on; some switches show both words.
const ON_OFF = /^(on|off|enabled|disabled|开|关)(\s(on|off|enabled|disabled|开|关))?$/i;
const STEP_SIGN = /^[+\-−–]$/;
const NUMBER_FIELD = "input[type=number],[role=spinbutton],input[inputmode=numeric]";
const LIGATURE = /^\s*[a-z][a-z0-9_]{1,40}\s*$/;
const ICON_FONT = /icon|symbol|glyph|awesome/i;
const ICON_WORDS = new Set(["icon", "symbol", "glyphicon"]);
// Whether the name that was found last is that of the row.
let borrowed = false;
// How many levels up the row of a control may be.
const ROW_LEVELS = 5;
const LABEL_LINES = 3;
// How many times as high as a list to choose from its row may be.
const MOST_TIMES_AS_HIGH = 4;
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;
const STARTS_WITH_WORD = /^[\p{L}\p{N}]/u;
const WORDLESS_PARTS = "script,style,template,noscript,button,select,textarea,svg,[role=button],[aria-hidden=true]";

// The child elements; `children` may be hidden by a form field of that name.
function childElements(el) {
  const found = [];
  for (let child = el.firstElementChild; child; child = child.nextElementSibling) found.push(child);
  return found;
}

// Whether a text in an element has a letter. The first texts tell, so that not all of a large part is put together.
function hasLetters(el) {
  const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (LETTERED.test(texts.currentNode.data)) return true;
  return false;
}

// Whether an element draws its letters as an icon: by its font, or by a class for icons and a word that is none.
function isIcon(el) {
  const text = el.childElementCount === 0 ? el.textContent : "";
  if (!text || text.length > 42 || !LIGATURE.test(text)) return false;
  if (inIconFont(styleOf(el))) return true;
  return classSays(el, ICON_WORDS) && (text.includes("_") || classesOf(el).parts.has("material"));
}

// Whether a font for icons draws the letters. Only the first font counts: many lists end with one for symbols.
function inIconFont(style) {
  return ICON_FONT.test(style.fontFamily.split(",", 1)[0]);
}

// Whether the style keeps the words of two elements in one line apart, as it does with tags.
function standApart(before, after) {
  const sum = (el, side) => ["margin", "padding"].reduce((gap, kind) => gap + (parseFloat(styleOf(el)[kind + side]) || 0), 0);
  return Boolean(before) && sum(before, "Right") + sum(after, "Left") > 2;
}

// The text of an element, with blanks between parts that touch in it but not on the screen.
function textApart(el) {
  let text = el.innerText || el.textContent || "";
  for (const after of el.childElementCount > 1 ? childElements(el).slice(1, 12) : []) {
    const before = after.previousSibling;
    if (before.nodeType !== 1 || !ENDS_IN_WORD.test(before.textContent) || !STARTS_WITH_WORD.test(after.textContent)) continue;
    if (standApart(before, after)) text = text.replace(before.textContent + after.textContent, `${before.textContent} ${after.textContent}`);
  }
  return text;
}

// The words that an element shows, without those that draw its icons.
function shown(el) {
  let text = textApart(el);
  if (/[a-z]/.test(text)) for (const icon of iconsIn(el)) text = text.replace(icon.textContent.trim(), " ");
  return text.replace(GLYPHS, "").slice(0, 200);
}

function iconsIn(el) {
  return [el, ...[...el.querySelectorAll("*")].slice(0, 40)].filter(isIcon);
}

// The name of the first icon that a style sheet draws with a font for icons.
function drawnIcon(el) {
  for (const part of [el, ...[...el.querySelectorAll(":not(svg, svg *)")].slice(0, 12)]) {
    for (const which of ["::before", "::after"]) {
      const style = styleOf(part, which);
      if (!style.content || style.content === "none" || style.content === "normal" || !inIconFont(style)) continue;
      const said = contentText(part, which, style.content);
      if (LIGATURE.test(said)) return said;
    }
  }
  return "";
}

// The first line of the row around a control: what a switch, a cross or a tick belongs to.
function rowTitle(el) {
  const title = besideText(el) || lineAround(el);
  borrowed ||= title !== "";
  return title;
}

function lineAround(el) {
  for (let up = el.parentElement, level = 0; up && up !== document.body && level < ROW_LEVELS; up = up.parentElement, level++) {
    if (sharesRow(up, el)) return "";
    const line = firstLine(up, el);
    if (line) return clipped(line, 80);
  }
  return "";
}

// The words right beside a control: before it, or after it where it comes first.
function besideText(el) {
  for (const way of ["previousSibling", "nextSibling"]) {
    let node = el[way];
    while (node && (node.nodeType === 8 || (node.nodeType === 3 && !node.data.trim()))) node = node[way];
    if (!node) continue;
    const text = node.nodeType === 3 ? tidy(node.data) : node.nodeType === 1 && !node.matches(WORDLESS_PARTS) && !node.querySelector(INNER) && node.checkVisibility() ? labelWordsOf(node) : "";
    if (LETTERED.test(text) && !STATE_WORD.test(text)) return clipped(text, 80);
    if (way === "previousSibling") return "";
  }
  return "";
}

// The first words of what is short enough to be a label: not those of a list.
function labelWordsOf(el) {
  const lines = shown(el).split("\n").filter((line) => LETTERED.test(line));
  return lines.length <= LABEL_LINES ? lines[0]?.trim() || "" : "";
}

function firstWordsOf(el) {
  return shown(el).split("\n").map((line) => line.trim()).find((line) => LETTERED.test(line)) || "";
}

// Whether others of its kind stand in the same box: then that is no row of its own.
function sharesRow(box, el) {
  const first = firstClass(el);
  const role = el.getAttribute("role");
  const like = el.tagName === "INPUT" ? box.querySelectorAll(`input[type=${el.type}]`) : first ? box.getElementsByClassName(first) : role ? box.querySelectorAll(`[role="${CSS.escape(role)}"]`) : box.getElementsByTagName(el.tagName);
  for (const one of [...like].slice(0, 8)) if (one !== el && one.tagName === el.tagName && !el.contains(one) && !one.contains(el)) return true;
  return false;
}

// Whether words are the label of another field: a list to choose from is no part of that.
function namesOtherField(el, holder) {
  return showsValue(el) && Boolean(holder.closest("label")?.control);
}

// The first words in a box that are not in the control itself.
function firstLine(box, el) {
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: holder } = texts.currentNode;
    if (!LETTERED.test(data) || el.contains(holder) || holder.closest(WORDLESS_PARTS) || namesOtherField(el, holder)) continue;
    if (isIcon(holder) || !holder.checkVisibility(SEEN) || isInvisibleText(holder)) continue;
    const line = firstWordsOf(holder) || tidy(data);
    if (!STATE_WORD.test(line)) return line;
  }
  return "";
}

// What a cross or dots belong to: the words that they stand in, else the row, which begins with what it is about.
function belongsTo(el) {
  const stepped = STEP_SIGN.test(el.textContent.trim()) && [el.previousElementSibling, el.nextElementSibling].find((one) => one && one.matches(NUMBER_FIELD));
  if (stepped) return ownLabel(stepped, "spinbutton");
  const beside = [...el.parentNode.childNodes].filter((node) => node.nodeType === 3).map((node) => tidy(node.data)).find((text) => LETTERED.test(text));
  const around = beside ? null : rowOf(el);
  const row = around && !(showsValue(el) && around.offsetHeight > MOST_TIMES_AS_HIGH * el.offsetHeight) ? around : null;
  return clipped(beside || (row && firstLine(row, el)) || (showsValue(el) ? besideText(el) : rowTitle(el)), 80);
}

// Whether an element is a list to choose from or a slider: it shows what it holds, so that words further away are not its
// name.
function showsValue(el) {
  return el.matches("[role=combobox],[role=slider]");
}

// A name without letters or figures says too little by itself: the row of a "×", the number of a star.
// Whether the next or last one of a set, such as the stars of a rating, has the same name.
function likeNamed(el, name) {
  if (!el.hasAttribute("aria-posinset") || !name) return false;
  const beside = [el.parentElement?.previousElementSibling, el.parentElement?.nextElementSibling, el.previousElementSibling, el.nextElementSibling];
  return beside.some((one) => one && [one, ...one.querySelectorAll("[aria-posinset]")].slice(0, 3).some((like) => like.hasAttribute("aria-posinset") && tidy(nameOf(like)) === name));
}

function nameWithRow(el, name) {
  const stars = starsBeside(el);
  if (stars.length > 2) return `${name || "star"} ${stars.indexOf(el) + 1} of ${stars.length}`;
  const dots = classSays(el, DOTS) && !LETTERED.test(el.textContent) ? likeBeside(el) : [];
  if (dots.length > 1) return `${name || "dot"} ${dots.indexOf(el) + 1} of ${dots.length}`;
  const place = likeNamed(el, name) && el.getAttribute("aria-posinset");
  if (place) return `${name} ${place} of ${el.getAttribute("aria-setsize") || "several"}`;
  const row = (SPEAKING.test(name) && !ON_OFF.test(name)) || turnsPage(el) ? "" : belongsTo(el);
  return row && name ? `${name} (${row})` : row || name;
}
