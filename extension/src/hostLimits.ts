/** The sites of a conversation as rules of the browser itself, for the tabs that it drives.
 *
 * They hold for everything that these tabs load, also sockets, workers and the first request of a window that they open,
 * and only while the tabs are driven.
 */
import type { HostLimits } from "./protocol";

type Rule = chrome.declarativeNetRequest.Rule;
export type DrivenTab = { tab: number; group: string; hosts: Iterable<string> };

const limits = new Map<string, HostLimits>();
/** Pages that were made from files of the person; the server answers for them. */
const GIVEN = "given.pilotfish.invalid";
const BLOCK = { type: "block" } as const;
let turn: Promise<unknown> = Promise.resolve();

export function set(group: string, wanted: HostLimits): void {
  limits.set(group, { allowed: wanted.allowed, blocked: wanted.blocked });
}

/** Put the rules in force for the tabs that are driven now; `others` are all tabs that are not. */
export function apply(driven: readonly DrivenTab[], others: readonly number[]): Promise<unknown> {
  const work = async () => {
    const former = await chrome.declarativeNetRequest.getSessionRules();
    const addRules = makeRules(driven, others);
    if (addRules.length || former.length)
      await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: former.map((rule) => rule.id), addRules });
  };
  turn = turn.then(work, work);
  return turn;
}

export function makeRules(driven: readonly DrivenTab[], others: readonly number[]): Rule[] {
  const made: Omit<Rule, "id">[] = [];
  for (const [group, { allowed, blocked }] of limits) {
    const tabs = driven.filter((each) => each.group === group);
    if (!tabs.length) continue;
    const hosts = [...new Set(tabs.flatMap((each) => [...each.hosts]))].filter(Boolean);
    const places: Rule["condition"][] = [{ tabIds: tabs.map((each) => each.tab), resourceTypes: EVERYTHING }];
    // A window that a page opens has no known tab yet when it sends its first request.
    if (hosts.length)
      places.push({ excludedTabIds: [...others, -1], initiatorDomains: hosts, resourceTypes: ["main_frame" as Kind] });
    for (const place of places) {
      for (const sites of allowed) made.push({ action: BLOCK, condition: { ...place, excludedRequestDomains: [...sites, GIVEN] } });
      for (const site of blocked) made.push({ action: BLOCK, condition: { ...place, urlFilter: `||${site}^` } });
    }
  }
  return made.map((rule, at) => ({ ...rule, id: at + 1 }));
}

type Kind = `${chrome.declarativeNetRequest.ResourceType}` & chrome.declarativeNetRequest.ResourceType;
const EVERYTHING = [
  "main_frame",
  "sub_frame",
  "stylesheet",
  "script",
  "image",
  "font",
  "object",
  "xmlhttprequest",
  "ping",
  "csp_report",
  "media",
  "websocket",
  "webtransport",
  "webbundle",
  "other",
] as unknown as Kind[];
