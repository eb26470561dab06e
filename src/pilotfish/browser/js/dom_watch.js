// Whether the document changed since the last look. What depends on nothing but its elements, attributes and texts (roles,
// rows, paging boxes) is kept from one look to the next while it did not.

let domStale = true;
let foundBy = new Map();
let matchesIn = new Map();
const domWatch = new MutationObserver(() => markDomStale());

// The observer stops at the first change, so that a page that changes all the time is not slowed down.
function markDomStale() {
  domStale = true;
  domWatch.disconnect();
}

// Whether anything changed since this was asked last. Changes inside shadow roots are not seen, so there it is always so.
function hasDomChanged() {
  const changed = domStale || sawUnwatched || domWatch.takeRecords().length > 0;
  sawUnwatched = false;
  if (!changed) return false;
  domStale = false;
  domWatch.observe(window.document, { subtree: true, childList: true, attributes: true, characterData: true });
  return true;
}

function forgetMatches() {
  foundBy = new Map();
  matchesIn = new Map();
}

// What a selector matches in the document.
function allMatching(selector) {
  let found = foundBy.get(selector);
  if (!found) foundBy.set(selector, (found = [...document.querySelectorAll(selector)]));
  return found;
}

// Whether the tree of an element has anything that a selector matches.
function anyIn(el, selector) {
  const tree = el.getRootNode();
  const root = tree === window.document ? document : tree;
  let known = matchesIn.get(root);
  if (!known) matchesIn.set(root, (known = new Map()));
  let found = known.get(selector);
  if (found === undefined) known.set(selector, (found = root.querySelector(selector) !== null));
  return found;
}
