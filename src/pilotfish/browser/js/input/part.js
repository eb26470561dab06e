// Focuses a field and selects some words in it if they stand there once, whatever blanks and line breaks part them.
// Returns how often they are there, -1 where nothing can be selected, and what the field holds, never a password.
(el, words) => {
  const active = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  if (active() !== el && !el.contains(active())) el.focus({ preventScroll: true });
  const field = !("value" in el) && !el.isContentEditable && el.contains(active()) ? active() : el;
  const plain = "value" in field;
  if (field.type === "password" || field.editContext || !(plain ? typeof field.selectionStart === "number" : field.isContentEditable)) {
    return { count: -1, held: "" };
  }
  let said = "";
  const places = [];
  const add = (letter, place) => {
    const blank = /\s/.test(letter);
    if (blank && (said === "" || said.endsWith(" "))) return;
    said += blank ? " " : letter;
    places.push(place);
  };
  const addAll = (text, node) => [...Array(text.length).keys()].forEach((at) => add(text[at], [node, at]));
  if (plain) addAll(field.value, field);
  else {
    const texts = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
    let holder = null;
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const block = node.parentElement.closest("p,div,li,td,th,h1,h2,h3,h4,h5,h6,pre,blockquote");
      if (holder && block !== holder) add(" ", [node, 0]);
      holder = block;
      addAll(node.data, node);
    }
  }
  const spaced = words.replace(/\s+/g, " ");
  const wanted = said.includes(spaced) ? spaced : spaced.trim();
  const count = wanted.trim() ? said.split(wanted).length - 1 : 0;
  if (count === 1) {
    const [[first, from], [last, to]] = [places[said.indexOf(wanted)], places[said.indexOf(wanted) + wanted.length - 1]];
    if (plain) field.setSelectionRange(from, to + 1);
    else getSelection().setBaseAndExtent(first, from, last, to + 1);
  }
  return { count, held: plain ? field.value : field.innerText };
};
