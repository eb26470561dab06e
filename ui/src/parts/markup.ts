/** Tokens of Markdown to safe HTML. Model text is data: no script, no style, no external picture, no unusual address. */
import DOMPurify from "dompurify";
import type { Token } from "marked";
import { marked } from "./lexing";

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName !== "A" || node.getAttribute("href")?.startsWith("#")) return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
});

const TAGS = [
  ..."p br hr strong em del code pre blockquote ul ol li a table thead tbody tr th td h1 h2 h3 h4 h5 h6 sup sub".split(" "),
];

export function html(tokens: Token[]): string {
  return DOMPurify.sanitize(marked.parser(tokens), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "class", "align", "start"],
    ADD_URI_SAFE_ATTR: ["align", "start"],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
    ALLOW_DATA_ATTR: false,
  });
}
