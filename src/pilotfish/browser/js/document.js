// The document with the standard's own properties. An image or form of the page may have the name of such a property
// and would hide it.
const documentMethods = new Map();
const document = new Proxy(window.document, {
  get(real, name) {
    const known = documentMethods.get(name);
    if (known) return known;
    const found = Reflect.get(Object.getPrototypeOf(real), name, real);
    if (typeof found !== "function") return found;
    documentMethods.set(name, found.bind(real));
    return documentMethods.get(name);
  },
});
