// Which state the classes of an element name: "tab--active", "is-open", "ant-switch-checked", "Mui-selected". Classes
// are read as word parts. A word that may mean something else ("status-active", "add-on", "active:bg-blue") counts only
// where the rest of the class shows that it is a state.

const ON_WORDS = {
  active: "selected", selected: "selected", current: "selected", chosen: "selected", picked: "selected",
  checked: "checked", ticked: "checked", truthy: "checked", pressed: "pressed", toggled: "on", on: "on",
  enabled: "on", filled: "on", lit: "on", starred: "on", liked: "on", favorited: "on", favourited: "on", bookmarked: "on",
  pinned: "on", open: "expanded", opened: "expanded", expanded: "expanded",
};
const OFF_WORDS = {
  inactive: "unselected", unselected: "unselected", deselected: "unselected", unchecked: "unchecked", falsy: "unchecked",
  off: "off", unstarred: "off", unpinned: "off", closed: "collapsed", collapsed: "collapsed",
};
// What can have such states.
const KINDS = new Set(
  `accordion box button btn checkbox chip color colour date day filter heart icon item knob link menuitem nav option page
  panel pill radio row segment size star step swatch switch tab thumb tile toggle view`.split(/\s+/),
);
const FOLDING = new Set(
  "accordion collapse collapsible disclosure dropdown expand expander expandable expansion faq foldable submenu tree treeitem".split(" "),
);
const UNSURE_STATES = new Set(["on", "off", "open", "opened", "closed", "enabled"]);
// Words that tell a state, unless the word before them turns them into another one or into a command.
const CERTAIN_STATES = new Set(["checked", "unchecked", "ticked"]);
const CHANGING_WORDS = new Set(
  "all clear delete get half has hide if keep move no non not only partial partially remove semi show when with".split(" "),
);
const ICON_NAME = /^(icons?|fa[a-z]?|mdi|bi|ti|ri|pi|lucide|glyphicon|material|tabler)[-_]/i;
const parsedClasses = new Map();
const NO_CLASSES = { parts: new Set(), states: [], says: new Map() };

// The word parts of a class, and the state that it names.
function parseClass(token) {
  if (/[:[\]/.@!]/.test(token)) return { parts: [], state: "" };
  const parts = token.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase().split(/[-_]+/).filter(Boolean);
  const hashed = parts.length > 1 && /[_-](?=[A-Za-z]*\d)[A-Za-z0-9]+$/.test(token) && !(parts.at(-1) in ON_WORDS);
  if (hashed) while (parts.length > 1 && (/\d/.test(parts.at(-1)) || parts.at(-1).length < 2)) parts.pop();
  return { parts, state: namedState(token, parts, hashed) };
}

function namedState(token, parts, hashed) {
  const last = parts.at(-1);
  const before = parts.at(-2) || "";
  if (last in ON_WORDS || last in OFF_WORDS) {
    const marked = parts.length === 1 || before === "is" || before === "state" || hashed || token.includes("--");
    if (CERTAIN_STATES.has(last) && parts.length > 1 && !CHANGING_WORDS.has(before)) return last;
    const short = parts.length === 2 && /^[a-z]{1,3}\d?$/.test(before) && !UNSURE_STATES.has(last);
    return marked || short || KINDS.has(before) || (FOLDING.has(before) && !(last === "on" || last === "off")) ? last : "";
  }
  const leading = /^(active|selected|checked|current)$/.test(parts[0]) && parts.length === 2;
  return leading && KINDS.has(last) ? parts[0] : "";
}

function classesOf(el) {
  const text = el.getAttribute("class");
  if (!text) return NO_CLASSES;
  const known = parsedClasses.get(text);
  if (known) return known;
  if (parsedClasses.size > 4000) parsedClasses.clear();
  const tokens = text.split(/\s+/).filter(Boolean).slice(0, 30);
  const parsed = tokens.map(parseClass);
  // "ant-switch ant-switch-checked": a class that goes on with a state.
  parsed.forEach((one, at) => {
    const word = addedWord(tokens[at], tokens);
    if (!one.state && (word in ON_WORDS || word in OFF_WORDS)) one.state = word;
  });
  const found = { parts: new Set(parsed.flatMap((one) => one.parts)), states: parsed.map((one) => one.state).filter(Boolean), says: new Map() };
  parsedClasses.set(text, found);
  return found;
}

// The word that a class adds to another one of the element: a fold that is shut may be called "close" so.
function addedWord(token, tokens) {
  const [, base, word] = /^(.*[^-_])[-_]+([a-z]+)$/i.exec(token) || [];
  // "icon-eye-off" is another icon.
  return !base || !tokens.includes(base) || (/^o(n|ff)$/.test(word) && ICON_NAME.test(base)) ? "" : word === "close" ? "closed" : word;
}

// Whether one of the words of the classes is among these, or is the plural of one.
function classSays(el, kinds) {
  const { parts, says } = classesOf(el);
  let said = says.get(kinds);
  if (said === undefined) says.set(kinds, (said = [...parts].some((part) => kinds.has(part) || (part.endsWith("s") && kinds.has(part.slice(0, -1))))));
  return said;
}

// The state that the classes of an element name, as [word, whether it is on]; nothing where they contradict each other.
function classState(el) {
  if (!classesOf(el).states.length) return null;
  const folds = classSays(el, FOLDING) || (el.parentElement && classSays(el.parentElement, FOLDING));
  const words = classesOf(el).states.filter((word) => folds || !/^(open|opened|closed)$/.test(word));
  const on = words.find((word) => ON_WORDS[word]);
  const off = words.find((word) => word in OFF_WORDS);
  if (on && off) return null;
  return on ? [ON_WORDS[on], true, on] : off ? [OFF_WORDS[off], false, off] : null;
}
