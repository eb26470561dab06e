// What an element is, told by the page's own structure at the moment of asking. Runs in a world that pages cannot touch.
(el) => {
  const short = (text, most) => String(text || "").replace(/\s+/g, " ").trim().slice(0, most);
  const names = (field) => {
    const own = field.labels && field.labels.length ? [...field.labels].map((label) => label.textContent).join(" ") : "";
    return [own.trim(), field.getAttribute("aria-label"), field.placeholder, field.name, field.id].filter(Boolean);
  };
  const labelled = (field) => short(names(field).join(" "), 120);
  const spoken = (node) =>
    short([node.getAttribute("aria-label"), node.innerText || node.value, node.title, node.alt].filter(Boolean).join(" "), 160);
  const above = (node) => {
    const box = node.closest("dialog, [role=dialog], [role=alertdialog], form, fieldset, section, article, main");
    const head = box && box.querySelector("h1, h2, h3, h4, legend, [role=heading]");
    return short(head && head.textContent, 120);
  };
  const hints = (node) => {
    const parts = [node.id, node.getAttribute("name"), node.getAttribute("class"), node.getAttribute("data-action"), node.getAttribute("data-testid"), node.getAttribute("onclick"), node.getAttribute("formaction")];
    for (const icon of node.querySelectorAll("svg title, i[class], use, img[alt]")) {
      parts.push(icon.textContent || icon.getAttribute("class") || icon.getAttribute("href") || icon.alt);
    }
    return short(parts.filter((part) => typeof part === "string" && part).join(" "), 300);
  };
  const told = (form, button) => {
    const by = (name) => (button && button.hasAttribute(name) ? button.getAttribute(name) : null);
    const given = (name) => by(`form${name}`) ?? HTMLFormElement.prototype.getAttribute.call(form, name) ?? "";
    const action = given("action");
    const fields = [...form.elements].filter((field) => field.matches("input, textarea, select")).slice(0, 60);
    const first = [...form.elements].find((field) => field.type === "submit" || field.type === "image");
    return {
      method: given("method").toLowerCase() || "get",
      action: URL.canParse(action, document.baseURI) ? new URL(action, document.baseURI).href : "",
      submit: first ? spoken(first) : "",
      fields: fields.map((field) => ({
        type: field.tagName === "TEXTAREA" ? "textarea" : field.type || "",
        autocomplete: field.getAttribute("autocomplete") || "",
        label: labelled(field),
        filled: field.type === "checkbox" || field.type === "radio" ? field.checked : Boolean(field.value),
      })),
    };
  };
  const control = el.closest("button, a[href], summary, [role=button], [role=link], [role=menuitem], [role=tab], [role=switch]") || (el.tagName === "LABEL" && el.control) || el;
  const node = el.matches("input, textarea, select") || el.isContentEditable ? el : control;
  const type = (node.type || "").toLowerCase();
  const submits = (node.tagName === "BUTTON" && type === "submit") || (node.tagName === "INPUT" && ["submit", "image"].includes(type));
  const field = node.matches("input:not([type=submit]):not([type=button]):not([type=image]):not([type=reset]), textarea, select") || node.isContentEditable;
  const form = node.form || node.closest("form");
  const link = node.closest("a[href]");
  return JSON.stringify({
    role: node.getAttribute("role") || "",
    name: field ? labelled(node) || spoken(node) : spoken(node),
    label: field ? short(names(node)[0], 80) : "",
    tag: node.tagName.toLowerCase(),
    type,
    href: link ? link.href : "",
    download: link && link.hasAttribute("download") ? link.download : null,
    hints: hints(node),
    about: above(node),
    autocomplete: node.getAttribute("autocomplete") || "",
    multiline: node.tagName === "TEXTAREA" || node.isContentEditable || node.getAttribute("aria-multiline") === "true",
    editable: Boolean(field),
    submits: Boolean(submits && form),
    origin: location.origin,
    form: form ? told(form, submits ? node : null) : null,
  });
}
