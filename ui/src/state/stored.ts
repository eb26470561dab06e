/** Signals that this browser remembers. */
import { type Signal, effect, signal } from "@preact/signals";

export function storedSignal<T>(name: string, start: T): Signal<T> {
  const key = `pilotfish.${name}`;
  const held = signal<T>(read(key, start));
  let first = true;
  effect(() => {
    const value = held.value;
    if (!first) write(key, value);
    first = false;
  });
  return held;
}

function read<T>(key: string, start: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? start : (JSON.parse(text) as T);
  } catch {
    return start;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without local storage the page still works.
  }
}
