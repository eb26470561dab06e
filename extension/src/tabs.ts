/** The tabs that the person handed over, or that a run opened: attaching, showing which they are, and letting go. */
import type { TabFacts } from "./protocol";
import * as ownInput from "./ownInput";
import * as pointer from "./pointer";
import * as hostLimits from "./hostLimits";

const PROTOCOL = "1.3";
const GROUP = "Pilotfish";
const DRIVEN = { title: "Pilotfish works in this tab", text: "●", color: "#0b7a75" };

/** How often a tab is driven again within so many milliseconds, and how long its page is waited for. */
const RENEWALS = 5;
const RENEWED = 10_000;
const LOADED = 5_000;
const LOOK = 50;
const renewals = new Map<number, number[]>();

/** Tabs that the person handed over in the panel. */
const given = new Set<number>();
/** Tabs that runs opened themselves; only these may be closed. */
const opened = new Set<number>();
/** Tabs that are driven now. */
const attached = new Set<number>();
const ALL = { given, opened, attached };
/** The conversation of each driven tab, and the hosts of its documents. */
const groups = new Map<number, string>();
const hosts = new Map<number, Set<string>>();
/** Chrome gives a tab that it discards another number. */
const replaced = new Map<number, number>();

/** The service worker may sleep or be stopped: what it knows is kept for the session of the browser. */
export const ready: Promise<void> = restore();

async function restore(): Promise<void> {
  const kept = await chrome.storage.session.get("tabs");
  const known = (kept["tabs"] ?? {}) as Partial<Record<keyof typeof ALL, number[]>>;
  for (const [name, tabs] of Object.entries(ALL)) for (const tab of known[name as keyof typeof ALL] ?? []) tabs.add(tab);
  await detachAll();
}

const keep = () => chrome.storage.session.set({ tabs: Object.fromEntries(Object.entries(ALL).map(([name, tabs]) => [name, [...tabs]])) });

export async function handOver(tab: number): Promise<void> {
  given.add(tab);
  await keep();
}

/** A new tab that the person wants worked in. */
export async function openFor(windowId: number): Promise<number> {
  const made = await chrome.tabs.create({ windowId, url: "about:blank", active: true });
  await handOver(made.id!);
  return made.id!;
}

export const isAttached = (tab: number) => attached.has(tab);

export async function attach(wanted: number, group: string): Promise<TabFacts> {
  const tab = replaced.get(wanted) ?? wanted;
  if (!opened.has(tab) && !given.has(tab)) throw new Error("The person did not hand this tab over.");
  // What an earlier connection switched on, such as holding requests, must not stay on.
  if (attached.has(tab)) await detach(tab);
  if ((await chrome.tabs.get(tab)).discarded) await chrome.tabs.reload(tab);
  await chrome.debugger.attach({ tabId: tab }, PROTOCOL);
  attached.add(tab);
  groups.set(tab, group);
  const found = await readTabFacts(tab);
  hosts.set(tab, new Set([hostOf(found.url)]));
  await Promise.all([keep(), mark(tab), limit()]);
  return found;
}

/** Drive a tab again that Chrome let go and that is still there; nothing where it shows a page that nobody may drive. */
export async function attachAgain(tab: number): Promise<TabFacts | null> {
  const [group, now] = [groupOf(tab), Date.now()];
  const recent = (renewals.get(tab) ?? []).filter((at) => now - at < RENEWED);
  renewals.set(tab, [...recent, now]);
  if (recent.length >= RENEWALS) return null;
  drop(tab);
  try {
    await loaded(tab);
    return await attach(tab, group);
  } catch {
    return null;
  }
}

/** Wait until a tab has its page; a viewer that is still to come would make Chrome let the tab go once more. */
async function loaded(tab: number): Promise<void> {
  for (let wait = 0; wait < LOADED && (await chrome.tabs.get(tab)).status !== "complete"; wait += LOOK)
    await new Promise((done) => setTimeout(done, LOOK));
}

async function detach(tab: number): Promise<void> {
  drop(tab);
  await chrome.debugger.detach({ tabId: tab }).catch(() => {});
  await unmark(tab);
}

function drop(tab: number): boolean {
  groups.delete(tab);
  hosts.delete(tab);
  ownInput.forget(tab);
  pointer.forget(tab);
  return attached.delete(tab);
}

/** Stop driving a tab; it stays handed over. */
export async function pause(tab: number): Promise<void> {
  await detach(tab);
  await Promise.all([keep(), limit()]);
}

/** Without the server nobody answers for held requests: the pages go on by themselves until it is back. */
export async function detachAll(): Promise<void> {
  await Promise.all([...attached].map(detach));
  await Promise.all([keep(), limit()]);
}

export async function open(url: string, group: string): Promise<TabFacts> {
  const windowId = await windowOf(group);
  const made = await chrome.tabs.create({ url: "about:blank", active: false, ...(windowId === undefined ? {} : { windowId }) });
  const found = await adopt(made.id!, group);
  if (url && url !== "about:blank") await chrome.tabs.update(found.tab, { url });
  return found;
}

/** The window of a conversation's tabs: what it opens belongs there, whichever window is in front. */
async function windowOf(group: string): Promise<number | undefined> {
  const beside = [...groups].find(([, conversation]) => conversation === group)?.[0];
  return beside === undefined ? undefined : (await chrome.tabs.get(beside).catch(() => null))?.windowId;
}

/** Drive a tab that a driven page opened. */
export async function adopt(tab: number, group: string): Promise<TabFacts> {
  opened.add(tab);
  return attach(tab, group);
}

export const groupOf = (tab: number) => groups.get(tab) ?? "";

export async function close(tab: number): Promise<void> {
  if (!opened.has(tab)) throw new Error("This tab is the person's own; it is not closed.");
  await chrome.tabs.remove(tab);
}

export async function release(wanted: number): Promise<void> {
  const tab = replaced.get(wanted) ?? wanted;
  for (const tabs of [given, opened]) tabs.delete(tab);
  await pause(tab);
  await chrome.tabs.ungroup(tab).catch(() => {});
}

/** The browser let a tab go: by the bar's Cancel, or because it was closed. */
export async function forgetTab(tab: number, takenBack: boolean): Promise<void> {
  const forgotten = takenBack && [given.delete(tab), opened.delete(tab)].some(Boolean);
  if (!drop(tab) && !forgotten) return;
  await Promise.all([keep(), limit(), unmark(tab)]);
}

/** A tab that was discarded goes on under another number. */
export async function replace(added: number, removed: number): Promise<void> {
  for (const tabs of [given, opened]) if (tabs.delete(removed)) tabs.add(added);
  replaced.set(removed, added);
  await forgetTab(removed, false);
  await keep();
}

/** A driven tab was moved to another window: it is shown there too. */
export async function moved(tab: number): Promise<void> {
  if (attached.has(tab)) await mark(tab);
}

/** Another document came into a driven tab. */
export function learn(tab: number, url: string): void {
  const known = hosts.get(tab);
  const host = hostOf(url);
  if (!known || !host || known.has(host)) return;
  known.add(host);
  void limit();
}

export function setLimits(group: string, wanted: Parameters<typeof hostLimits.set>[1]): Promise<unknown> {
  hostLimits.set(group, wanted);
  return limit();
}

/** The limits of all driven tabs and of what they open; other tabs of the person have none. */
export async function limit(): Promise<unknown> {
  const driven = [...attached].map((tab) => ({ tab, group: groupOf(tab), hosts: hosts.get(tab) ?? [] }));
  const others = (await chrome.tabs.query({})).filter(({ id, openerTabId }) => !attached.has(id ?? -1) && !attached.has(openerTabId ?? -1));
  return hostLimits.apply(driven, others.map((each) => each.id ?? -1));
}

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
}

async function readTabFacts(tab: number): Promise<TabFacts> {
  const targets = await chrome.debugger.getTargets();
  const target = targets.find((each) => each.tabId === tab && each.type === "page");
  if (!target) throw new Error("The tab is gone.");
  return { tab, target: target.id, title: target.title, url: target.url };
}

/** Show that a tab is driven: by the group that it stands in, and by the badge on the icon. */
async function mark(tab: number): Promise<void> {
  const { windowId } = await chrome.tabs.get(tab);
  const [known] = await chrome.tabGroups.query({ windowId, title: GROUP });
  const group = await chrome.tabs.group(
    known ? { tabIds: [tab], groupId: known.id } : { tabIds: [tab], createProperties: { windowId } },
  );
  await Promise.all([chrome.tabGroups.update(group, { title: GROUP, color: "cyan" }), markIcon(tab)]);
}

async function markIcon(tab: number): Promise<void> {
  await Promise.all([
    chrome.action.setBadgeText({ tabId: tab, text: DRIVEN.text }),
    chrome.action.setBadgeBackgroundColor({ tabId: tab, color: DRIVEN.color }),
    chrome.action.setTitle({ tabId: tab, title: DRIVEN.title }),
  ]);
}

/** Chrome takes the badge of a tab away with every page that goes. */
export async function markPage(tab: number): Promise<void> {
  if (attached.has(tab)) await markIcon(tab);
}

/** The group of a tab that is no longer driven turns grey with the last one in it. */
async function unmark(tab: number): Promise<void> {
  try {
    await chrome.action.setBadgeText({ tabId: tab, text: "" });
    await chrome.action.setTitle({ tabId: tab, title: GROUP });
    const { groupId } = await chrome.tabs.get(tab);
    const [ours] = (await chrome.tabGroups.query({ title: GROUP })).filter((each) => each.id === groupId);
    const beside = ours ? await chrome.tabs.query({ groupId: ours.id }) : [];
    if (ours && !beside.some((each) => attached.has(each.id ?? -1))) await chrome.tabGroups.update(ours.id, { color: "grey" });
  } catch {
    // The tab is closed, and with it what showed it.
  }
}
