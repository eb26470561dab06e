/** The tabs that the person handed over, or that a run opened: attaching, grouping, and letting go. */
import type { TabFacts } from "./protocol";

const PROTOCOL = "1.3";
const GROUP = "Pilotfish";

/** Tabs that the person handed over in the panel. */
const given = new Set<number>();
/** Tabs that runs opened themselves; only these may be closed. */
const opened = new Set<number>();
const attached = new Set<number>();
const ALL = { given, opened, attached };

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

export const isAttached = (tab: number) => attached.has(tab);

export async function attach(tab: number): Promise<TabFacts> {
  if (!opened.has(tab) && !given.has(tab)) throw new Error("The person did not hand this tab over.");
  // What an earlier connection switched on, such as holding requests, must not stay on.
  if (attached.has(tab)) await detach(tab);
  await chrome.debugger.attach({ tabId: tab }, PROTOCOL);
  attached.add(tab);
  await Promise.all([keep(), mark(tab)]);
  return facts(tab);
}

async function detach(tab: number): Promise<void> {
  attached.delete(tab);
  await chrome.debugger.detach({ tabId: tab }).catch(() => {});
}

/** Without the server nobody answers for held requests: the pages go on by themselves until it is back. */
export async function detachAll(): Promise<void> {
  await Promise.all([...attached].map(detach));
  await keep();
}

export async function open(url: string): Promise<TabFacts> {
  const made = await chrome.tabs.create({ url: url || "about:blank", active: false });
  return adopt(made.id!);
}

/** Drive a tab that a driven page opened. */
export async function adopt(tab: number): Promise<TabFacts> {
  opened.add(tab);
  return attach(tab);
}

export async function close(tab: number): Promise<void> {
  if (!opened.has(tab)) throw new Error("This tab is the person's own; it is not closed.");
  await chrome.tabs.remove(tab);
}

export async function release(tab: number): Promise<void> {
  given.delete(tab);
  await detach(tab);
  await keep();
  await chrome.tabs.ungroup(tab).catch(() => {});
}

export function forget(tab: number): void {
  if ([...Object.values(ALL)].filter((tabs) => tabs.delete(tab)).length) void keep();
}

async function facts(tab: number): Promise<TabFacts> {
  const targets = await chrome.debugger.getTargets();
  const target = targets.find((each) => each.tabId === tab && each.type === "page");
  if (!target) throw new Error("The tab is gone.");
  return { tab, target: target.id, title: target.title, url: target.url };
}

/** Put a driven tab into the group that shows it. */
async function mark(tab: number): Promise<void> {
  const { windowId } = await chrome.tabs.get(tab);
  const [known] = await chrome.tabGroups.query({ windowId, title: GROUP });
  const group = await chrome.tabs.group(
    known ? { tabIds: [tab], groupId: known.id } : { tabIds: [tab], createProperties: { windowId } },
  );
  if (!known) await chrome.tabGroups.update(group, { title: GROUP, color: "cyan" });
}
