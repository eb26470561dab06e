/** Where on which page a row of data was found. */

export type Place = { url?: string; page?: number; said?: Record<string, string> };

const GIVEN = "http://given.pilotfish.invalid/";
const LONGEST = 100;

/** The page's address with the words that the browser scrolls to and marks; empty where there is no page to open. */
export function placeLink(place: Place | undefined): string {
  const url = place?.url ?? "";
  if (!/^https?:/.test(url) || url.startsWith(GIVEN)) return "";
  const said = Object.values(place?.said ?? {}).find((text) => text.trim()) ?? "";
  const words = said.trim().split(/\s+/).join(" ").slice(0, LONGEST);
  const bare = url.split("#")[0] ?? "";
  return words ? `${bare}#:~:text=${encodeURIComponent(words).replaceAll("-", "%2D")}` : bare;
}

/** What the page says there, for people who want to compare it with the values. */
export function placeText(place: Place | undefined): string {
  const said = Object.entries(place?.said ?? {}).map(([name, text]) => `${name}: “${text}”`);
  return [place?.url?.startsWith(GIVEN) ? "" : (place?.url ?? ""), ...said].filter(Boolean).join("\n");
}

/** Whether rows come from several sites, so that a table must say from which. */
export function fromSeveralSites(places: readonly Place[]): boolean {
  return new Set(places.map((each) => /^\w+:\/\/[^/]+/.exec(each.url ?? "")?.[0] ?? "")).size > 1;
}
