/** Brings together the windows that driven pages ask for and the tabs that come: Chrome tells of both, in any order. */
type Moment = { tab: number; at: number };

/** Milliseconds within which both are told. */
const BOTH = 3000;
const asking = new Map<number, Moment[]>();
const coming = new Map<number, Moment[]>();

/** A page asked for a window; the tab that came for it, if it is there already. */
export function noteRequest(opener: number, now = Date.now()): number | undefined {
  const tab = take(coming, opener, now);
  if (tab === undefined) put(asking, opener, opener, now);
  return tab;
}

/** A tab came; it is the page's if the page asked for one. */
export function opened(opener: number, tab: number, now = Date.now()): number | undefined {
  if (take(asking, opener, now) !== undefined) return tab;
  put(coming, opener, tab, now);
  return undefined;
}

function put(where: Map<number, Moment[]>, opener: number, tab: number, at: number): void {
  where.set(opener, [...(where.get(opener) ?? []).filter((each) => at - each.at < BOTH), { tab, at }]);
}

function take(where: Map<number, Moment[]>, opener: number, now: number): number | undefined {
  const recent = (where.get(opener) ?? []).filter((each) => now - each.at < BOTH);
  const first = recent.shift();
  where.set(opener, recent);
  return first?.tab;
}
