// What is known of one control: states, value, options, format, form. A password's value never leaves this file.

const FORMATS = {
  date: "YYYY-MM-DD", time: "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", month: "YYYY-MM", week: "YYYY-Www",
  color: "#rrggbb",
};
const OPTIONS = 12;

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
  if (tag === "INPUT" || tag === "TEXTAREA" || tag === "SELECT" || tag === "BUTTON") formFacts(el, put);
  return facts;
}

function flag(el, name, native) {
  const given = el.getAttribute(name);
  if (given !== null && given !== "") return given;
  return native === undefined || native === null ? "" : String(native);
}

function statesOf(el, role) {
  const states = [];
  const checkable = el.tagName === "INPUT" && (el.type === "checkbox" || el.type === "radio");
  const checked = checkable ? (el.indeterminate ? "mixed" : String(el.checked)) : flag(el, "aria-checked");
  if (checked === "true") states.push("checked");
  else if (checked === "mixed") states.push("mixed");
  else if (checked === "false") states.push("unchecked");
  const opened = el.tagName === "SUMMARY" ? String(el.parentElement.open) : flag(el, "aria-expanded");
  if (opened === "true") states.push("expanded");
  else if (opened === "false") states.push("collapsed");
  if (flag(el, "aria-selected", el.tagName === "OPTION" ? el.selected : null) === "true") states.push("selected");
  const pressed = flag(el, "aria-pressed");
  if (pressed === "true" || pressed === "mixed") states.push("pressed");
  const current = flag(el, "aria-current");
  if (current && current !== "false") states.push("current");
  if (disabled(el)) states.push("disabled");
  if (el.required || el.getAttribute("aria-required") === "true") states.push("required");
  if (isInvalid(el)) states.push("invalid");
  if (role !== "checkbox" && (el.readOnly || el.getAttribute("aria-readonly") === "true")) states.push("readonly");
  const popup = flag(el, "aria-haspopup");
  if (popup && popup !== "false" && role !== "combobox") states.push("menu");
  if (focusedElement() === el) states.push("focused");
  return states.join(" ");
}

function disabled(el) {
  return el.matches(":disabled") || Boolean(el.closest('[aria-disabled="true"]')) || Boolean(el.closest("[inert]"));
}

// A required field that nobody has touched is not called invalid yet.
function isInvalid(el) {
  const said = el.getAttribute("aria-invalid");
  if (said) return said !== "false";
  return Boolean(el.matches && el.matches(":user-invalid"));
}

function focusedElement() {
  let el = document.activeElement;
  while (el && shadowOf(el) && shadowOf(el).activeElement) el = shadowOf(el).activeElement;
  return el;
}

// Of a long text its beginning and its end: what was written last is what people ask about.
function ends(text) {
  const line = tidy(text || "");
  return line.length > 200 ? `${line.slice(0, 150).trimEnd()} … ${line.slice(-46).trimStart()}` : line;
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
  if (RANGES.has(role)) return el.getAttribute("aria-valuetext") || el.getAttribute("aria-valuenow") || String(el.value ?? "");
  return "";
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

function formFacts(el, put) {
  put("ac", el.autocomplete);
  const submits = (el.tagName === "BUTTON" && el.type === "submit") || (el.tagName === "INPUT" && (el.type === "submit" || el.type === "image"));
  const form = el.form;
  if (!form) return;
  put("fm", String(form.getAttribute("method") || "get").toLowerCase());
  if (!submits) return;
  put("sub", 1);
  const action = el.getAttribute("formaction") || form.getAttribute("action") || "";
  put("fa", URL.canParse(action, document.baseURI) ? new URL(action, document.baseURI).href : action);
  if (el.hasAttribute("formmethod")) put("fm", el.formMethod);
}

function headingLevel(el) {
  const level = parseInt(el.getAttribute("aria-level"), 10);
  return level > 0 ? level : /^H[1-6]$/.test(el.tagName) ? Number(el.tagName[1]) : 2;
}
