// What is known of one control: states, value, options, format. A password's value never leaves this file.

const FORMATS = {
  date: "YYYY-MM-DD", time: "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", month: "YYYY-MM", week: "YYYY-Www",
  color: "#rrggbb",
};
const FORM_PARTS = new Set(["BUTTON", "INPUT", "SELECT", "TEXTAREA", "OPTION", "OPTGROUP", "FIELDSET"]);
const OPTIONS = 12;
// Arrows at the end of the text of something that opens.
const SIGNS = /(?<![\s▾▼▿⌄˅▲△⌃∨])[\s▾▼▿⌄˅▲△⌃∨]{1,20}$/u;

function factsOf(el, role) {
  const facts = {};
  const put = (key, value) => {
    if (value) facts[key] = value;
  };
  put("s", statesOf(el, role));
  put("v", valueOf(el, role));
  const tag = el.tagName;
  if (tag === "A" || tag === "AREA") put("u", el.href);
  if (tag === "SELECT") selectFacts(el, put);
  if (tag === "INPUT") {
    put("y", el.type);
    put("f", formatOf(el));
  }
  if (el.placeholder) put("p", el.placeholder);
  else put("p", el.getAttribute("aria-placeholder"));
  if (tag === "INPUT" || tag === "TEXTAREA" || tag === "SELECT" || tag === "BUTTON") put("ac", el.autocomplete);
  return facts;
}

const INERT_SELECTOR = '[aria-disabled="true"],[inert]';
const HEADS = "th,[role=columnheader],[role=rowheader]";
// What classes of the head of a column say of the order.
const SORTED = /(?:^|[\s_-])(?:sort(?:ed|ing)?|order)[_-]?(asc|desc)(?:ending)?(?=$|[\s_-])/i;
const CHECKS = { true: "checked", mixed: "mixed", false: "unchecked" };
const SWITCH_STATES = { checked: "on", unchecked: "off" };
const FOLDS = { true: "expanded", false: "collapsed" };

function statesOf(el, role) {
  // Most elements have no such attribute, and each getAttribute takes time.
  const said = el.getAttributeNames().some((name) => name.startsWith("aria-")) ? (name) => el.getAttribute(name) || "" : nothing;
  const tag = el.tagName;
  const checkable = tag === "INPUT" && (el.type === "checkbox" || el.type === "radio");
  const current = said("aria-current");
  const popup = said("aria-haspopup");
  const pressed = said("aria-pressed");
  const ticked = CHECKS[checkable ? nativeCheck(el, said("aria-checked")) : said("aria-checked") || (TOGGLES.has(role) ? pressed : "")];
  return [
    (role === "switch" && SWITCH_STATES[ticked]) || ticked,
    FOLDS[tag === "SUMMARY" ? el.parentElement.open : said("aria-expanded")],
    (said("aria-selected") || String(tag === "OPTION" && el.selected)) === "true" && "selected",
    !ticked && /^(true|mixed)$/.test(pressed) && "pressed",
    current && current !== "false" && "current",
    disabled(el) && "disabled",
    (el.required || said("aria-required") === "true") && "required",
    invalid(el, said("aria-invalid")) && "invalid",
    role !== "checkbox" && (el.readOnly || said("aria-readonly") === "true") && "readonly",
    popup && popup !== "false" && role !== "combobox" && "menu",
    orderOf(el),
    !checkable && drawnState(el, role),
    focused() === el && "focused",
  ].filter(Boolean).join(" ");
}

// Whether a native box is ticked. Of one that cannot be seen, what is drawn around it tells, where the page contradicts
// itself.
function nativeCheck(el, said) {
  if (el.indeterminate) return "mixed";
  if (!said || said === String(el.checked)) return el.checked;
  const { width, height } = el.getBoundingClientRect();
  if (width > TINY && height > TINY && el.checkVisibility(SEEN)) return el.checked;
  const drawn = saidState(el.parentElement, el);
  return drawn?.[0] === "selected" || drawn?.[0] === "checked" ? drawn[1] : "";
}

function nothing() {
  return "";
}

// The sort order of the column whose head this is.
function orderOf(el) {
  const head = anyIn(el, HEADS) && el.closest(HEADS);
  if (!head) return "";
  const order = head.getAttribute("aria-sort");
  if (order) return order === "ascending" || order === "descending" ? order : "";
  const [, way] = SORTED.exec(head.getAttribute("class") || "") || [];
  return way ? `${way.toLowerCase()}ending` : "";
}

// What a form can disable and check: its own elements, and components that may act as such.
function isFormPart(el) {
  return FORM_PARTS.has(el.tagName) || el.tagName.includes("-");
}

function disabled(el) {
  return (isFormPart(el) && el.matches(":disabled")) || (anyIn(el, INERT_SELECTOR) && Boolean(el.closest(INERT_SELECTOR)));
}

// A required field that nobody has filled in yet does not count as invalid.
function invalid(el, said) {
  return said ? said !== "false" : isFormPart(el) && el.matches(":user-invalid");
}

let focus;

function forgetFocus() {
  focus = undefined;
}

function focused() {
  if (focus !== undefined) return focus;
  focus = document.activeElement;
  while (focus && shadowOf(focus) && shadowOf(focus).activeElement) focus = shadowOf(focus).activeElement;
  return focus;
}

// The beginning and the end of a long text, and how much is between them: the end is what was written last.
function ends(text) {
  const line = tidy(text || "");
  return line.length > 240 ? `${line.slice(0, 150).trimEnd()} … ${line.length - 196} more characters … ${line.slice(-46).trimStart()}` : line;
}

function valueOf(el, role) {
  const tag = el.tagName;
  if (tag === "INPUT") {
    if (el.type === "password") return el.value ? "••••" : "";
    if (el.type === "file") return [...el.files].map((file) => file.name).join(", ");
    if (["checkbox", "radio", "submit", "button", "reset", "image"].includes(el.type)) return "";
    return ends(el.value);
  }
  if (tag === "TEXTAREA") return ends(el.value);
  if (tag === "SELECT") return clipped([...el.selectedOptions].map((option) => option.label).join(", "), 120);
  if (el.isContentEditable && (role === "textbox" || role === "combobox")) return ends(el.innerText);
  if (role === "combobox") return shownChoice(el);
  if (RANGES.has(role)) return el.getAttribute("aria-valuetext") || el.getAttribute("aria-valuenow") || String(el.value ?? "");
  return "";
}

// What a drawn list shows as chosen, unless its name says that already.
function shownChoice(el) {
  const field = el.querySelector("input");
  const label = el.querySelector("label");
  const text = tidy((field && field.value) || shown(el).replace(label ? shown(label) : "", " ").replace(SIGNS, ""));
  return LETTERED.test(text) || /\d/.test(text) ? (ownLabel(el, "combobox").includes(text) ? "" : clipped(text, 120)) : "";
}

function selectFacts(el, put) {
  const options = el.options;
  const labels = [];
  for (let at = 0; at < options.length && labels.length < OPTIONS; at++) labels.push(clipped(options[at].label, 50));
  put("o", labels);
  put("on", options.length);
  if (el.multiple) put("m", 1);
}

function formatOf(el) {
  const type = el.type;
  if (FORMATS[type]) return FORMATS[type];
  if (type === "number" || type === "range") {
    const range = el.min || el.max ? `${el.min || "…"} to ${el.max || "…"}` : "";
    return el.step && el.step !== "1" ? `${range} step ${el.step}`.trim() : range;
  }
  if (type === "file") return el.accept;
  return el.pattern && el.title ? el.title : "";
}

function headingLevel(el) {
  const level = parseInt(el.getAttribute("aria-level"), 10);
  return level > 0 ? level : /^H[1-6]$/.test(el.tagName) ? Number(el.tagName[1]) : 2;
}
