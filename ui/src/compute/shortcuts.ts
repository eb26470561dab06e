/** What a message that begins with a slash says: the shortcut, and the values of its parameters. */
export type ShortcutCall = { name: string; values: Record<string, string> };

const VALUE = /(?<=\s)([a-z0-9][a-z0-9_-]{0,39})=(?:"([^"]{0,2000})"|(\S{0,2000}))/g;

/** `/mill name="Oat bowl"` as name and values; null where the text is no such call. */
export function parseShortcutCall(text: string): ShortcutCall | null {
  const head = /^\/([a-z0-9][a-z0-9_-]{0,39})(?:\s|$)/.exec(text.trim());
  if (!head) return null;
  const values: Record<string, string> = {};
  for (const found of text.matchAll(VALUE)) values[found[1] as string] = found[2] ?? found[3] ?? "";
  return { name: head[1] as string, values };
}

/** What can be the name of a shortcut or parameter; as in HTML's `pattern`. */
export const NAME = "[a-z0-9][a-z0-9_\\-]{0,39}";

/** A name from words: "Oat bowl" becomes `oat-bowl`; empty if nothing is left. */
export function makeShortcutName(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
}

/** Those whose names begin with what was typed after the slash; none once a name is complete. */
export function suggestShortcuts<T extends { name: string }>(text: string, all: T[]): T[] {
  const head = /^\/([a-z0-9_-]*)$/.exec(text);
  return head ? all.filter((each) => each.name.startsWith(head[1] as string)) : [];
}

/** The call with empty places for its parameters, and where the first value belongs. */
export function completeShortcut(shortcut: { name: string; parameters?: Record<string, string> }): { text: string; at: number } {
  const names = Object.keys(shortcut.parameters ?? {});
  const text = [`/${shortcut.name}`, ...names.map((name) => `${name}=""`)].join(" ");
  return { text, at: names.length ? text.indexOf('"') + 1 : text.length };
}
