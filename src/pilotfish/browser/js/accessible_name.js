// Accessible names and descriptions: accname 1.2 with HTML-AAM's native sources. `nameOf(el)` and `describe(el)`.

const FROM_CONTENT = new Set(
  `button cell checkbox columnheader comment gridcell heading link menuitem menuitemcheckbox menuitemradio option
  radio row rowheader sectionhead switch tab tooltip treeitem`.split(/\s+/),
);
const NAMED_BY_HEADING = new Set(["alertdialog", "article", "dialog"]);
const RANGES = new Set(["slider", "spinbutton", "progressbar", "meter", "scrollbar"]);
const LABELLED_TAGS = new Set(["INPUT", "TEXTAREA", "SELECT", "METER", "PROGRESS", "OUTPUT", "BUTTON"]);
const SVG = "http://www.w3.org/2000/svg";
// Single blanks need no replacement, and most gaps are single blanks.
const SPACE = /[\t\n\f\r ]{2,}|[\t\n\f\r]/g;

let names = new Map();
// Whether the name at hand has words that only the style sheet puts there, and whether they are left out.
let decorated = false;
let undecorated = false;

function forgetNames() {
  names = new Map();
}

// Only ASCII white space is collapsed; a no-break space is part of a name.
function tidy(text) {
  const line = text.replace(SPACE, " ");
  const from = line.startsWith(" ") ? 1 : 0;
  return line.slice(from, line.length > from && line.endsWith(" ") ? -1 : undefined);
}

function nameOf(el) {
  let name = names.get(el);
  if (name === undefined) {
    name = tidy(compute(el, { seen: new Set(), inside: false, ref: false, root: true, bare: false }));
    names.set(el, name);
  }
  return name;
}

// The name without what the style sheet adds: a hint may come up as soon as the mouse does.
function bareName(el) {
  undecorated = true;
  names.delete(el);
  try {
    return nameOf(el);
  } finally {
    undecorated = false;
    names.delete(el);
  }
}

function describe(el) {
  const seen = new Set([el]);
  const parts = listReferenced(el, "aria-describedby").map((to) => referTo(to, seen));
  const text = tidy(parts.join(" ")) || tidy(el.getAttribute("aria-description") || "");
  if (text) return text;
  const title = tidy(el.getAttribute("title") || "");
  return title && title !== nameOf(el) ? title : "";
}

// `inside`: below the element whose name is wanted. `ref`: below an aria-labelledby target. `root`: is itself the
// target. `bare`: the target is hidden, so that what is hidden below it counts.
function compute(el, ctx) {
  if (ctx.seen.has(el)) return "";
  const hiding = ctx.inside && hiddenSelf(el);
  if (hiding && !ctx.root && !(ctx.bare && hiding !== "aria")) return "";
  ctx.seen.add(el);
  const role = roleOf(el);
  if (!ctx.ref) {
    const text = labelledby(el, ctx);
    if (text.trim()) return text;
  }
  if (ctx.inside) {
    const value = embedded(el, role, ctx);
    if (value !== null) return value;
  }
  const label = el.tagName === "SLOT" ? "" : el.getAttribute("aria-label") || "";
  if (label.trim()) return label;
  if (role !== "none" || el.tagName !== "IMG") {
    const native = nativeName(el, ctx);
    if (native.trim()) return native;
  }
  let text = "";
  if (ctx.inside || FROM_CONTENT.has(role) || el.tagName === "SUMMARY") text = contentOf(el, ctx);
  else if (NAMED_BY_HEADING.has(role)) text = headline(el, ctx);
  return text.trim() ? text : tooltip(el, role) || text;
}

// A dialog or article without a name of its own is named by its first heading.
function headline(el, ctx) {
  if ((el.getAttribute("title") || "").trim()) return "";
  const heading = el.querySelector('h1,h2,h3,h4,h5,h6,[role="heading"]');
  return heading && heading.checkVisibility() ? compute(heading, { ...ctx, inside: true, root: false }) : "";
}

function labelledby(el, ctx) {
  const targets = listReferenced(el, "aria-labelledby");
  if (!targets.length) return "";
  return targets
    .map((to) => {
      if (to === el) ctx.seen.delete(el);
      return referTo(to, ctx.seen);
    })
    .join(" ");
}

function referTo(el, seen) {
  return compute(el, { seen, inside: true, ref: true, root: true, bare: Boolean(isNotRendered(el)) });
}

function isNotRendered(el) {
  return !el.checkVisibility({ visibilityProperty: true }) && getComputedStyle(el).display !== "contents";
}

// "css" where it is not rendered, "aria" where it is only hidden from the accessibility tree, else "".
function hiddenSelf(el) {
  if (el.getAttribute("aria-hidden") === "true") return "aria";
  if (el.checkVisibility({ visibilityProperty: true })) return "";
  const style = getComputedStyle(el);
  if (style.display === "contents" && style.visibility === "visible") return "";
  // A hidden box may still hold visible descendants, so visibility alone leaves out only the box's own text.
  return style.display !== "none" && style.visibility !== "visible" && el.checkVisibility() ? "" : "css";
}

function embedded(el, role, ctx) {
  if (ctx.root && (el.getAttribute("aria-label") || "").trim()) return null;
  const tag = el.tagName;
  if (role === "textbox" || role === "searchbox") {
    if (tag === "INPUT" && el.type === "password") return "";
    return tag === "INPUT" || tag === "TEXTAREA" ? el.value : contentOf(el, { ...ctx, root: false });
  }
  if (tag === "SELECT") return [...el.selectedOptions].map((option) => nameOf(option)).join(" ");
  if (role === "combobox" || role === "listbox") return chosen(el, role, ctx);
  if (RANGES.has(role)) {
    const spoken = el.getAttribute("aria-valuetext") || el.getAttribute("aria-valuenow");
    if (spoken) return spoken;
    return "value" in el ? String(el.value) : null;
  }
  return null;
}

function chosen(el, role, ctx) {
  if (el.tagName === "INPUT") return el.value;
  const inner = el.querySelector("input");
  if (role === "combobox" && inner) return inner.value;
  const lists = role === "listbox" ? [el] : listReferenced(el, "aria-controls").concat(listReferenced(el, "aria-owns"), [el]);
  for (const list of lists) {
    const picked = [...list.querySelectorAll('[role="option"][aria-selected="true"]')];
    if (picked.length) return picked.map((option) => nameOf(option)).join(" ");
  }
  return role === "combobox" ? contentOf(el, { ...ctx, root: false }) : "";
}

function nativeName(el, ctx) {
  const tag = el.tagName;
  if (LABELLED_TAGS.has(tag)) {
    const text = labelText(el, ctx);
    if (text.trim()) return text;
  }
  switch (tag) {
    case "INPUT":
      return inputName(el);
    case "IMG":
      return el.getAttribute("alt") || (el.hasAttribute("alt") || el.title.trim() ? "" : captionOf(el, ctx));
    case "AREA":
      return el.getAttribute("alt") || "";
    case "FIELDSET":
      return childName(el, "LEGEND", ctx);
    case "TABLE":
      return childName(el, "CAPTION", ctx);
    case "OPTGROUP":
    case "OPTION":
      return el.getAttribute("label") || "";
    case "HTML":
      return document.title;
    default:
      return el.namespaceURI === SVG ? drawnTitle(el) : "";
  }
}

function drawnTitle(el) {
  let title = el.firstElementChild;
  while (title && title.tagName !== "title") title = title.nextElementSibling;
  return title?.textContent || (el.tagName === "a" ? el.getAttribute("xlink:title") || "" : "");
}

function labelText(el, ctx) {
  const labels = el.labels;
  if (!labels || !labels.length) return "";
  const texts = [...labels].map((label) => compute(label, { seen: ctx.seen, inside: true, ref: ctx.ref, root: false, bare: false }));
  // Pages that use an id twice have the same label twice.
  return [...new Set(texts)].join(" ");
}

function inputName(el) {
  const type = el.type;
  if (type === "submit") return el.hasAttribute("value") ? el.value : "Submit";
  if (type === "reset") return el.hasAttribute("value") ? el.value : "Reset";
  if (type === "button") return el.value;
  if (type === "image") return el.getAttribute("alt") || el.getAttribute("value") || el.title || "Submit Query";
  return "";
}

// A picture that is all its figure holds is named by the caption.
function captionOf(el, ctx) {
  const figure = el.closest("figure");
  const caption = figure && [...figure.children].find((child) => child.tagName === "FIGCAPTION");
  if (!caption || ctx.inside) return "";
  const rest = [...figure.childNodes].filter((node) => node !== caption && node !== el);
  const empty = (node) => node.nodeType === 8 || (node.nodeType === 3 && !node.data.trim());
  return rest.every(empty) ? compute(caption, { ...ctx, inside: true, root: false }) : "";
}

function childName(el, tag, ctx) {
  const child = [...el.children].find((item) => item.tagName === tag);
  return child ? compute(child, { ...ctx, inside: true, root: false }) : "";
}

function tooltip(el, role) {
  const title = el.getAttribute("title") || "";
  if (title.trim()) return el.tagName === "IMG" && role === "none" ? "" : title;
  if (el.tagName === "INPUT" || el.tagName === "TEXTAREA") {
    const typed = !["checkbox", "radio", "range", "color", "file"].includes(el.type);
    if (typed && el.placeholder.trim()) return el.placeholder;
  }
  return el.getAttribute("aria-placeholder") || "";
}

function childrenOf(el) {
  const root = shadowOf(el);
  if (root) return root.childNodes;
  if (el.tagName === "SLOT") {
    const given = el.assignedNodes({ flatten: true });
    if (given.length) return given;
  }
  return el.childNodes;
}

// What is drawn in an element, in order. From sibling to sibling is faster than through a list of them.
function eachChild(el, act) {
  if (el.tagName === "SLOT" || shadowOf(el)) childrenOf(el).forEach((child) => act(child));
  else for (let child = el.firstChild; child; child = child.nextSibling) act(child);
}

function contentOf(el, ctx) {
  const style = styleOf(el);
  const within = { ...ctx, inside: true, root: false };
  let text = (ctx.inside ? marker(el, style) : "") + pseudo(el, "::before");
  const silent = !ctx.bare && style.visibility !== "visible";
  const actions = el.hasAttribute("aria-actions") ? listReferenced(el, "aria-actions") : null;
  eachChild(el, (child) => {
    if (child.nodeType === 3) {
      if (!silent && !isIcon(el)) text += applyTextTransform(child.data, style.textTransform);
    } else if (child.nodeType === 1 && !(actions && actions.includes(child))) {
      const owner = listOwners().get(child);
      if (!owner || owner === el) text += spacedText(child, within);
    }
  });
  for (const child of el.hasAttribute("aria-owns") ? listReferenced(el, "aria-owns") : []) {
    if (listOwners().get(child) === el && !el.contains(child)) text += spacedText(child, within);
    else if (listOwners().get(child) === el) text += " " + compute(child, within) + " ";
  }
  return text + pseudo(el, "::after");
}

function spacedText(child, ctx) {
  const tag = child.tagName;
  if (tag === "SCRIPT" || tag === "STYLE" || tag === "TEMPLATE" || tag === "NOSCRIPT") return "";
  if (tag === "BR") return " ";
  const text = compute(child, ctx);
  if (!text) return "";
  const display = styleOf(child).display;
  return display === "inline" || display === "contents" || display === "none" ? text : " " + text + " ";
}

function applyTextTransform(text, transform) {
  if (transform === "uppercase") return text.toUpperCase();
  if (transform === "lowercase") return text.toLowerCase();
  if (transform === "capitalize") return text.replace(/(^|[\s\p{P}])(\p{L})/gu, (_, gap, letter) => gap + letter.toUpperCase());
  return text;
}

const PIECE =
  /"((?:[^"\\]|\\.)*)"|attr\(([-\w]+)(?![-\w])[^()]*\)|counters?\(([-\w]+)(?![-\w])(?:"[^"]*"|[^()"])*\)|(\/)|(?<![-\w])[-\w]+\((?:"[^"]*"|[^()"])*\)/g;

function pseudo(el, which) {
  const style = styleOf(el, which);
  const content = style.content;
  if (content === "none" || content === "normal" || !content || style.display === "none") return "";
  if (undecorated || style.visibility !== "visible") return "";
  const said = contentText(el, which, content);
  if (LIGATURE.test(said) && inIconFont(style)) return "";
  decorated = true;
  const text = applyTextTransform(said, style.textTransform);
  return style.display === "inline" ? text : " " + text + " ";
}

// What CSS `content` says: the part after "/" is its alternative text.
function contentText(el, which, content) {
  const parts = [[], []];
  let side = 0;
  for (const [, string, attribute, counter, slash] of content.matchAll(PIECE)) {
    if (slash) side = 1;
    else if (string !== undefined) parts[side].push(string.replace(/\\(.)/g, "$1"));
    else if (attribute) parts[side].push(el.getAttribute(attribute) || "");
    else if (counter) parts[side].push(String(counters(counter).get(el)?.[which] ?? 0));
  }
  return side ? " " + parts[1].join("") + " " : parts[0].join("");
}

function marker(el, style) {
  if (style.display !== "list-item" || el.tagName === "SUMMARY") return "";
  const content = getComputedStyle(el, "::marker").content;
  if (content && content !== "normal") return content === "none" ? "" : contentText(el, "::marker", content);
  const type = style.listStyleType;
  if (type.startsWith('"')) return contentText(el, "::marker", type);
  if (type === "decimal") return ordinal(el) + ". ";
  return type === "disc" ? "• " : type === "circle" ? "◦ " : type === "square" ? "■ " : "";
}

function ordinal(el) {
  if (el.value) return el.value;
  const list = el.parentElement;
  const items = list ? [...list.children].filter((item) => item.tagName === "LI") : [];
  return (list?.start || 1) + items.indexOf(el);
}

let counted = new Map();

function forgetCounters() {
  counted = new Map();
}

// The value of a CSS counter at each element and pseudo-element, in document order. Nested scopes are not modelled.
function counters(name) {
  if (counted.has(name)) return counted.get(name);
  const values = new Map();
  let value = 0;
  const apply = (style) => {
    if (style.display === "none") return value;
    const amount = (property, fallback) => {
      const words = style[property].split(" ");
      const at = words.indexOf(name);
      return at < 0 ? null : Number(words[at + 1] ?? fallback);
    };
    value = amount("counterReset", 0) ?? value;
    value += amount("counterIncrement", 1) ?? 0;
    return (value = amount("counterSet", 0) ?? value);
  };
  const visit = (el) => {
    const own = apply(getComputedStyle(el));
    const at = { own };
    at["::before"] = generatedText(el, "::before") ? apply(getComputedStyle(el, "::before")) : value;
    for (let child = el.firstElementChild; child; child = child.nextElementSibling) visit(child);
    at["::after"] = generatedText(el, "::after") ? apply(getComputedStyle(el, "::after")) : value;
    values.set(el, at);
  };
  visit(document.documentElement);
  counted.set(name, values);
  return values;
}

function generatedText(el, which) {
  const content = getComputedStyle(el, which).content;
  return content && content !== "none" && content !== "normal";
}
