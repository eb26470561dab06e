/** The effects of an action that the policy judged, as the details of an approval or a note list them. */
export type Effect = { effect: string; site: string; receiver: string };

/** Every effect in the details, the one that decided first. Journals from before the list name one effect only. */
export function effectsOf(details: Record<string, unknown>): Effect[] {
  const text = (from: Record<string, unknown>, name: string) => String(from[name] ?? "");
  const listed = Array.isArray(details["effects"]) ? (details["effects"] as Record<string, unknown>[]) : [];
  const all = listed.length ? listed : details["effect"] ? [details] : [];
  return all.map((each) => ({ effect: text(each, "effect"), site: text(each, "site"), receiver: text(each, "receiver") }));
}
