/** Markdown to tokens, in bounded time whatever the text is. */
import { Lexer, Marked, type TokensList } from "marked";

const LONGEST = 2000;
const BUDGET = 200;
const DEEPEST = 30;

export const marked = new Marked({ gfm: true, breaks: false });

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
    // Nothing to press, so nothing that looks so: a sign in the text shows what is done.
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    listitem(item) {
      return `<li${item.task ? ' class="task"' : ""}>${this.parser.parse(item.tokens)}</li>\n`;
    },
    html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  },
});

/**
 * Markdown as tokens, in bounded time. The library takes quadratic time for the text within a block: it is read in
 * pieces, and what is left after some milliseconds stays plain text.
 */
export function lex(text: string): TokensList {
  const lexer = new Lexer(marked.defaults);
  lexer.blockTokens(limitNesting(text.replaceAll(/\r\n?/g, "\n")), lexer.tokens);
  const end = performance.now() + BUDGET;
  for (const { src, tokens } of lexer.inlineQueue) {
    for (const piece of cutText(src, LONGEST)) {
      if (performance.now() < end) lexer.inlineTokens(piece, tokens);
      else tokens.push({ type: "text", raw: piece, text: piece, escaped: false });
    }
  }
  return lexer.tokens;
}

/** Cut a text into pieces of limited length, at a line break or a space where there is one. */
function cutText(text: string, longest: number): string[] {
  const found: string[] = [];
  let at = 0;
  while (text.length - at > longest) {
    const end = at + longest;
    const cut = Math.max(text.lastIndexOf("\n", end), text.lastIndexOf(" ", end));
    const next = cut > at + longest / 2 ? cut + 1 : end;
    found.push(text.slice(at, next));
    at = next;
  }
  return [...found, text.slice(at)];
}

/** Keep the first marks of quotes and lists of each line; the marks beyond them are shown as they are. */
function limitNesting(text: string): string {
  return text.length < DEEPEST ? text : text.split("\n").map(limitLine).join("\n");
}

function limitLine(line: string): string {
  const mark = /(?:>|[-+*](?=[ \t])|\d{1,9}(?=[.)][ \t]).)[ \t]*/y;
  mark.lastIndex = line.length - line.trimStart().length;
  for (let depth = 0; depth < DEEPEST; depth++) if (!mark.test(line)) return line;
  const at = mark.lastIndex;
  return mark.test(line) && !isRule(line) ? `${line.slice(0, at)}\\${line.slice(at)}` : line;
}

/** Whether a line consists of one sign, which draws a rule. */
function isRule(line: string): boolean {
  const signs = line.replaceAll(/[ \t]/g, "");
  return ["-", "*"].some((sign) => signs === sign.repeat(signs.length));
}
