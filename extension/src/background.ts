/** The service worker: keeps the line to the server, and drives the tabs that were handed over. */
import { type Link, openLink } from "./link";
import type { Request } from "./protocol";
import * as tabs from "./tabs";

/** Input of the agent and of the person look the same to a page; what comes this soon after ours is ours. */
const OWN_INPUT = 700;
const lastInput = new Map<number, number>();

const link: Link = openLink(answer, tabs.detachAll);

async function answer(request: Request): Promise<object> {
  await tabs.ready;
  switch (request.kind) {
    case "version":
      return { product: `Chrome/${browserVersion()}`, userAgent: navigator.userAgent };
    case "attach":
      return watched(await tabs.attach(request.tab));
    case "open":
      return watched(await tabs.open(request.url));
    case "close":
      await tabs.close(request.tab);
      return {};
    case "release":
      await tabs.release(request.tab);
      return {};
    case "command": {
      const where = request.session ? { tabId: request.tab, sessionId: request.session } : { tabId: request.tab };
      const input = request.method.startsWith("Input.");
      if (input) lastInput.set(request.tab, Date.now());
      const result = await chrome.debugger.sendCommand(where, request.method, request.params);
      if (input) lastInput.set(request.tab, Date.now());
      return { result: result ?? {} };
    }
  }
}

function browserVersion(): string {
  return /Chrom(?:e|ium)\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? "";
}

/** Notice when the person touches a driven tab. */
function watched<T extends { tab: number }>(facts: T): T {
  const target = { tabId: facts.tab, allFrames: true };
  void chrome.scripting.executeScript({ target, files: ["touch.js"] }).catch(() => {});
  return facts;
}

chrome.debugger.onEvent.addListener((source, method, params) => {
  const tab = source.tabId;
  if (tab === undefined || !tabs.isAttached(tab)) return;
  link.tell({ type: "event", tab, session: source.sessionId ?? "", method, params: params ?? {} });
  if (method === "Page.frameNavigated") watched({ tab });
});

chrome.debugger.onDetach.addListener((source, reason) => {
  const tab = source.tabId;
  if (tab === undefined || !tabs.isAttached(tab)) return;
  tabs.forget(tab);
  link.tell({ type: "detached", tab, reason });
});

chrome.tabs.onRemoved.addListener(async (tab) => {
  await tabs.ready;
  if (tabs.isAttached(tab)) link.tell({ type: "detached", tab, reason: "closed" });
  tabs.forget(tab);
});

chrome.tabs.onCreated.addListener((made) => {
  const opener = made.openerTabId;
  if (opener === undefined || !tabs.isAttached(opener) || made.id === undefined) return;
  void tabs
    .adopt(made.id)
    .then((facts) => link.tell({ type: "opened", ...watched(facts), opener }))
    .catch(() => {});
});

/** A message of the panel or of a driven page wakes this worker, and with it the line to the server. */
chrome.runtime.onMessage.addListener((message: { type?: string; tab?: number }, sender, reply) => {
  const tab = sender.tab?.id;
  const ours = sender.origin === location.origin;
  if (message.type === "touched" && tab !== undefined && tabs.isAttached(tab)) {
    if (Date.now() - (lastInput.get(tab) ?? 0) > OWN_INPUT) link.tell({ type: "touched", tab });
  }
  if (message.type === "hand-over" && ours && message.tab !== undefined) {
    const tab = message.tab;
    void tabs.ready.then(() => tabs.handOver(tab)).then(() => reply({}));
    return true;
  }
  return false;
});

void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
