/** Which of many rows are in sight: heights as measured, or as guessed until then. */
export type Span = { from: number; to: number; above: number; below: number };

export class Heights {
  private known = new Map<string, number>();

  constructor(private guess: number) {}

  set(key: string, height: number): boolean {
    if (this.known.get(key) === height) return false;
    this.known.set(key, height);
    return true;
  }

  of(key: string): number {
    return this.known.get(key) ?? this.guess;
  }

  /** The rows between two heights, with some to spare on both sides, and how much room the others take. */
  span(keys: readonly string[], top: number, bottom: number, spare = 400): Span {
    let at = 0;
    let from = 0;
    while (from < keys.length && at + this.of(keys[from] ?? "") < top - spare) at += this.of(keys[from++] ?? "");
    const above = at;
    let to = from;
    while (to < keys.length && at < bottom + spare) at += this.of(keys[to++] ?? "");
    let below = 0;
    for (let rest = to; rest < keys.length; rest++) below += this.of(keys[rest] ?? "");
    return { from, to, above, below };
  }

  /** Where a row begins. */
  top(keys: readonly string[], index: number): number {
    let sum = 0;
    for (let at = 0; at < index; at++) sum += this.of(keys[at] ?? "");
    return sum;
  }
}
