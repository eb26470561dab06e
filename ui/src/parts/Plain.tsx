/** A sentence of the server: what it puts between backticks is something to type. */
export function Plain({ text }: { text: string }) {
  const parts = text.split("`");
  return <>{parts.map((part, at) => (at % 2 && at < parts.length - 1 ? <code key={at}>{part}</code> : part))}</>;
}
