// What an element is and what a click on it reaches, read from the structure of the page at that moment.
// Fields of a form can hide its properties, so the standard's own getters are used.

const ACTIVE =
  "a,area,button,summary,label,input,select,textarea,option,[contenteditable],[onclick],[onmousedown],[onmouseup]," +
  "[onpointerdown],[onpointerup],[ondblclick]," +
  "button link menuitem menuitemradio menuitemcheckbox tab switch option checkbox radio gridcell treeitem"
    .split(" ").map((role) => `[role=${role}]`).join();
const NESTED_CONTROLS = "button,a[href],input,select,textarea,[role=button],[role=link],[role=menuitem],[role=option],[role=checkbox]";
const MOST_OUTER = 4;
const FIELDS = 200;
const refs = new WeakMap();
let lastRef = 0;

const getter = (kind, name) => Object.getOwnPropertyDescriptor(kind.prototype, name).get;
const parentNode = getter(Node, "parentNode");
const attributeOf = (el, name) => Element.prototype.getAttribute.call(el, name);
const isMatch = (el, selector) => Element.prototype.matches.call(el, selector);
const closestMatch = (el, selector) => Element.prototype.closest.call(el, selector);
const fieldsOf = (form) => [...getter(HTMLFormElement, "elements").call(form)];

function refOf(el) {
  if (!refs.has(el)) refs.set(el, ++lastRef);
  return `${documentKey}:${refs.get(el)}`;
}

// The parent, through shadow roots.
function parentThroughShadow(node) {
  const parent = parentNode.call(node);
  return parent && parent.nodeType === 11 ? parent.host || null : parent && parent.nodeType === 1 ? parent : null;
}

const short = (text, most) => String(text || "").replace(/\s+/g, " ").trim().slice(0, most);

// The words of an element without those of the controls inside it.
function ownWords(el) {
  if (!el.querySelector || !Element.prototype.querySelector.call(el, NESTED_CONTROLS)) return el.innerText ?? el.textContent;
  let said = "";
  const visit = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3) said += child.data;
      else if (child.nodeType === 1 && !child.matches(NESTED_CONTROLS) && said.length < 400) visit(child);
    }
  };
  visit(el);
  return said;
}

function spokenBy(el) {
  const value = isMatch(el, "input[type=submit],input[type=button],input[type=reset],button") ? el.value : "";
  return short([attributeOf(el, "aria-label"), ownWords(el), value, attributeOf(el, "title"), el.alt].filter(Boolean).join(" "), 160);
}

function fieldNames(field) {
  const own = field.labels && field.labels.length ? [...field.labels].map((label) => label.textContent).join(" ") : "";
  return [own.trim(), attributeOf(field, "aria-label"), field.placeholder, attributeOf(field, "name"), field.id].filter(Boolean);
}

const labelled = (field) => short(fieldNames(field).join(" "), 120);

function headingOver(el) {
  const box = closestMatch(el, "dialog,[role=dialog],[role=alertdialog],form,fieldset,section,article,main");
  const head = box && Element.prototype.querySelector.call(box, "h1,h2,h3,h4,h5,h6,legend,[role=heading]");
  return short(box && [attributeOf(box, "aria-label"), head && head.textContent].filter(Boolean).join(" "), 120);
}

function hintsOf(el) {
  const names = ["id", "name", "class", "data-action", "data-testid", "onclick", "onchange", "formaction"];
  const parts = names.map((name) => attributeOf(el, name));
  for (const icon of Element.prototype.querySelectorAll.call(el, "svg title,i[class],use,img[alt]")) {
    parts.push(icon.textContent || icon.getAttribute("class") || icon.getAttribute("href") || icon.alt);
  }
  return short(parts.filter((part) => typeof part === "string" && part).join(" "), 300);
}

// Which events the element listens to, as attributes ("onclick") and the debugger ("click") tell; with a star those of
// something around it.
function handlersOf(el) {
  const kinds = new Set();
  for (let up = el, own = true; up && up !== document.body && up !== document.documentElement; up = parentThroughShadow(up), own = false) {
    for (const name of Element.prototype.getAttributeNames.call(up)) {
      if (name.startsWith("on")) kinds.add(own ? name : `${name.slice(2)}*`);
    }
    for (const kind of `${listenerKinds.get(up) || ""} ${otherListenerKinds.get(up) || ""}`.split(" ")) if (kind) kinds.add(own ? kind : `${kind}*`);
  }
  return [...kinds].slice(0, 20);
}

// Whether it listens for clicks on itself, and not for those on several things with words inside it.
function listensAlone(el) {
  return listenerKinds.has(el) && !speaksFor(el) && [...el.children].filter((child) => child.textContent.trim()).length < 3;
}

function linkOf(el) {
  const link = closestMatch(el, "a,area");
  const href = link && (attributeOf(link, "href") ?? link.getAttributeNS("http://www.w3.org/1999/xlink", "href"));
  if (href === null || href === undefined) return ["", null];
  const plain = href.trim();
  const address = plain === "" || plain.startsWith("#") ? plain || "#" : URL.canParse(plain, document.baseURI) ? new URL(plain, document.baseURI).href : plain;
  return [address, link.hasAttribute("download") ? attributeOf(link, "download") : null];
}

const sendsForm = (el) => (el.tagName === "BUTTON" && el.type === "submit") || (el.tagName === "INPUT" && ["submit", "image"].includes(el.type));

function formSent(form, button) {
  const fields = fieldsOf(form);
  const first = fields.find((field) => sendsForm(field) && !field.disabled);
  const by = button || first;
  const given = (name) => (by && attributeOf(by, `form${name}`)) ?? attributeOf(form, name) ?? "";
  const action = given("action");
  const method = given("method").toLowerCase();
  const heardSubmit = attributeOf(form, "onsubmit") !== null || (otherListenerKinds.get(form) || "").includes("submit");
  const held = fields.filter((field) => field.matches("input,textarea,select"));
  held.sort((one, two) => (one.type === "hidden") - (two.type === "hidden"));
  return {
    method: method || "get",
    scripted: !method && (!action || heardSubmit),
    action: URL.canParse(action, document.baseURI) ? new URL(action, document.baseURI).href : "",
    submit: first ? spokenBy(first) : "",
    fields: held.slice(0, FIELDS).map((field) => ({
      name: attributeOf(field, "name") || "",
      type: field.tagName === "TEXTAREA" ? "textarea" : field.type || "",
      autocomplete: attributeOf(field, "autocomplete") || "",
      label: labelled(field),
      filled: field.type === "checkbox" || field.type === "radio" ? field.checked : Boolean(field.value),
    })),
  };
}

const takesText = (el) => el.isContentEditable || isMatch(el, "input:not([type=submit],[type=button],[type=image],[type=reset]),textarea,select");

function describeTarget(el) {
  const field = takesText(el);
  const type = typeof el.type === "string" ? el.type.toLowerCase() : "";
  const form = (field || el.tagName === "BUTTON" || el.tagName === "INPUT" ? el.form : null) || closestMatch(el, "form");
  const [href, download] = linkOf(el);
  const role = attributeOf(el, "role") || roleOf(el);
  return {
    ref: refOf(el),
    role: role === "generic" ? "" : role,
    name: (field ? labelled(el) : "") || spokenBy(el) || short(nameOf(el), 160),
    label: field ? short(fieldNames(el)[0], 80) : "",
    tag: el.tagName.toLowerCase(),
    type,
    href,
    download,
    hints: hintsOf(el),
    about: headingOver(el),
    handlers: handlersOf(el),
    autocomplete: attributeOf(el, "autocomplete") || "",
    multiline: el.tagName === "TEXTAREA" || el.isContentEditable || attributeOf(el, "aria-multiline") === "true",
    editable: Boolean(field),
    submits: Boolean(form && sendsForm(el)),
    origin: location.origin === "null" ? self.origin : location.origin,
    form: form ? formSent(form, sendsForm(el) ? el : null) : null,
  };
}

// The innermost control that a touch of this element reaches, and with it the others: what encloses it, a label's field.
function targetOf(el) {
  forget();
  const reached = new Set();
  for (let up = el; up && up !== document.body && up !== document.documentElement; up = parentThroughShadow(up)) {
    const passes = up.tagName === "LABEL" && up.control && !listenerKinds.has(up) && !attributeOf(up, "onclick");
    if (!passes && (isMatch(up, ACTIVE) || listensAlone(up))) reached.add(up);
    if (up.tagName === "LABEL" && up.control) reached.add(up.control);
  }
  const [first, ...others] = reached.size ? [...reached] : [el];
  return { ...describeTarget(first), outer: others.slice(0, MOST_OUTER).map(describeTarget) };
}

function frameOrTarget(el, x, y) {
  if (el && (el.tagName === "IFRAME" || el.tagName === "FRAME")) {
    const [left, top, , , scale] = frameBox(el);
    return { path: framePath(), frame: frameIndex(el), x: (x - left) / scale, y: (y - top) / scale };
  }
  return { target: el && el !== document.body && el !== document.documentElement ? targetOf(el) : null };
}

const targetAt = (x, y) => frameOrTarget(under(x, y), x, y);

function targetFocused() {
  let at = document.activeElement;
  for (let root = at && shadowOf(at); root && root.activeElement; root = at && shadowOf(at)) at = root.activeElement;
  return frameOrTarget(at, 0, 0);
}

function targetByKey(letter) {
  const found = [document, ...shadowRoots(document)].flatMap((root) => [...root.querySelectorAll("[accesskey]")]);
  const el = found.find((one) => attributeOf(one, "accesskey").toLowerCase().split(/\s+/).includes(letter));
  return el ? targetOf(el) : null;
}
