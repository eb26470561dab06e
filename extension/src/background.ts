/** The service worker: keeps the line to the server, and drives the tabs that were handed over. */
import { type Link, openLink } from "./link";
import * as ownInput from "./ownInput";
import * as pointer from "./pointer";
import type { Command, Message, Request } from "./protocol";
import * as tabs from "./tabs";
import * as windows from "./windows";

/** Milliseconds between two notices that the person touches the same tab. */
const AGAIN = 1000;
const told = new Map<number, number>();

const link: Link = openLink(answerRequest, tabs.detachAll);

async function answerRequest(request: Request): Promise<object> {
  await tabs.ready;
  switch (request.kind) {
    case "version":
      return { product: `Chrome/${browserVersion()}`, userAgent: navigator.userAgent };
    case "attach":
      return watchTouches(await tabs.attach(request.tab, request.group));
    case "detach":
      await tabs.pause(request.tab);
      return {};
    case "open":
      return watchTouches(await tabs.open(request.url, request.group));
    case "close":
      await tabs.close(request.tab);
      return {};
    case "release":
      await tabs.release(request.tab);
      return {};
    case "limit":
      await tabs.setLimits(request.group, request);
      return {};
    case "command":
      return { result: (await send(request.tab, request.session, request)) ?? {} };
    case "inputs":
      await Promise.all(request.inputs.map((input) => send(request.tab, request.session, input)));
      return request.then ? { result: (await send(request.tab, request.session, request.then)) ?? {} } : {};
    default:
      // A newer server may ask for what this version does not have; an empty answer would count as done.
      throw new Error(`This extension does not know “${(request as { kind: string }).kind}”. Update or reload it.`);
  }
}

/** Chrome carries out the commands of a tab in the order in which they are sent. */
async function send(tabId: number, sessionId: string, { method, params }: Command): Promise<object | undefined> {
  ownInput.expect(tabId, method, params);
  pointer.follow(tabId, method, params);
  const target = sessionId ? { tabId, sessionId } : { tabId };
  return chrome.debugger.sendCommand(target, method, params as Record<string, unknown>).finally(() => pointer.showAfterCommand(tabId, method));
}

function browserVersion(): string {
  return /Chrom(?:e|ium)\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? "";
}

/** Notice when the person touches a driven tab. */
function watchTouches<T extends { tab: number }>(facts: T): T {
  const target = { tabId: facts.tab, allFrames: true };
  void chrome.scripting.executeScript({ target, files: ["touch.js"] }).catch(() => {});
  return facts;
}

chrome.debugger.onEvent.addListener((source, method, params) => {
  const tab = source.tabId;
  if (tab === undefined || !tabs.isAttached(tab)) return;
  link.tell({ type: "event", tab, session: source.sessionId ?? "", method, params: params ?? {} });
  if (method === "Page.windowOpen") adopt(windows.noteRequest(tab), tab);
  if (method === "Page.frameNavigated") {
    const { frame } = params as { frame: { url: string; parentId?: string } };
    if (!frame.parentId && !source.sessionId) pointer.leave(tab);
    tabs.learn(tab, frame.url);
    watchTouches({ tab });
  }
});

chrome.debugger.onDetach.addListener((source, reason) => {
  const tab = source.tabId;
  if (tab === undefined || !tabs.isAttached(tab)) return;
  void letGo(tab, String(reason));
});

/** Chrome let a tab go. Where it only shows something of another extension now, such as a PDF, it is driven again. */
async function letGo(tab: number, reason: string): Promise<void> {
  const found = reason === "target_closed" ? await tabs.attachAgain(tab) : null;
  if (found) return link.tell({ type: "renewed", ...watchTouches(found) });
  link.tell({ type: "detached", tab, reason });
  await tabs.forgetTab(tab, reason === "canceled_by_user");
}

chrome.tabs.onRemoved.addListener(async (tab) => {
  await tabs.ready;
  if (tabs.isAttached(tab)) link.tell({ type: "detached", tab, reason: "closed" });
  void tabs.forgetTab(tab, true);
});

chrome.tabs.onReplaced.addListener((added, removed) => void tabs.ready.then(() => tabs.replace(added, removed)));
chrome.tabs.onUpdated.addListener((tab, changed) => {
  if (changed.status) void tabs.markPage(tab).catch(() => {});
});
chrome.tabs.onAttached.addListener((tab) => void tabs.moved(tab).catch(() => {}));

/** Also a tab that the person opens beside a driven one has it as its opener: the page must have asked for a window. */
chrome.tabs.onCreated.addListener((made) => {
  const opener = made.openerTabId;
  if (opener !== undefined && made.id !== undefined && tabs.isAttached(opener)) adopt(windows.opened(opener, made.id), opener);
  else void tabs.limit();
});

function adopt(tab: number | undefined, opener: number): void {
  if (tab === undefined || isTouched(opener)) return;
  void tabs
    .adopt(tab, tabs.groupOf(opener))
    .then((facts) => link.tell({ type: "opened", ...watchTouches(facts), opener }))
    .catch(() => {});
}

const isTouched = (tab: number) => Date.now() - (told.get(tab) ?? 0) < AGAIN;

/** The person touched a driven tab; said once a while. */
function reportTouch(tab: number): void {
  if (isTouched(tab)) return;
  const now = Date.now();
  told.set(tab, now);
  link.tell({ type: "touched", tab });
  void chrome.storage.session.set({ touched: { tab, at: now } });
}

/** A message of the panel or of a driven page wakes this worker, and with it the line to the server. */
chrome.runtime.onMessage.addListener((message: Message, sender, reply) => {
  const tab = sender.tab?.id;
  const ours = sender.origin === location.origin;
  if (message.type === "touched" && tab !== undefined && tabs.isAttached(tab)) {
    const theirs = message.touches.filter((touch) => !ownInput.isOwn(tab, touch));
    if (theirs.length) reportTouch(tab);
  }
  if (!ours) return false;
  if (message.type === "hand-over") {
    void tabs.ready.then(() => tabs.handOver(message.tab)).then(() => reply({ tab: message.tab }));
    return true;
  }
  if (message.type === "new-tab") {
    void tabs.ready.then(() => tabs.openFor(message.windowId)).then((made) => reply({ tab: made }));
    return true;
  }
  return false;
});

void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
