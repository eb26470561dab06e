/** A list of things that the server keeps, or a line that says there are none. */
import type { VNode } from "preact";

type Props<T> = { items: readonly T[] | null; none: string; class?: string; draw: (item: T) => VNode };

export function Entries<T>({ items, none, class: name = "plainlist", draw }: Props<T>) {
  if (!items) return null;
  return items.length ? <ul class={name}>{items.map(draw)}</ul> : <p class="hint">{none}</p>;
}
