// Whether the document changed since the last look. What depends on nothing but its elements, attributes and texts (roles,
// rows, paging boxes) is kept from one look to the next while it did not.

let domStale = true;
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
