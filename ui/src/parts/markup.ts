/** Markdown to safe HTML. What a model writes is data: no script, no style, no picture from elsewhere, no odd address. */
import DOMPurify from "dompurify";
import { Marked, type Token, type TokensList } from "marked";

const marked = new Marked({ gfm: true, breaks: false });

marked.use({
  extensions: [
    {
      name: "cite",
      level: "inline",
      start: (text: string) => text.search(/\[\d{1,2}\]/),
      tokenizer(text: string) {
        const found = /^\[(\d{1,2})\](?![(:])/.exec(text);
        return found ? { type: "cite", raw: found[0], number: found[1] } : undefined;
      },
      renderer: (token) => `<a class="cite" href="#source-${token["number"]}">${token["number"]}</a>`,
    },
  ],
  renderer: {
    // The policy of the page would refuse it, and fetching it would tell others what was read.
    image: ({ href, text }) => `<a href="${encodeURI(href)}">${text || href}</a>`,
    // Nothing to press, so nothing that looks so: what is done is told by a sign in the text.
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    listitem(item) {
      return `<li${item.task ? ' class="task"' : ""}>${this.parser.parse(item.tokens)}</li>\n`;
    },
    html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  },
});

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName !== "A" || node.getAttribute("href")?.startsWith("#")) return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer nofollow");
});

const TAGS = [
  ..."p br hr strong em del code pre blockquote ul ol li a table thead tbody tr th td h1 h2 h3 h4 h5 h6 sup sub".split(" "),
];

export function lex(text: string): TokensList {
  return marked.lexer(text);
}

export function html(tokens: Token[]): string {
  return DOMPurify.sanitize(marked.parser(tokens), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "class", "align", "start"],
    ADD_URI_SAFE_ATTR: ["align", "start"],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
    ALLOW_DATA_ATTR: false,
  });
}
