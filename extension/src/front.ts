/** The tab in front of the panel's window, the person's other tabs by title, and what the page of a tab says. */
import { computed, signal } from "@preact/signals";
import { Failure } from "../../ui/src/api/http";
import { panelWords } from "./words";

export type FrontTab = { id: number; url: string; title: string };

export const front = signal<FrontTab | null>(null);
/** All other tabs that could be read, this window's first; only their titles are known. */
export const others = signal<FrontTab[]>([]);
/** Those that the person chose to have read too. */
export const chosen = signal<FrontTab[]>([]);
/** Tabs that were handed over, and those that are driven now, as the service worker keeps them. */
export const handed = signal<{ given: number[]; attached: number[] }>({ given: [], attached: [] });
/** The titles of those that are driven now. */
export const driven = signal<string[]>([]);

/** Whether the panel stands in an incognito window, which it can only where the person allowed it in Chrome. */
export const incognito = signal(false);

const plain = (tab: chrome.tabs.Tab): FrontTab => ({ id: tab.id ?? -1, url: tab.url ?? "", title: tab.title ?? "" });

async function look(): Promise<void> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  front.value = tab?.id === undefined ? null : plain(tab);
}

export const isReadable = (tab: FrontTab | null) => tab !== null && /^(https?|file):/.test(tab.url);
/** A blank tab that was handed over can be worked in, though there is nothing to read. */
export const workable = computed(() => isReadable(front.value) || handed.value.given.includes(front.value?.id ?? -1));

/** The person's other tabs, as they are now. Windows of one kind know nothing of the other: incognito stays apart. */
export async function lookAround(): Promise<void> {
  const [here, all] = await Promise.all([chrome.windows.getCurrent(), chrome.tabs.query({ windowType: "normal" })]);
  const sorted = all.sort((one, two) => Number(two.windowId === here.id) - Number(one.windowId === here.id) || one.index - two.index);
  const near = sorted.filter((tab) => tab.incognito === here.incognito);
  others.value = near.map(plain).filter((tab) => isReadable(tab) && tab.id !== front.value?.id);
  chosen.value = chosen.value.filter((tab) => others.value.some((other) => other.id === tab.id));
}

export function toggle(tab: FrontTab): void {
  const without = chosen.value.filter((each) => each.id !== tab.id);
  chosen.value = without.length < chosen.value.length ? without : [...without, tab];
}

async function readHanded(): Promise<void> {
  const kept = (await chrome.storage.session.get("tabs"))["tabs"] as Partial<typeof handed.value> | undefined;
  handed.value = { given: kept?.given ?? [], attached: kept?.attached ?? [] };
  const tabs = await Promise.all(handed.value.attached.map((id) => chrome.tabs.get(id).then(plain, () => null)));
  driven.value = tabs.flatMap((tab) => (tab ? [tab.title || tab.url] : []));
}

/** Calls `then` when the person touched a driven tab. */
export function onTouch(then: () => void): void {
  chrome.storage.session.onChanged.addListener((changed) => "touched" in changed && then());
}

async function readWindow(): Promise<void> {
  incognito.value = (await chrome.windows.getCurrent()).incognito;
}

export function install(): Promise<unknown> {
  chrome.tabs.onActivated.addListener(() => void look());
  chrome.tabs.onUpdated.addListener((id, changed) => {
    if (changed.title !== undefined || changed.url !== undefined || id === front.value?.id) void look();
    if (changed.title !== undefined && handed.value.attached.includes(id)) void readHanded();
  });
  chrome.tabs.onRemoved.addListener((id) => (chosen.value = chosen.value.filter((tab) => tab.id !== id)));
  chrome.storage.session.onChanged.addListener((changed) => "tabs" in changed && void readHanded());
  return Promise.all([look(), readHanded(), readWindow()]);
}

type Reader = { pilotfish: { call(name: string, args: unknown[]): string } };

/** What the documents of a page say, main one first, read by our own script in a world of its own. */
export async function read(tab: FrontTab): Promise<{ tab: number; frames: object[] }> {
  const target = { tabId: tab.id, allFrames: true };
  let answers: chrome.scripting.InjectionResult<string | null>[];
  try {
    if ((await chrome.tabs.get(tab.id)).discarded) await waken(tab.id);
    await chrome.scripting.executeScript({ target, files: ["perception.js"] });
    answers = await chrome.scripting.executeScript({
      target,
      func: () => (document.contentType === "application/pdf" ? null : (globalThis as unknown as Reader).pilotfish.call("text", ["", false])),
    });
  } catch (error) {
    throw explainRefusal(tab, error instanceof Error ? error.message : String(error));
  }
  const sorted = answers.sort((one, two) => Number(one.frameId !== 0) - Number(two.frameId !== 0));
  const frames = sorted.filter((answer) => typeof answer.result === "string").map((answer) => JSON.parse(answer.result as string) as object);
  // The viewer of a PDF has frames of its own, which say nothing.
  if (typeof sorted[0]?.result !== "string") throw new Failure(400, "unreadable", panelWords.value.pdf(tab.title || tab.url), panelWords.value.pdfFix);
  return { tab: tab.id, frames };
}

/** Chrome took the page out of memory: it is loaded again, where it is. */
async function waken(tab: number): Promise<void> {
  const loaded = new Promise<void>((done) => {
    const hear = (id: number, changed: { status?: string }) => {
      if (id !== tab || changed.status !== "complete") return;
      chrome.tabs.onUpdated.removeListener(hear);
      done();
    };
    chrome.tabs.onUpdated.addListener(hear);
  });
  await chrome.tabs.reload(tab);
  await Promise.race([loaded, new Promise((done) => setTimeout(done, 10_000))]);
}

/** Why Chrome did not let a page be read, in words for people. */
function explainRefusal(tab: FrontTab, why: string): Failure {
  const texts = panelWords.value;
  const [text, fix] = /error page/i.test(why)
    ? [texts.errorPage(tab.title || tab.url), texts.errorPageFix]
    : /permission|cannot access/i.test(why)
      ? [texts.denied(tab.title || tab.url), tab.url.startsWith("file:") ? texts.deniedFileFix : texts.deniedFix]
      : [texts.unreadable(tab.title || tab.url), texts.unreadableFix];
  return new Failure(400, "unreadable", text, fix);
}
