// The markup of the body, or of what a selector matches, without scripts, styles and long data addresses.
function readMarkup(selector) {
  const found = selector ? [...document.querySelectorAll(selector)] : [document.body];
  if (!found.length || !found[0]) return null;
  return found
    .slice(0, 50)
    .map((el) => {
      const copy = el.cloneNode(true);
      for (const part of copy.querySelectorAll("script,style,noscript,template,link,svg > *")) part.remove();
      for (const field of copy.querySelectorAll("input[type=password]")) field.removeAttribute("value");
      return copy.outerHTML.replace(/(["'(])data:[^"')]{100,}/g, "$1data:…").replace(/\n\s*\n+/g, "\n");
    })
    .join("\n");
}
