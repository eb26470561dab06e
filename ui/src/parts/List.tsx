/** A long list that renders visible rows only; it scrolls with new rows while the person is at the end. */
import type { VNode } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Heights } from "../compute/window";

type Props<T> = {
  items: readonly T[];
  name: (item: T) => string;
  draw: (item: T) => VNode;
  label: string;
  guess?: number;
  follow?: boolean;
  /** The row to bring into sight, as in a replay. */
  focus?: number;
};

export function List<T>({ items, name, draw, label, guess = 33, follow = false, focus }: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const heights = useMemo(() => new Heights(guess), [guess]);
  const [view, setView] = useState({ top: 0, bottom: 800, drawn: 0 });
  const atEnd = useRef(true);
  const keys = items.map(name);
  const span = heights.span(keys, view.top, view.bottom);

  const look = () => {
    const element = box.current;
    if (!element) return;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    setView((before) => ({ ...before, top: element.scrollTop, bottom: element.scrollTop + element.clientHeight }));
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    let changed = false;
    for (const child of element.querySelectorAll<HTMLElement>(":scope > ol > li[data-key]"))
      changed = heights.set(child.dataset["key"] ?? "", child.offsetHeight) || changed;
    if (changed) setView((before) => ({ ...before, drawn: before.drawn + 1 }));
    if (follow && atEnd.current) element.scrollTop = element.scrollHeight;
  });
  useLayoutEffect(look, [items.length]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || focus === undefined) return;
    const top = heights.top(keys, focus);
    if (top < element.scrollTop || top > element.scrollTop + element.clientHeight - guess)
      element.scrollTop = top - element.clientHeight / 2;
  }, [focus]);

  return (
    <div class="list" ref={box} onScroll={look} tabIndex={0} role="region" aria-label={label}>
      <ol class="rows" style={{ paddingTop: `${span.above}px`, paddingBottom: `${span.below}px` }}>
        {items.slice(span.from, span.to).map((item, at) => (
          <li key={keys[span.from + at]} data-key={keys[span.from + at]}>
            {draw(item)}
          </li>
        ))}
      </ol>
    </div>
  );
}
