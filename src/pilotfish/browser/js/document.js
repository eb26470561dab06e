// The document as the standard has it. A picture or form of the page may bear the name of anything that a document
// can do, and would then be found in its place.
const document = new Proxy(window.document, {
  get(real, name) {
    const found = Reflect.get(Object.getPrototypeOf(real), name, real);
    return typeof found === "function" ? found.bind(real) : found;
  },
});
