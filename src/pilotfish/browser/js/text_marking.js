// Marking words with the mouse: from the left edge of their first letter to the right edge of the last.

const BLOCK = "p,div,li,td,th,dd,dt,h1,h2,h3,h4,h5,h6,pre,blockquote,section,article,figcaption,caption";
let wording = null;

// Where to press and where to let go; for words in a field, which are selected at once, only the field.
function markText(text) {
  const wanted = tidy(text);
  wording = wanted ? rangeOf(wanted) : null;
  if (!wording) return { field: wanted ? inField(wanted) : null };
  const start = wording.startContainer.parentElement;
  if (!inside(wording.getBoundingClientRect())) start.scrollIntoView({ block: "center", behavior: "instant" });
  const lines = [...wording.getClientRects()].filter((line) => line.width > 0);
  if (!lines.length) return { field: null };
  const last = lines[lines.length - 1];
  return { at: [[lines[0].left, middle(lines[0])], [last.right, middle(last)]] };
}

// What is selected after the mouse was used. If that is not what was wanted, selects it without the mouse.
function markedText() {
  const selection = document.getSelection();
  if (tidy(String(selection)) !== tidy(String(wording))) {
    selection.setBaseAndExtent(wording.startContainer, wording.startOffset, wording.endContainer, wording.endOffset);
  }
  return tidy(String(selection));
}

function middle(line) {
  return line.top + line.height / 2;
}

// The first place with these words, in the same or in other case. Words that end with an ellipsis, as a look shortens
// them, go on to the end of their block.
function rangeOf(wanted) {
  const { said, places } = letters();
  const place = (words) => {
    const exact = said.indexOf(words);
    return exact >= 0 ? exact : said.toLowerCase().indexOf(words.toLowerCase());
  };
  const whole = place(wanted);
  const open = whole < 0 && wanted.endsWith("…") ? wanted.slice(0, -1).trim() : "";
  const at = open ? place(open) : whole;
  if (at < 0) return null;
  let last = at + (open || wanted).length - 1;
  const block = blockOf(places[last][0]);
  while (open && last + 1 < places.length && blockOf(places[last + 1][0]) === block) last++;
  const range = document.createRange();
  range.setStart(...places[at]);
  range.setEnd(places[last][0], places[last][1] + 1);
  return range;
}

function blockOf(node) {
  return node.parentElement.closest(BLOCK);
}

// All that can be seen of the text with single blanks, and where each letter of it stands.
function letters() {
  const texts = document.createTreeWalker(document.body || document.documentElement, NodeFilter.SHOW_TEXT);
  const places = [];
  let said = "";
  let block = null;
  const add = (letter, place) => {
    if (letter === " " && (said === "" || said.endsWith(" "))) return;
    said += letter;
    places.push(place);
  };
  while (texts.nextNode()) {
    const node = texts.currentNode;
    const el = node.parentElement;
    if (SKIP.has(el.tagName) || el.tagName === "TEXTAREA" || !node.data.trim() || !el.checkVisibility(SEEN)) continue;
    if (blockOf(node) !== block) add(" ", [node, 0]);
    block = blockOf(node);
    for (let at = 0; at < node.data.length; at++) add(/\s/.test(node.data[at]) ? " " : node.data[at], [node, at]);
  }
  return { said, places };
}

function inField(wanted) {
  for (const el of document.querySelectorAll("textarea,input")) {
    const at = el.type === "password" || typeof el.selectionStart !== "number" ? -1 : el.value.indexOf(wanted);
    if (at < 0 || !el.checkVisibility(SEEN)) continue;
    el.focus();
    el.setSelectionRange(at, at + wanted.length);
    return wanted;
  }
  return null;
}
