// Takes the focus from a field, so that the page gets its change event.
(el) => {
  el.blur();
};
