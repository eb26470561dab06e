// Takes the keyboard from a field, as a person does who is done with it: the page hears of the change then.
(el) => {
  el.blur();
};
