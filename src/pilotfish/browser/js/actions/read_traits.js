// What stays the same when a page draws a field anew.
(el) => [el.localName, el.type, el.id, el.getAttribute("name"), el.placeholder, el.getAttribute("aria-label")].join("|");
