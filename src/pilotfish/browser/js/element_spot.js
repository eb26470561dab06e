// Finds an element again just before an action, or returns the reason why it must not be touched.

// A point of the element that a click would reach, or null. It lies in one of the boxes of the element: the middle of what
// is around the lines of a link that wraps may lie beside its words.
function reach(el) {
  const points = [...el.getClientRects()].flatMap((box) => [...pointsOf(box)]);
  return points.find(([x, y]) => meets(el, x, y)) || null;
}

// The points of a box to try, as far as it is on the screen: its middle first.
function* pointsOf(box) {
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [right, bottom] = [Math.min(box.right, window.innerWidth), Math.min(box.bottom, window.innerHeight)];
  if (right <= left || bottom <= top) return;
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  yield [x, y];
  yield [left + Math.min(8, (right - left) / 4), y];
  yield [right - Math.min(8, (right - left) / 4), y];
  yield [x, top + Math.min(6, (bottom - top) / 4)];
  yield [x, bottom - Math.min(6, (bottom - top) / 4)];
}

function meets(el, x, y) {
  const hit = under(x, y);
  if (!hit) return false;
  if (hit === el || holds(el, hit)) return true;
  const label = hit.closest("label");
  if (label && label.control === el) return true;
  return holds(hit, el) && !(hit.tagName === "BUTTON" || hit.tagName === "A" || hit.hasAttribute("onclick")) ? !hollow(el) : false;
}

// Clicking a point that belongs to an ancestor is the same click, but where the element lets clicks through to it: a control
// that is disabled so is seen, and cannot be reached.
function hollow(el) {
  return getComputedStyle(el).pointerEvents === "none" && disabled(el);
}

function spot(handle, checks) {
  const why = mismatchNow(handle);
  if (why) return why;
  const { el: held, role, name, target: stand } = records.get(handle);
  const el = held.deref();
  const target = (stand && stand.deref()) || el;
  if (!target.isConnected || !target.checkVisibility({ visibilityProperty: true })) return { e: "hidden" };
  if (checks.enabled && disabled(el)) return { e: "disabled" };
  return place(el, target, role, name, checks);
}

function place(el, target, role, name, checks) {
  let rect = target.getBoundingClientRect();
  if (rect.width === 0 && rect.height === 0) return { e: "hidden" };
  let point = inside(rect) ? reach(target) : null;
  if (!point && checks.scroll) {
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    rect = target.getBoundingClientRect();
    point = reach(target);
  }
  if (!point && checks.open) return { e: "covered", ...coverOf(target, rect) };
  point ||= [rect.left + rect.width / 2, rect.top + rect.height / 2];
  return { px: point[0], py: point[1], b: round(rect), r: role, n: name, ...particulars(el, role) };
}

// A point of the empty page where a click closes the popup of the focused field.
function bare(el) {
  const field = document.activeElement;
  if (!field || !(field.matches("input,textarea") || field.isContentEditable)) return null;
  for (const [across, down] of BARE) {
    const [x, y] = [window.innerWidth * across, window.innerHeight * down];
    const hit = under(x, y);
    const idle = hit && holds(hit, el) && !listenerKinds.has(hit) && !hit.matches("a,button,label") && getComputedStyle(hit).cursor !== "pointer";
    if (idle) return [x, y];
  }
  return null;
}

const BARE = [0.97, 0.5, 0.03, 0.75, 0.25].flatMap((down) => [0.97, 0.5, 0.03, 0.75, 0.25].map((across) => [across, down]));

function inside(rect) {
  const x = rect.left + rect.width / 2;
  const y = rect.top + rect.height / 2;
  return x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
}

function particulars(el, role) {
  const tag = el.tagName.toLowerCase();
  const typed = tag === "textarea" || (tag === "input" && !NOT_TYPED.has(el.type));
  const answersTyping = (typed || el.isContentEditable) && isTypingHandled(el);
  return {
    g: tag, y: tag === "input" ? el.type : "", ce: el.isContentEditable, ed: (typed || el.isContentEditable) && !el.readOnly,
    ...factsOf(el, role), hr: answersTyping, hc: typed && isChangeHandled(el),
  };
}

const NOT_TYPED = new Set("button checkbox color file hidden image radio range reset submit".split(" "));

// What lies on top: the nearest element around it that has a name.
function coverOf(el, rect) {
  const x = Math.min(Math.max(rect.left + rect.width / 2, 0), window.innerWidth - 1);
  const y = Math.min(Math.max(rect.top + rect.height / 2, 0), window.innerHeight - 1);
  const hit = under(x, y);
  if (!hit) return { by: "the edge of the screen" };
  let best = null;
  for (let up = hit; up && up !== document.body && !holds(up, el); up = parentOf(up)) {
    const role = roleOf(up);
    const name = role === "generic" ? tidy(up.getAttribute("aria-label") || "") : clipped(nameOf(up), 60);
    const said = { by: name ? `${role} "${name}"` : role };
    if (handles.has(up)) said.bh = handles.get(up);
    if (role === "dialog" || role === "alertdialog") return said;
    if (!best && (said.bh || name)) best = said;
  }
  if (best) return best;
  return { by: `${hit.tagName.toLowerCase()} "${clipped(shown(hit), 40)}"` };
}

// The element that a parent document sees at a point, as the index of one of its frames.
function frameAt(x, y) {
  const hit = under(x, y);
  if (hit && (hit.tagName === "IFRAME" || hit.tagName === "FRAME")) return { i: frameIndex(hit) };
  return { i: null, by: hit ? `${roleOf(hit)} "${clipped(shown(hit), 40)}"` : "" };
}
