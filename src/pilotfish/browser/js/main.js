// The methods that Python calls in a document. Each returns one JSON string.

// If more elements than this are covered, only their number is returned.
const MOST_BEHIND = 6;

const METHODS = {
  // `whole`: also return what a dialog covers. `again`: repeat the scan after the debugger found more listeners.
  look(whole, again) {
    if (again) lastIdentities = previousIdentities;
    else previousIdentities = lastIdentities;
    const look = scan(whole);
    keepLook(look, true);
    return describeLook(look);
  },
  find(query) {
    return describeLook(findText(query));
  },
  open(handle) {
    const el = elementOf(handle);
    return el ? describeLook(scanAll(opened(el))) : { gone: 1 };
  },
  spot(handle, checks) {
    return { path: framePath(), ...spot(handle, checks) };
  },
  bare(handle) {
    const el = elementOf(handle);
    return { path: framePath(), at: el && bare(el) };
  },
  // The elements on the screen most like one that is gone: [handle, role, name] triples, best first.
  like(role, name) {
    const nodes = scan().nodes.filter((node) => node.h && !node.x && node.n);
    const wanted = new Set(name.toLowerCase().split(/\s+/));
    const rate = (node) => {
      const had = node.n.toLowerCase().split(/\s+/);
      const shared = had.filter((word) => wanted.has(word)).length;
      return shared / Math.max(wanted.size, had.length) + (node.r === role ? 0.2 : 0);
    };
    const rated = nodes.map((node) => [rate(node), node]).filter(([score]) => score > 0.3);
    return rated.sort((a, b) => b[0] - a[0]).slice(0, 3).map(([, node]) => [node.h, node.r, node.n]);
  },
  // Which of these handles still stand for a visible element, which may be off the screen or covered.
  away(given) {
    return given.filter((handle) => {
      const el = elementOf(handle);
      return el && handles.get(el) === handle && el.checkVisibility(SEEN);
    });
  },
  target(handle) {
    const el = elementOf(handle);
    return el && targetOf(el);
  },
  hit(x, y) {
    return targetAt(x, y);
  },
  focused() {
    return targetFocused();
  },
  // Ends typing: whether keys were held back from the rest of the page, and whether the page answered.
  typed() {
    const typing = globalThis.pilotfishTyping;
    if (typing) typing.end();
    return { lost: Boolean(typing && typing.lost), answered: Boolean(typing && typing.answered) };
  },
  accesskey(letter) {
    return targetByKey(letter);
  },
  mark(text) {
    return { path: framePath(), ...markText(text) };
  },
  marked() {
    return markedText();
  },
  frames() {
    return { path: framePath(), boxes: frameBoxes() };
  },
  frameAt(x, y) {
    return frameAt(x, y);
  },
  label(selector) {
    forget();
    return [...document.querySelectorAll(selector)].map((el) => [roleOf(el), nameOf(el), describe(el)]);
  },
  text(selector, links) {
    return readText(selector, links);
  },
  markup(selector) {
    return { html: readMarkup(selector) };
  },
  // What an element says; of a field all that it holds, but never a password.
  content(handle) {
    const el = elementOf(handle);
    if (!el) return { gone: 1 };
    if (el.matches("input,textarea")) return { value: el.type === "password" ? "" : el.value };
    return tellText(el, false, null);
  },
  collect(query) {
    return collectRows(query);
  },
  lists() {
    return surveyLists();
  },
  scrollBox(how, top, y) {
    return moveScrollBox(how, top, y);
  },
};

function describeLook(look) {
  const top = document.scrollingElement || document.documentElement;
  return {
    path: framePath(), url: location.href, title: document.title, nodes: look.nodes, above: look.above, below: look.below,
    covered: look.covered, folded: look.folded, cut: look.cut, layers: look.hiddenLayers, odd: look.odd, behind: behind(look), headings: look.headings, fresh: mayHaveNewListeners(look), count: look.count, left: look.left, kind: document.contentType,
    scroll: [Math.round(window.scrollY), look.height, top ? top.scrollHeight : 0], size: [look.width, look.height],
  };
}

// The covered elements, if a click beside the cover closes it.
function behind(look) {
  const nodes = look.under.length <= MOST_BEHIND ? look.under : [];
  return nodes.length && bare(elementOf(nodes[0].h)) ? nodes.map((node) => [node.h, node.r, node.n]) : [];
}

// The part of the page to show for an element: the list around a control, or a box itself.
function opened(el) {
  if (el.querySelectorAll(INNER).length > 1) return el;
  const row = rowOf(el);
  return row && row.parentElement ? row.parentElement : el;
}

const documentKey = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
globalThis.pilotfish = {
  key: documentKey,
  call: (method, args) => JSON.stringify(METHODS[method](...args)),
  on: (handle, act, args) => {
    const el = elementOf(handle) || (mismatchNow(handle) ? null : elementOf(handle));
    return JSON.stringify(el ? { v: act(el, ...args) ?? null } : { e: "gone" });
  },
  same: standsFor,
  stand: (handle) => records.get(handle)?.target?.deref() || null,
  form: (el) => JSON.stringify(formSent(el, null)),
  hosts: sealedHosts,
  storeListeners,
  adopt: (host, root) => {
    closed.set(host, root);
    markDomStale();
  },
  document,
};
return documentKey;
