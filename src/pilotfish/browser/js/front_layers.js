// What lies in front: an open dialog, menu, panel or popover comes first, and where it covers the page the rest is left
// out and only counted.

const OVERLAYS = "dialog[open],[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[aria-modal=true],[popover]";
const NAMED_LAYERS = new Set(["dialog", "alertdialog", "menu", "listbox", "tooltip"]);
// A bar along an edge of the screen is not a panel, however much scrolls under it.
const BAR = 0.4;
// With no more than this share of the other controls in reach, a layer covers the rest.
const LEFT_OVER = 0.2;

// Puts the layers in front at the head of the nodes; `whole` keeps what they cover.
function putLayersFirst(look, whole) {
  const layers = look.raised.length ? frontLayers(look) : [];
  if (!layers.length) return;
  const inFront = new Map();
  for (const layer of layers) for (let at = layer.from; at < layer.to; at++) if (!inFront.has(at)) inFront.set(at, layer);
  const inert = layers.some((layer) => layer.overlay.matches("dialog:modal"));
  const modal = inert || coversRest(look, inFront);
  if (modal && !whole) foldRest(look, inFront, inert ? [] : besideLayers(look, inFront), inert);
  reorder(look, layers, inFront, modal);
}

function frontLayers(look) {
  const overlays = allMatching(OVERLAYS).filter((el) => el.checkVisibility(SEEN));
  const said = new Map(overlays.map((el) => [layerOf(look, el), el]).filter(([layer]) => layer));
  const found = look.raised.filter((layer) => layer.to > layer.from && (said.has(layer) || hidesOthers(look, layer)) && onTop(layer));
  const chosen = found.filter((layer) => said.has(layer) || !found.some((other) => other !== layer && holds(other.el, layer.el)));
  for (const layer of chosen) layer.overlay = said.get(layer) || layer.el;
  return chosen.sort((one, other) => (holds(one.el, other.el) ? 1 : holds(other.el, one.el) ? -1 : other.from - one.from));
}

// The innermost raised box around a dialog, if it holds little else.
function layerOf(look, overlay) {
  const around = look.raised.filter((layer) => layer.el === overlay || holds(layer.el, overlay));
  const layer = around.at(-1);
  return layer && layer.el.textContent.length <= overlay.textContent.length * 1.2 + 60 ? layer : null;
}

// Whether something to act on lies under a box that has more than one thing in it and is no bar. What sticks to the edge
// of its box while that scrolls, such as the head of a table, belongs to the box, and so does a row that is placed in a grid.
function hidesOthers(look, layer) {
  if (!layer.hides || layer.sticky || roleOf(layer.el) === "row") return false;
  const { width, height } = layer.rect;
  const bar = (width >= look.width * 0.9 && height < look.height * BAR) || (height >= look.height * 0.9 && width < look.width * 0.1);
  return !bar && look.nodes.slice(layer.from, layer.to).filter((node) => !node.x && (node.h || node.k === "t" || node.k === "h")).length > 1;
}

function onTop({ el, rect }) {
  const x = (Math.max(rect.left, 0) + Math.min(rect.right, window.innerWidth)) / 2;
  const y = (Math.max(rect.top, 0) + Math.min(rect.bottom, window.innerHeight)) / 2;
  const hit = under(x, y);
  return Boolean(hit) && (hit === el || holds(el, hit));
}

function coversRest(look, inFront) {
  const others = look.nodes.filter((node, at) => node.h && !inFront.has(at) && (!node.x || node.c) && node.b[1] < look.height);
  if (others.length) return others.filter((node) => !node.c).length <= others.length * LEFT_OVER;
  return look.raised.some(({ rect }) => rect.width >= look.width * 0.9 && rect.height >= look.height * 0.9);
}

// What lies on top beside the layers in front, such as a message that comes up over a dialog.
function besideLayers(look, inFront) {
  const free = ({ el, from, to }) => to > from && !inFront.has(from) && ![...inFront.values()].some((layer) => holds(el, layer.el));
  return look.raised.filter((layer) => free(layer) && !coversHalfScreen(layer.rect) && onTop(layer));
}

// Keeps what can still be clicked beside a layer that covers the rest.
function foldRest(look, inFront, beside, inert) {
  look.folded = 1;
  look.nodes.forEach((node, at) => {
    if (inFront.has(at) || node.x || beside.some(({ from, to }) => at >= from && at < to)) return;
    const middle = node.h ? node.b[1] + node.b[3] / 2 : 0;
    const stays = !inert && node.h && node.k === "c" && middle > 0 && middle < look.height;
    if (stays) return;
    if (node.h) look.covered++;
    if (node.k === "b" && NAMED_LAYERS.has(node.r) && node.n) look.hiddenLayers.push(`${node.r} "${node.n}"`);
    node.x = 1;
    if (node.k === "f") node.o = 0;
  });
}

function reorder(look, layers, inFront, modal) {
  const nodes = [];
  const places = new Map();
  const put = (node, at, head) => {
    if (at >= 0) places.set(at, nodes.length);
    const up = node.d >= 0 && places.has(node.d) && (head < 0 || inFront.get(node.d) === inFront.get(at)) ? places.get(node.d) : head;
    nodes.push(Object.assign(node, { d: up }));
  };
  for (const layer of layers) {
    const own = [];
    for (let at = layer.from; at < layer.to; at++) if (inFront.get(at) === layer) own.push(at);
    if (!own.length) continue;
    const head = nodes.length;
    const first = look.nodes[own[0]];
    const whole = first.k === "b" && NAMED_LAYERS.has(first.r) && own.slice(1).every((at) => look.nodes[at].d >= own[0]);
    if (!whole) nodes.push(headOf(layer));
    for (const at of own) put(look.nodes[at], at, whole && at === own[0] ? -1 : head);
    nodes[head].z = modal ? 2 : 1;
  }
  look.nodes.forEach((node, at) => inFront.has(at) || put(node, at, -1));
  look.nodes = nodes;
}

function headOf({ overlay }) {
  const role = roleOf(overlay);
  const name = nameOf(overlay) || nameOf(overlay.querySelector("h1,h2,h3,h4,[role=heading]") || overlay);
  return { k: "b", r: NAMED_LAYERS.has(role) ? role : "panel", n: role === "generic" && !LETTERED.test(name) ? "" : clipped(name, 80), d: -1 };
}
