/** The tab in front of the panel's window, and what its page says. */
import { signal } from "@preact/signals";

export type FrontTab = { id: number; url: string; title: string };

export const front = signal<FrontTab | null>(null);

async function look(): Promise<void> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  front.value = tab?.id === undefined ? null : { id: tab.id, url: tab.url ?? "", title: tab.title ?? "" };
}

export const readable = (tab: FrontTab | null) => tab !== null && /^(https?|file):/.test(tab.url);

export function install(): Promise<void> {
  chrome.tabs.onActivated.addListener(() => void look());
  chrome.tabs.onUpdated.addListener((id, changed) => {
    if (changed.title !== undefined || changed.url !== undefined || id === front.value?.id) void look();
  });
  return look();
}

/** What the documents of a page say, main one first, read by our own script in a world of its own. */
export async function read(tab: FrontTab): Promise<{ tab: number; frames: object[] }> {
  const target = { tabId: tab.id, allFrames: true };
  await chrome.scripting.executeScript({ target, files: ["perception.js"] });
  const answers = await chrome.scripting.executeScript({
    target,
    func: () => (globalThis as unknown as { pilotfish: { call(name: string, args: unknown[]): string } }).pilotfish.call("text", ["", false]),
  });
  const frames = answers
    .filter((answer) => typeof answer.result === "string")
    .sort((one, two) => Number(one.frameId !== 0) - Number(two.frameId !== 0))
    .map((answer) => JSON.parse(answer.result as string) as object);
  return { tab: tab.id, frames };
}
