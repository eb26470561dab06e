// Computed styles, each made once a look: the browser makes a new one for whoever asks.

let styles = new Map();

function forgetStyles() {
  styles = new Map();
}

function styleOf(el) {
  let style = styles.get(el);
  if (style === undefined) styles.set(el, (style = getComputedStyle(el)));
  return style;
}
