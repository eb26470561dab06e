// Roles: ARIA 1.3 and HTML-AAM. `roleOf(el)` returns the computed role, "generic" where there is none.

const ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  comment complementary contentinfo definition deletion dialog document emphasis feed figure form generic grid gridcell
  group heading image insertion link list listbox listitem log main mark marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph progressbar radio radiogroup region row
  rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong
  subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree
  treegrid treeitem graphics-document graphics-object graphics-symbol`.split(/\s+/),
);
const SYNONYMS = { img: "image", presentation: "none", directory: "list" };

const TAGS = {
  ADDRESS: "group", ARTICLE: "article", BLOCKQUOTE: "blockquote", BUTTON: "button", CAPTION: "caption", CODE: "code",
  DATALIST: "listbox", DD: "definition", DEL: "deletion", DETAILS: "group", DFN: "term", DIALOG: "dialog",
  DIR: "list", DT: "term", EM: "emphasis", FIELDSET: "group", FIGURE: "figure", FORM: "form", H1: "heading",
  H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading", HGROUP: "group", HR: "separator",
  HTML: "document", INS: "insertion", MAIN: "main", MARK: "mark", MATH: "math", MENU: "list", METER: "meter",
  NAV: "navigation", OL: "list", OPTGROUP: "group", OPTION: "option", OUTPUT: "status", P: "paragraph",
  PROGRESS: "progressbar", S: "deletion", SEARCH: "search", STRONG: "strong", SUB: "subscript", SUP: "superscript",
  TEXTAREA: "textbox", TIME: "time", UL: "list", CITE: "html-cite",
};

const INPUTS = {
  button: "button", checkbox: "checkbox", image: "button", number: "spinbutton", radio: "radio", range: "slider",
  reset: "button", search: "searchbox", submit: "button", hidden: "none", color: "textbox", file: "button",
};

// What an element must sit in for its role to stand; outside it the role falls back to the element's own.
const CONTEXT = {
  listitem: ["list"], row: ["table", "grid", "treegrid"], rowgroup: ["table", "grid", "treegrid"],
  gridcell: ["row"], columnheader: ["row"], rowheader: ["row"], tab: ["tablist"],
  option: ["listbox"], treeitem: ["tree"], menuitem: ["menu", "menubar"], menuitemradio: ["menu", "menubar"],
  menuitemcheckbox: ["menu", "menubar"],
};
const HOLDERS = new Set(["UL", "OL", "MENU", "DIR", "TABLE"]);
const TRANSPARENT_ROLES = new Set(["generic", "none", "group", "rowgroup"]);

const GLOBAL = `aria-atomic aria-braillelabel aria-brailleroledescription aria-busy aria-controls aria-current
  aria-describedby aria-description aria-details aria-dropeffect aria-flowto aria-grabbed aria-keyshortcuts
  aria-label aria-labelledby aria-live aria-owns aria-relevant aria-roledescription`.split(/\s+/);

const SECTIONING = new Set(["article", "aside", "main", "nav", "section"]);
const SECTIONING_ROLES = new Set(["article", "complementary", "main", "navigation", "region"]);

let roles = new Map();

function forgetRoles() {
  roles = new Map();
}

function roleOf(el) {
  let role = roles.get(el);
  if (role === undefined) {
    roles.set(el, "generic");
    role = computeRole(el);
    roles.set(el, role);
  }
  return role;
}

function computeRole(el) {
  const given = el.getAttribute("role");
  if (!given) return minimum(el, inherited(el, implicitRole(el)));
  for (const token of given.toLowerCase().split(/[\t\n\f\r ]+/)) {
    const role = SYNONYMS[token] || token;
    if (!ROLES.has(role)) continue;
    if ((role === "region" || role === "form") && !authorName(el)) continue;
    if (CONTEXT[role] && !inContext(el, CONTEXT[role])) continue;
    if (role === "none") return minimum(el, mustKeepRole(el) ? implicitRole(el) : "none");
    if (role === "generic") return minimum(el, "generic");
    return role;
  }
  return minimum(el, inherited(el, implicitRole(el)));
}

// A generic box that can be focused or dragged is at least a group.
function minimum(el, role) {
  if (role !== "generic" && role !== "none") return role;
  const marked = el.hasAttribute("autofocus") || el.hasAttribute("draggable") || el.hasAttribute("popover");
  return marked && (el.tagName === "DIV" || el.tagName === "SPAN" || el.tagName === "SECTION") ? "group" : role;
}

function mustKeepRole(el) {
  return focusable(el) || GLOBAL.some((name) => el.hasAttribute(name));
}

function focusable(el) {
  if (el.hasAttribute("tabindex")) return !Number.isNaN(parseInt(el.getAttribute("tabindex"), 10));
  const tag = el.tagName;
  if (tag === "A" || tag === "AREA") return el.hasAttribute("href");
  if (tag === "BUTTON" || tag === "SELECT" || tag === "TEXTAREA") return !el.disabled;
  if (tag === "INPUT") return !el.disabled && el.type !== "hidden";
  if (tag === "SUMMARY") return summaries(el);
  return el.isContentEditable && !(el.parentElement && el.parentElement.isContentEditable);
}

// Parts of a table or list whose whole was declared presentational are presentational too.
function inherited(el, role) {
  if (!(role in CONTEXT)) return role;
  for (let up = el.parentElement; up; up = up.parentElement) {
    if (HOLDERS.has(up.tagName)) return roleOf(up) === "none" ? "none" : role;
  }
  return role;
}

function inContext(el, wanted) {
  const owner = listOwners().get(el);
  for (let up = owner || parentOf(el); up; up = listOwners().get(up) || parentOf(up)) {
    const role = roleOf(up);
    if (wanted.includes(role)) return true;
    if (role === "row" || role === "listitem") return false;
    if (wanted[0] === "tree" && role === "treeitem") return true;
    if (wanted[0] === "menu" && role.startsWith("menuitem")) return true;
    if (!TRANSPARENT_ROLES.has(role)) return false;
  }
  return false;
}

let owned = null;

function listOwners() {
  if (owned) return owned;
  owned = new Map();
  for (const owner of allMatching("[aria-owns]")) {
    if (!owner.checkVisibility() || owner.closest('[aria-hidden="true"]')) continue;
    for (const target of listReferenced(owner, "aria-owns")) {
      if (target !== owner && !target.contains(owner) && !owned.has(target) && target.checkVisibility())
        owned.set(target, owner);
    }
  }
  if (owned.size) sawUnwatched = true;
  return owned;
}

function forgetOwners() {
  owned = null;
}

function listReferenced(el, attribute) {
  const text = el.getAttribute(attribute);
  if (!text) return [];
  const root = el.getRootNode() === window.document ? document : el.getRootNode();
  const find = (id) => (root.getElementById ? root.getElementById(id) : null);
  return text.split(/[\t\n\f\r ]+/).map((id) => id && find(id)).filter(Boolean);
}

function parentOf(el) {
  if (el.assignedSlot) return el.assignedSlot;
  const up = el.parentNode;
  return up && up.nodeType === 11 ? up.host || null : up && up.nodeType === 1 ? up : null;
}

function authorName(el) {
  if ((el.getAttribute("aria-label") || "").trim()) return true;
  if (listReferenced(el, "aria-labelledby").some((to) => (to.textContent || to.getAttribute("aria-label") || "").trim()))
    return true;
  return Boolean((el.getAttribute("title") || "").trim());
}

function implicitRole(el) {
  const tag = el.tagName;
  const fixed = TAGS[tag];
  if (fixed) return tag === "FORM" && !authorName(el) ? "form" : fixed;
  switch (tag) {
    case "A":
    case "AREA":
      return el.hasAttribute("href") ? "link" : "generic";
    case "INPUT":
      return inputRole(el);
    case "SELECT":
      return el.multiple || el.size > 1 ? "listbox" : "combobox";
    case "IMG":
      return imageRole(el);
    case "SECTION":
      return authorName(el) ? "region" : "generic";
    case "ASIDE":
      return !isInSection(el, false) || authorName(el) ? "complementary" : "generic";
    case "HEADER":
      return isInSection(el, true) ? "sectionheader" : "banner";
    case "FOOTER":
      return isInSection(el, true) ? "sectionfooter" : "contentinfo";
    case "LI":
      return inContext(el, ["list"]) ? "listitem" : "generic";
    case "SUMMARY":
      return summaries(el) ? "button" : "generic";
    default:
      return tableRole(el, tag) || svgRole(el, tag) || "generic";
  }
}

function summaries(el) {
  const up = el.parentElement;
  return Boolean(up && up.tagName === "DETAILS" && up.querySelector(":scope > summary") === el);
}

function inputRole(el) {
  const type = el.type;
  if (type === "checkbox" && el.hasAttribute("switch")) return "switch";
  if (type === "checkbox" && el.hasAttribute("aria-pressed")) return "button";
  const typed = type === "text" || type === "search" || type === "tel" || type === "url" || type === "email";
  if (typed && el.list) return "combobox";
  return INPUTS[type] || "textbox";
}

function imageRole(el) {
  const alt = el.getAttribute("alt");
  const labelled = (el.getAttribute("aria-label") || "").trim() || authorLabelled(el);
  if (labelled) return "image";
  if (alt !== null) return alt.trim() ? "image" : "none";
  if ((el.getAttribute("title") || "").trim()) return "image";
  return el.getAttribute("src") || el.getAttribute("srcset") ? "image" : "none";
}

function authorLabelled(el) {
  return listReferenced(el, "aria-labelledby").some((to) => to.textContent.trim());
}

function isInSection(el, main) {
  for (let up = parentOf(el); up; up = parentOf(up)) {
    const role = up.getAttribute("role");
    if (role ? SECTIONING_ROLES.has(role) : SECTIONING.has(up.localName)) {
      const isMain = role ? role === "main" : up.localName === "main";
      if (main || !isMain) return true;
    }
  }
  return false;
}

function tableRole(el, tag) {
  if (tag === "TABLE") return "table";
  const part = tag === "TR" || tag === "TD" || tag === "TH" || tag === "TBODY" || tag === "THEAD" || tag === "TFOOT";
  if (!part) return "";
  const table = el.closest("table");
  if (!table) return "";
  const whole = roleOf(table);
  if (whole === "none") return "none";
  if (whole !== "table" && whole !== "grid" && whole !== "treegrid") return "generic";
  if (tag === "TR") return "row";
  if (tag === "TD") return whole === "table" ? "cell" : "gridcell";
  if (tag === "TH") return headerRole(el, whole);
  return "rowgroup";
}

function headerRole(el, whole) {
  const scope = (el.getAttribute("scope") || "").toLowerCase();
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  if (el.closest("thead")) return "columnheader";
  const row = el.parentElement;
  const cells = row ? [...row.children] : [];
  if (cells.some((cell) => cell.tagName === "TD")) return "rowheader";
  if (cells.length === 1 && !row.previousElementSibling && !row.nextElementSibling)
    return whole === "table" ? "cell" : "gridcell";
  return "columnheader";
}

function svgRole(el, tag) {
  if (tag === "svg") return "image";
  if (tag === "a" && (el.hasAttribute("href") || el.hasAttribute("xlink:href"))) return "link";
  if (tag === "image") return "image";
  return tag === "g" && (authorName(el) || [...el.children].some((child) => child.tagName === "title")) ? "group" : "";
}
