// The door: Python calls one method in one document and gets one JSON string back.

// Of more than these only the number is told.
const BEHIND = 6;

const METHODS = {
  look() {
    return told(scan());
  },
  find(query) {
    return told(findText(query));
  },
  open(handle) {
    const el = elementOf(handle);
    return el ? told(scanAll(opened(el))) : { gone: 1 };
  },
  spot(handle, checks) {
    return { path: framePath(), ...spot(handle, checks) };
  },
  bare(handle) {
    const el = elementOf(handle);
    return { path: framePath(), at: el && bare(el) };
  },
  // What is on the screen now that is most like a lost element: [handle, role, name] triples, best first.
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
  // Which of these are still there, though out of sight: off the screen, or under something.
  away(given) {
    return given.filter((handle) => {
      const el = elementOf(handle);
      return el && handles.get(el) === handle && el.checkVisibility(SEEN);
    });
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
};

function told(look) {
  const top = document.scrollingElement || document.documentElement;
  return {
    path: framePath(), url: location.href, title: document.title, nodes: look.nodes, above: look.above, below: look.below,
    covered: look.covered, odd: look.odd, behind: behind(look), headings: look.headings, fresh: unheard(look), count: look.count, kind: document.contentType,
    scroll: [Math.round(window.scrollY), look.height, top ? top.scrollHeight : 0], size: [look.width, look.height],
  };
}

// What lies under something that a click beside it puts away.
function behind(look) {
  const nodes = look.under.length <= BEHIND ? look.under : [];
  return nodes.length && bare(elementOf(nodes[0].h)) ? nodes.map((node) => [node.h, node.r, node.n]) : [];
}

// A control opens as the list it is one row of; anything that holds more opens as itself.
function opened(el) {
  if (el.querySelectorAll(INNER).length > 1) return el;
  const row = rowOf(el);
  return row && row.parentElement ? row.parentElement : el;
}

function elementOf(handle) {
  const record = records.get(handle);
  const el = record && record.el.deref();
  return el && el.isConnected ? el : null;
}

const documentKey = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
globalThis.pilotfish = {
  key: documentKey,
  call: (method, args) => JSON.stringify(METHODS[method](...args)),
  on: (handle, act, args) => {
    const el = elementOf(handle);
    return JSON.stringify(el ? { v: act(el, ...args) ?? null } : { e: "gone" });
  },
  same: (handle) => !spot(handle, {}).e,
  hosts: sealedHosts,
  hear,
  adopt: (host, root) => void closed.set(host, root),
  document,
};
return documentKey;
