// The best words for a control that has no accessible name: icons, nearby text, test ids, class words, file names.

const NOISE = new Set(
  `a an the btn button icon icons ico fa fas far fab fal mdi bi material symbols glyphicon svg img image link wrapper
  container inner outer item items root base js is has ui col row box div span content block element component input
  field control form text var ant mui main primary secondary default active small large medium sm md lg xl xs left right top bottom
  flex grid inline hidden visible cursor pointer rounded bg px py mx my pt pb pl pr mt mb ml mr w h css sc style styles
  ltr rtl none auto full light dark white black gray solid outline undefined null true false`.split(/\s+/),
);
const HINTS = ["data-testid", "data-test", "data-test-id", "data-qa", "data-cy", "data-icon", "data-name", "data-action",
  "data-tooltip", "data-title", "data-original-title", "aria-roledescription", "name", "data-value"];
// What is beside these is another one of their kind, and tells nothing of what is in them.
const ROW = "tr,li,[role=row],[role=listitem],[role=gridcell]";
const GLYPHS = /[\uE000-\uF8FF\u200B-\u200F\u2060\uFEFF]/g;

// What a person would call it: the accessible name without icon glyphs, else the best guess.
function labelFor(el, role) {
  const name = tidy(nameOf(el).replace(GLYPHS, ""));
  return name || guess(el, role);
}

function guess(el, role) {
  const label = hosted(el);
  if (label) return clipped(label, 80);
  const field = el.matches("input,select,textarea") || el.isContentEditable;
  if (field) return clipped(nearby(el) || hinted(el), 80);
  if (drawn(el)) return clipped(shapeName(el), 60);
  if (role === "slider" && el.parentElement) return clipped(sliderName(el), 60);
  const text = WIDGETS.has(role) ? "" : shown(el);
  const meant = text || pictured(el) || `${hinted(el)} ${tint(el)}`.trim();
  return clipped(meant || (role === "link" ? tail(el.href) : ""), 100);
}

// A knob is far inside what its label stands beside; the number that goes with it is no name.
function sliderName(el) {
  const near = nearby(el, 5);
  return el.closest("[aria-label]")?.getAttribute("aria-label") || (/\p{L}/u.test(near) ? near : hinted(el.parentElement));
}

// What the label of a component says of the control inside it.
function hosted(el) {
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

function shown(el) {
  return (el.innerText || el.textContent || "").replace(GLYPHS, "").slice(0, 200);
}

// Text beside a field: before it, in the cell or block before it, or after it for boxes and circles. A sentence is no
// label.
function nearby(el, levels = 3) {
  const after = el.type === "checkbox" || el.type === "radio";
  for (const step of after ? ["nextSibling", "previousSibling"] : ["previousSibling", "nextSibling"]) {
    for (let node = el[step]; node; node = node[step]) {
      const text = plain(node);
      if (text) return text;
      if (node.nodeType === 1 && node.matches("input,select,textarea,button")) break;
    }
  }
  let up = el.parentElement;
  for (let level = 0; up && level < levels; level++, up = up.parentElement) {
    const fields = [...up.querySelectorAll("input:not([type=hidden]),select,textarea")];
    if (fields.filter((field) => field.checkVisibility()).length > 1) return "";
    const row = up.matches(ROW);
    const text = (el.isContentEditable ? "" : plain(up)) || (row ? "" : before(up));
    if (text || row) return text;
  }
  return "";
}

// What stands right before an element, a line break apart.
function before(el) {
  let node = el.previousSibling;
  while (node && (node.nodeType === 8 || (node.nodeType === 3 && !node.data.trim()))) node = node.previousSibling;
  return node ? plain(node) : "";
}

function plain(node) {
  if (node.nodeType === 3) return tidy(node.data);
  if (node.nodeType !== 1 || !node.checkVisibility() || node.matches("script,style,button,select,option,a,input,textarea")) return "";
  if ((node.tagName === "LABEL" && node.control) || node.getAttribute("aria-hidden") === "true" || pressed(node)) return "";
  const more = node.querySelector("select,textarea,button,td,li,p") || [...node.querySelectorAll("label")].some((label) => label.control);
  const text = more ? "" : tidy(node.innerText || "");
  return text.length <= 80 && !/[.!]["”']?$|[.!?] \p{Lu}/u.test(text) ? text : "";
}

// Whether a box is there to be clicked, or holds nothing else: its words are not about its neighbours.
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
  const use = el.querySelector("use");
  const ref = use && (use.getAttribute("href") || use.getAttribute("xlink:href"));
  if (ref && ref.includes("#")) return words(ref.slice(ref.indexOf("#") + 1));
  const image = el.tagName === "IMG" ? el : el.querySelector("img[src]");
  return image ? tail(image.getAttribute("src")) : "";
}

function hinted(el) {
  const inner = el.firstElementChild;
  for (const node of inner ? [el, inner, ...inner.querySelectorAll(":scope > *")].slice(0, 4) : [el]) {
    for (const name of HINTS) {
      const text = node.getAttribute(name);
      if (text && text.length < 60) {
        const said = words(text);
        if (said) return said;
      }
    }
    const said = words(node.getAttribute("id") || "") || words(node.getAttribute("class") || "");
    if (said) return said;
  }
  // "save(this)" and "this.form.submit()" name what a click does.
  const calls = (el.getAttribute("onclick") || "").match(/[A-Za-z]\w*(?=\()/g);
  return calls ? words(calls[calls.length - 1]) : "";
}

// "fa-trash-alt btnPrimary x7Gq" → "trash alt": words that a person could read.
function words(text) {
  const parts = text.slice(0, 120).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}]+/u);
  const kept = parts.filter((part) => part.length > 2 && !NOISE.has(part) && /[aeiouy\u0080-\uffff]/.test(part));
  return [...new Set(kept)].slice(0, 3).join(" ");
}

function tail(url) {
  if (!url || url.startsWith("data:") || url.startsWith("blob:")) return "";
  const path = url.split(/[?#]/)[0].replace(/\/+$/, "");
  const last = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  return words(last) || (last.length > 1 && last.length < 24 ? last : "");
}
