// The page as Markdown, in reading order: what is meant to be read first, navigation and the like apart.
// A frame leaves a mark in its place, which Python replaces by the frame's text.

const ASIDE_ROLES = new Set(["banner", "navigation", "contentinfo", "complementary", "search"]);
const CHROME =
  /(^|[\s_-])(cookies?|consent|gdpr|breadcrumbs?|sidebar|share|sharing|social|related|promo|adverts?|ads?|advertisement|newsletter|subscribe|footer|navbar|menu|toolbar|skip)([\s_-]|$)/i;
const INLINE = new Set(["inline", "inline-block", "inline-flex", "inline-grid", "contents", "inline-table", "ruby"]);
const MARK = "\u0001";
const UNREADABLE_PART = "(A part of the page cannot be read here.)";

function readText(selector, links) {
  if (selector) return tellText(document.querySelector(selector), links, null);
  return tellText(document.body || document.documentElement, links, mainContentOf());
}

function tellText(root, links, content) {
  forget();
  const reader = { main: [], rest: [], line: "", links, content };
  if (root && (root.checkVisibility() || root === document.body)) {
    readNode(reader, root, { aside: false, indent: "", bullet: "", within: !reader.content });
    flush(reader, { aside: false, indent: "", bullet: "", within: !reader.content });
  }
  return {
    path: framePath(), url: location.href, title: document.title, found: Boolean(root), kind: document.contentType,
    lang: document.documentElement?.lang || "", main: reader.main.join("\n"), rest: reader.rest.join("\n"),
  };
}

// The part of the page that it is about, where the author says so.
function mainContentOf() {
  const total = (document.body?.textContent || "").length;
  const share = (el) => (el.textContent || "").length / (total || 1);
  const main = [...document.querySelectorAll('main,[role="main"]')].find((el) => el.checkVisibility() && share(el) > 0.1);
  if (main) return main;
  const articles = [...document.querySelectorAll("article")].filter((el) => el.checkVisibility());
  return articles.length === 1 && share(articles[0]) > 0.3 ? articles[0] : null;
}

function flush(reader, ctx) {
  const text = tidy(reader.line.replace(GLYPHS, ""));
  reader.line = "";
  if (text) say(reader, ctx, ctx.indent + ctx.bullet + text);
}

function say(reader, ctx, text) {
  const list = ctx.aside || !ctx.within ? reader.rest : reader.main;
  if (list[list.length - 1] !== text) list.push(text);
  if (ctx.bullet) {
    ctx.indent += "  ";
    ctx.bullet = "";
  }
}

function readNode(reader, node, ctx) {
  if (node.nodeType === 3) {
    const holder = node.parentElement || node.parentNode.host;
    if (!TELLING.test(node.data) || !(isInvisibleText(holder) || isIcon(holder))) reader.line += node.data;
    return;
  }
  if (node.nodeType !== 1 || (SKIP.has(node.tagName) && node.tagName !== "BR")) return;
  const style = getComputedStyle(node);
  if (style.display === "none" || isUnseenPart(node, style)) return;
  const inner = contextFor(reader, node, ctx);
  if (readLeaf(reader, node, inner)) return;
  if (INLINE.has(style.display)) {
    const gap = style.display === "inline" || style.display === "contents" ? "" : " ";
    reader.line += gap;
    readInline(reader, node, inner, style);
    reader.line += gap;
    return;
  }
  flush(reader, ctx);
  readBlock(reader, node, inner, style);
  flush(reader, inner);
}

// A part that nobody can see: transparent, collapsed, cut away or moved off the page.
function isUnseenPart(el, style) {
  if (style.opacity < FAINT_OPACITY || isCutAway(style, style.position, true)) return true;
  if (style.display === "contents" || el === document.body) return false;
  const moved = style.position === "absolute" || style.position === "fixed" || style.transform !== "none";
  if (!moved && style.overflowX === "visible") return false;
  const rect = el.getBoundingClientRect();
  if ((rect.width <= TINY || rect.height <= TINY) && style.overflowX !== "visible") return true;
  return rect.right + window.scrollX <= 0 || rect.bottom + window.scrollY <= 0;
}

function contextFor(reader, el, ctx) {
  const within = ctx.within || el === reader.content;
  const named = `${el.getAttribute("class") || ""} ${el.getAttribute("id") || ""}`;
  const aside = ctx.aside || ASIDE_ROLES.has(roleOf(el)) || (!ctx.within && el !== document.body && CHROME.test(named));
  return within === ctx.within && aside === ctx.aside ? ctx : { ...ctx, within, aside: el === reader.content ? false : aside };
}

// Elements that are read as a whole. True when it was one.
function readLeaf(reader, el, ctx) {
  switch (el.tagName) {
    case "BR":
      flush(reader, ctx);
      return true;
    case "IMG":
      if (roleOf(el) === "image" && nameOf(el)) reader.line += ` ![${clipped(nameOf(el), 200)}] `;
      return true;
    case "svg":
    case "CANVAS":
      if (el.getAttribute("aria-label")) reader.line += ` ![${clipped(nameOf(el), 200)}] `;
      return true;
    case "IFRAME":
    case "FRAME":
      flush(reader, ctx);
      if (el.clientWidth > 50 && el.clientHeight > 20) say(reader, ctx, MARK + frameIndex(el) + MARK);
      return true;
    case "INPUT":
    case "SELECT":
    case "TEXTAREA":
      reader.line += field(el);
      return true;
    case "PRE":
      flush(reader, ctx);
      say(reader, ctx, "```\n" + (el.innerText || el.textContent).replace(/(?<!\n)\n+$/, "") + "\n```");
      return true;
    case "TABLE":
      return table(reader, el, ctx);
    default:
      return roleOf(el) === "heading" && titleLine(reader, el, ctx);
  }
}

function titleLine(reader, el, ctx) {
  flush(reader, ctx);
  const text = textOnLine(reader, el, ctx);
  if (text) say(reader, ctx, "#".repeat(Math.min(headingLevel(el), 6)) + " " + text);
  return true;
}

// A form field as a person would read it out.
function field(el) {
  if (el.type === "hidden" || el.type === "password") return "";
  if (el.type === "submit" || el.type === "button" || el.type === "reset" || el.type === "image") return ` [${nameOf(el)}] `;
  if (el.type === "checkbox" || el.type === "radio") return el.checked ? " [x] " : " [ ] ";
  const value = valueOf(el, roleOf(el));
  const label = el.labels && el.labels.length ? "" : labelFor(el, roleOf(el));
  if (el.tagName !== "SELECT") return value || label ? ` ${label ? label + ": " : ""}${value || "____"} ` : " ____ ";
  const all = [...el.options].slice(0, 30).map((option) => clipped(option.label, 60));
  return ` ${label ? label + ": " : ""}${value} (options: ${all.join(", ")}${el.options.length > 30 ? ", …" : ""}) `;
}

function readInline(reader, el, ctx, style) {
  const tag = el.tagName;
  if (tag === "CODE" && el.textContent && !el.textContent.includes("\n")) reader.line += "`" + el.textContent + "`";
  else if (tag === "A" && reader.links && !ctx.aside && linked(el)) {
    const text = textOnLine(reader, el, ctx);
    if (text) reader.line += `[${text}](${el.href})`;
  } else readChildren(reader, el, ctx, style);
}

function linked(el) {
  const href = el.getAttribute("href") || "";
  return href && !href.startsWith("#") && !href.startsWith("javascript:");
}

function readBlock(reader, el, ctx, style) {
  const tag = el.tagName;
  if (style.display === "list-item" && tag !== "SUMMARY") {
    const numbered = el.parentElement && el.parentElement.tagName === "OL";
    readChildren(reader, el, { ...ctx, bullet: numbered ? ordinal(el) + ". " : "- " }, style, true);
  } else if (tag === "BLOCKQUOTE") readChildren(reader, el, { ...ctx, indent: ctx.indent + "> " }, style, true);
  else if (tag === "DT") readChildren(reader, el, ctx, style, true);
  else if (tag === "DD") readChildren(reader, el, { ...ctx, indent: ctx.indent + "  " }, style, true);
  else readChildren(reader, el, ctx, style);
}

function readChildren(reader, el, ctx, style, close) {
  const silent = style.visibility !== "visible";
  const shut = el.tagName === "DETAILS" && !el.open;
  const children = shut ? el.querySelectorAll(":scope > summary") : childrenOf(el);
  for (const child of children) {
    try {
      if (child.nodeType !== 3 || !silent) readNode(reader, child, ctx);
    } catch {
      say(reader, ctx, UNREADABLE_PART);
    }
  }
  if (close) flush(reader, ctx);
}

// What an element says, on one line.
function textOnLine(reader, el, ctx) {
  const inner = { main: [], rest: [], line: "", links: reader.links, content: null };
  const within = { ...ctx, within: true, aside: false, indent: "", bullet: "" };
  readChildren(inner, el, within, getComputedStyle(el));
  flush(inner, within);
  return tidy(inner.main.join(" "));
}

// A table of data becomes a Markdown table; one that only arranges boxes is read as boxes.
function table(reader, el, ctx) {
  const rows = [...el.rows].filter((row) => row.checkVisibility());
  const wide = Math.max(0, ...rows.map((row) => row.cells.length));
  const arranged = roleOf(el) === "none" || el.querySelector("table,form,h1,h2") || rows.length < 2 || wide < 2;
  if (arranged) return false;
  const cells = rows.map((row) => [...row.cells].flatMap((cell) => spanCells(cell, textOnLine(reader, cell, ctx))));
  if (cells.flat().some((text) => text.length > 600)) return false;
  flush(reader, ctx);
  if (el.caption) say(reader, ctx, textOnLine(reader, el.caption, ctx));
  const line = (row) => "| " + Array.from({ length: width }, (_, at) => (row[at] || "").replace(/\|/g, "\\|")).join(" | ") + " |";
  const width = Math.max(...cells.map((row) => row.length));
  const body = [line(cells[0]), "|" + " --- |".repeat(width), ...cells.slice(1).map(line)];
  say(reader, ctx, body.join("\n"));
  return true;
}

function spanCells(cell, text) {
  return [text, ...Array(Math.max(0, Math.min(cell.colSpan, 20) - 1)).fill("")];
}
