import type { Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { lex } from "../src/parts/lexing";

const SIZE = 60_000;
const HOSTILE = [
  "__a_ ", "a_", "*a ", "*_", "**a *b ", "***a", "~~a", "[", "![", "[a](", "[1](", '[a](b "', "`a``b```", "<a b='", "<!--", "\\*",
  "> ", ">", "- ", "+ ", "1. ", "> - ", "- * ", "a|b\n-|-\n", "a\n=\n", "```\n", "[a]: b\n", "|-", "&", "www.", "a.b@", "\n", " \n", "\t", "a", " ",
];

describe("text from outside as Markdown", () => {
  it.each(HOSTILE)(
    "takes bounded time where %j is repeated",
    (piece) => {
      const began = performance.now();
      lex(piece.repeat(SIZE / piece.length));
      lex(`a${piece.repeat(SIZE / piece.length)}@`);
      expect(performance.now() - began).toBeLessThan(8000);
    },
    60_000,
  );

  it("keeps its whole text where it is cut into pieces", () => {
    const words = "some **bold** words and `code` ".repeat(400);
    const { tokens } = lex(words).at(0) as Tokens.Paragraph;
    expect(tokens.map((token) => token.raw).join("").trim()).toBe(words.trim());
    expect(tokens.filter((token) => token.type === "strong").length).toBeGreaterThan(390);
  });

  it("keeps quotes and lists that people write, and rules of any length", () => {
    expect(lex("> > - 1. deep").at(0)?.type).toBe("blockquote");
    expect(lex("- ".repeat(60).trim()).at(0)?.type).toBe("hr");
    expect(lex(`${"> ".repeat(40)}x`).at(0)?.raw).toContain("\\> > >");
  });
});
