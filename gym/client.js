// The client side of a gym site: links, buttons and forms that are no links, buttons and forms, popups and banners.
(() => {
  const root = document.documentElement;
  const allowed = `${root.dataset.key} allowed`;
  const locked = () => root.dataset.locked && !sessionStorage.getItem(allowed);
  const fetched = () => root.dataset.loading === "fetch";

  async function show(url, options) {
    const answer = await fetch(url, options);
    const text = await answer.text();
    const next = Document.parseHTMLUnsafe ? Document.parseHTMLUnsafe(text) : new DOMParser().parseFromString(text, "text/html");
    history.pushState({}, "", answer.url);
    document.title = next.title;
    document.body.replaceWith(document.adoptNode(next.body));
    window.scrollTo(0, 0);
    greet();
  }

  function visit(url) {
    if (fetched()) show(url, {});
    else window.top.location.assign(url);
  }

  function allow(button) {
    sessionStorage.setItem(allowed, "1");
    button.remove();
  }

  function post(url, fields) {
    if (locked()) return;
    if (fetched()) return show(url, { method: "POST", body: new URLSearchParams(fields) });
    const form = document.createElement("form");
    form.method = "post";
    form.action = url;
    form.target = "_top";
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }

  function collect(box) {
    const fields = {};
    for (const input of box.querySelectorAll("[name]")) {
      if ((input.type === "checkbox" || input.type === "radio") && !input.checked) continue;
      fields[input.name] = input.value;
    }
    return fields;
  }

  function close(scope, except) {
    for (const popup of scope.querySelectorAll("[data-popup]:not([hidden])")) if (!popup.contains(except)) popup.hidden = true;
  }

  function confirm(element, proceed) {
    const wall = document.createElement("div");
    wall.className = "wall";
    const sheet = document.createElement("div");
    sheet.className = "sheet";
    if (root.dataset.controls !== "div") {
      sheet.setAttribute("role", "dialog");
      sheet.setAttribute("aria-modal", "true");
    }
    const question = document.createElement("p");
    question.textContent = element.dataset.confirm;
    sheet.append(question);
    for (const [label, action] of [[root.dataset.yes, proceed], [root.dataset.no, () => {}]]) {
      const button = document.createElement(root.dataset.controls === "div" ? "div" : "button");
      button.className = "pressable";
      button.textContent = label;
      button.addEventListener("click", () => { wall.remove(); action(); });
      sheet.append(button);
    }
    wall.append(sheet);
    document.body.append(wall);
  }

  function choose(option) {
    const box = option.closest("[data-choice]");
    box.querySelector("input[type=hidden]").value = option.dataset.option;
    const opener = box.querySelector("[data-menu]");
    if (opener) opener.textContent = option.textContent;
    for (const other of box.querySelectorAll("[data-option]")) {
      other.classList.toggle("on", other === option);
      if (other.hasAttribute("aria-selected")) other.setAttribute("aria-selected", other === option);
      if (other.hasAttribute("aria-pressed")) other.setAttribute("aria-pressed", other === option);
    }
    const popup = option.closest("[data-popup]");
    if (popup) popup.hidden = true;
  }

  function open(tab) {
    const group = tab.closest("[data-tabs]");
    for (const panel of group.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== tab.dataset.tab;
    for (const other of group.querySelectorAll("[data-tab]")) {
      other.classList.toggle("on", other === tab);
      if (other.hasAttribute("aria-selected")) other.setAttribute("aria-selected", other === tab);
    }
  }

  function fold(opener) {
    const panel = opener.nextElementSibling;
    panel.hidden = !panel.hidden;
    if (opener.hasAttribute("aria-expanded")) opener.setAttribute("aria-expanded", !panel.hidden);
  }

  function step(button) {
    const box = button.closest("[data-stepper]");
    const input = box.querySelector("input");
    const value = Math.min(Math.max(Number(input.value) + Number(button.dataset.step), 0), Number(box.dataset.stepper));
    input.value = value;
    box.querySelector("b").textContent = value;
  }

  function turn(button) {
    const months = [...button.closest("[data-days]").querySelectorAll("[data-month]")];
    const at = months.findIndex((month) => !month.hidden) + Number(button.dataset.turn);
    if (at >= 0 && at < months.length) months.forEach((month, place) => { month.hidden = place !== at; });
  }

  function pick(day) {
    const box = day.closest("[data-days]");
    box.querySelector("input").value = day.dataset.day;
    for (const other of box.querySelectorAll("[data-day]")) {
      other.classList.toggle("on", other === day);
      other.setAttribute("aria-pressed", other === day);
    }
  }

  const WITHIN = { tab: open, fold, step, turn, day: pick, suggested: suggest, allow };

  function press(element) {
    const data = element.dataset;
    if (data.go) return visit(data.go);
    if (data.option !== undefined) return choose(element);
    for (const [kind, change] of Object.entries(WITHIN)) if (data[kind] !== undefined) return change(element);
    if (data.close) {
      sessionStorage.setItem(root.dataset.key, "1");
      return document.getElementById(data.close).remove();
    }
    if (data.menu) {
      const popup = element.parentElement.querySelector("[data-popup]");
      popup.hidden = !popup.hidden;
      if (element.hasAttribute("aria-expanded")) element.setAttribute("aria-expanded", !popup.hidden);
      return;
    }
    const act = data.act || data.send;
    const proceed = () => post(act, data.send ? collect(element.closest("[data-form]")) : {});
    return data.confirm ? confirm(element, proceed) : proceed();
  }

  const KINDS = ["go", "act", "send", "option", "menu", "close", ...Object.keys(WITHIN)];

  document.addEventListener("click", (event) => {
    const path = event.composedPath();
    const element = path.find((node) => node.dataset && KINDS.some((kind) => node.dataset[kind] !== undefined));
    const inner = path[0];
    if (!element || !element.dataset.menu) close(inner.getRootNode(), inner);
    if (element) {
      if (inner.tagName !== "INPUT" || (locked() && element.dataset.act)) event.preventDefault();
      press(element);
      return;
    }
    const link = path.find((node) => node.tagName === "A" && node.href);
    if (link && fetched()) {
      event.preventDefault();
      show(link.href, {});
    }
  });

  document.addEventListener("submit", (event) => {
    const form = event.composedPath()[0];
    if (locked() && form.method === "post") return event.preventDefault();
    if (!fetched()) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form));
    if (form.method === "get") show(`${form.action.split("?")[0]}?${fields}`, {});
    else show(event.submitter?.getAttribute("formaction") || form.action, { method: "POST", body: fields });
  });

  let held = null;

  document.addEventListener("mousedown", (event) => {
    held = event.composedPath().find((node) => node.dataset && node.dataset.drag !== undefined) || null;
    if (held) event.preventDefault();
  });

  document.addEventListener("mouseup", (event) => {
    const onto = event.composedPath().find((node) => node.dataset && (node.dataset.drag ?? node.dataset.drop) !== undefined);
    const moved = held;
    held = null;
    if (!moved || !onto || moved === onto) return;
    post(moved.dataset.onto, { id: moved.dataset.drag, onto: onto.dataset.drop ?? onto.dataset.drag });
  });

  document.addEventListener("input", (event) => {
    const field = event.composedPath()[0];
    const box = field.closest && field.closest("[data-suggest]");
    if (!box) return;
    const begun = field.value.trim().toLowerCase();
    for (const option of box.querySelectorAll("[data-suggested]")) {
      option.hidden = !begun || !option.textContent.toLowerCase().startsWith(begun);
    }
  });

  function suggest(option) {
    const box = option.closest("[data-suggest]");
    box.querySelector("input").value = option.textContent;
    for (const other of box.querySelectorAll("[data-suggested]")) other.hidden = true;
  }

  window.addEventListener("popstate", () => location.reload());

  function greet() {
    const banner = document.getElementById("banner");
    if (banner && !sessionStorage.getItem(root.dataset.key)) banner.hidden = false;
    for (const button of document.querySelectorAll("[data-allow]")) button.hidden = !locked();
  }

  greet();
})();
