/** The side panel: pairs with the server, then shows the conversation beside the page in front. */
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connectTo, Failure, post, readFailure, request } from "../../ui/src/api/http";
import * as server from "../../ui/src/api/server";
import type { Start } from "../../ui/src/api/types";
import { IconButton } from "../../ui/src/parts/Button";
import { Icon } from "../../ui/src/parts/Icon";
import { loadChoices, messageExtras } from "../../ui/src/state/composer";
import * as conversations from "../../ui/src/state/conversations";
import { tabs } from "../../ui/src/state/live";
import * as route from "../../ui/src/state/route";
import * as session from "../../ui/src/state/session";
import { Notice } from "../../ui/src/views/App";
import { ConversationView } from "../../ui/src/views/Conversation";
import { words } from "../../ui/src/words";
import { Beside, way } from "./beside";
import { chosen, front, install as watchFront, read, isReadable, workable } from "./front";
import { type Pairing, pairing } from "./link";
import { Pair } from "./pairing";
import type { Message } from "./protocol";
import { panelWords } from "./words";

const paired = signal<Pairing | null>(null);
const revoked = signal(false);
const skew = signal("");

/** What goes with a message: the text of the page in front and of tabs that were chosen, or the tab itself. */
messageExtras.value = {
  get always() {
    return way.value === "work";
  },
  async prepare(conversation) {
    if (way.value === "ask") return ask();
    const tab = await handOver();
    await post(`/api/conversations/${conversation}/chrome`, { tab });
    return { tabs: [], chore: true };
  },
};

async function ask(): Promise<Partial<Start>> {
  const first = front.value && isReadable(front.value) ? [front.value] : [];
  const wanted = [...first, ...chosen.value.filter((tab) => tab.id !== first[0]?.id)];
  if (!wanted.length) return { tabs: [] };
  const pages = await Promise.all(wanted.slice(0, PAGES).map(read));
  chosen.value = [];
  return { tabs: [], pages, loop: "chat" } as Partial<Start>;
}

/** Pages that one question can be about. */
const PAGES = 10;

/** The tab in front, or a new one where it cannot be worked in, is the agent's from now on. */
async function handOver(): Promise<number> {
  const tab = front.value;
  const window = await chrome.windows.getCurrent();
  const message: Message = tab && workable.value ? { type: "hand-over", tab: tab.id } : { type: "new-tab", windowId: window.id! };
  const reply = (await chrome.runtime.sendMessage(message).catch(() => null)) as { tab: number } | null;
  if (!reply) throw new Failure(500, "asleep", panelWords.value.asleep, panelWords.value.asleepFix);
  return reply.tab;
}

/** The empty screen offers things to ask about the page in front. */
effect(() => {
  const tab = front.value;
  tabs.value = tab && isReadable(tab) ? [{ ...tab, active: true, tools: [] }] : [];
});

async function connect(): Promise<void> {
  const former = paired.value;
  paired.value = await pairing();
  if (!paired.value) {
    revoked.value ||= former !== null;
    session.me.value = null;
    return;
  }
  revoked.value = false;
  connectTo(paired.value.server, paired.value.token);
  await session.begin();
  if (!session.me.value) return;
  await loadChoices();
  const theirs = await session.attempt(server.health);
  const ours = chrome.runtime.getManifest().version;
  skew.value = theirs && theirs.version !== ours ? panelWords.value.older(ours, theirs.version) : "";
}

function Panel() {
  if (!paired.value) return <Pair onPaired={connect} revoked={revoked.value} />;
  return (
    <div class="sidepanel">
      <Head />
      {session.reach.value === "offline" && <Warning text={panelWords.value.gone} />}
      {skew.value && <Warning text={skew.value} />}
      {session.me.value && <Beside />}
      <Notice />
      {session.me.value ? <ConversationView /> : <main class="talk" id="main" />}
    </div>
  );
}

const Warning = ({ text }: { text: string }) => (
  <div class="offline" role="status">
    <Icon name="warn" /> {text}
  </div>
);

function Head() {
  const [open, setOpen] = useState(false);
  const texts = panelWords.value;
  useEffect(() => setOpen(false), [route.route.value]);
  return (
    <>
      <header class="head">
        <IconButton icon="list" label={texts.past} aria-expanded={open} onClick={() => setOpen(!open)} />
        <h1 class="title clip">{conversations.thread.value?.title || words.value.name}</h1>
        <IconButton icon="plus" label={texts.fresh} onClick={() => route.go("/")} />
      </header>
      {open && <Past />}
    </>
  );
}

const Past = () => (
  <ul class="past">
    {(conversations.threads.value ?? []).slice(0, 30).map((each) => (
      <li key={each.id}>
        <a class="clip" href={`/c/${each.id}`} aria-current={each.id === conversations.opened.value ? "page" : undefined}>
          {each.title || words.value.conversation.untitled}
        </a>
      </li>
    ))}
    {!conversations.threads.value?.length && <li>{words.value.nav.none}</li>}
  </ul>
);

/** The panel has one page. Its conversation is kept for its window; links to other pages of the server open there. */
async function keepPlace(): Promise<void> {
  const key = `conversation-${(await chrome.windows.getCurrent()).id}`;
  const kept = (await chrome.storage.session.get(key))[key];
  if (typeof kept === "string" && kept) route.go(`/c/${kept}`, true);
  effect(() => {
    if (route.route.value.view !== "conversation") return;
    history.replaceState(null, "", "/panel.html");
    void chrome.storage.session.set({ [key]: conversations.opened.value });
  });
  addEventListener("click", openElsewhere, { capture: true });
}

function openElsewhere(event: MouseEvent): void {
  const link = (event.target as Element).closest?.("a");
  if (!link || link.origin !== location.origin || /^\/(c\/.*)?$/.test(link.pathname)) return;
  event.preventDefault();
  event.stopPropagation();
  if (link.hasAttribute("download")) void session.attempt(() => download(`${link.pathname}${link.search}`));
  else void chrome.tabs.create({ url: `${paired.value?.server}${link.pathname}${link.search}${link.hash}` });
}

/** A file of the server, by the name that it gives it. */
async function download(path: string): Promise<void> {
  const response = await request(path, {});
  if (!response.ok) throw await readFailure(response);
  const named = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = named ?? decodeURIComponent(path.split("/").at(-1)!.split("?")[0]!);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

session.install();
route.install();
await Promise.all([watchFront(), keepPlace(), connect()]);
conversations.install();
const root = document.getElementById("app") as HTMLElement;
root.textContent = "";
render(<Panel />, root);
root.querySelector<HTMLElement>("#compose, .enter input")?.focus();
chrome.storage.local.onChanged.addListener((changed) => "pairing" in changed && void connect());
/** Wakes the service worker, and with it the line to the server. */
void chrome.runtime.sendMessage({ type: "wake" } satisfies Message).catch(() => {});

/** The server may come later, or again. */
setInterval(() => paired.value && !session.me.value && void connect(), 2000);
