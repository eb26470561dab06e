/** Markdown that grows while it is read: only the block that changed is drawn again. */
import { memo } from "preact/compat";
import type { Token, Tokens } from "marked";
import { useMemo } from "preact/hooks";
import { Copy } from "./Copy";
import { lex } from "./lexing";
import { html } from "./markup";

const Block = memo(
  function Block({ token }: { token: Token }) {
    if (token.type === "code") return <Code token={token as Tokens.Code} />;
    const inner = { __html: html([token]) };
    return token.type === "table" ? (
      <div class="scroll" tabIndex={0} dangerouslySetInnerHTML={inner} />
    ) : (
      <div class="block" dangerouslySetInnerHTML={inner} />
    );
  },
  (before, after) => before.token.raw === after.token.raw && before.token.type === after.token.type,
);

function Code({ token }: { token: Tokens.Code }) {
  return (
    <div class="code">
      <header>
        <span>{token.lang}</span>
        <Copy text={token.text} />
      </header>
      <pre tabIndex={0}>
        <code>{token.text}</code>
      </pre>
    </div>
  );
}

export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => lex(text).filter((token) => token.type !== "space" && token.type !== "def"), [text]);
  return (
    <div class="markdown">
      {tokens.map((token, at) => (
        <Block key={at} token={token} />
      ))}
    </div>
  );
}
