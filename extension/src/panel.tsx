/** The side panel: pairs with the server, then shows the conversation beside the page in front. */
import { computed, effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { connectTo, post } from "../../ui/src/api/http";
import * as server from "../../ui/src/api/server";
import type { Start } from "../../ui/src/api/types";
import { Button, IconButton } from "../../ui/src/parts/Button";
import { EntryForm } from "../../ui/src/parts/EntryForm";
import { Icon } from "../../ui/src/parts/Icon";
import { active, choices, messageExtras } from "../../ui/src/state/composer";
import { feed } from "../../ui/src/state/feeds";
import * as conversations from "../../ui/src/state/conversations";
import { tabs } from "../../ui/src/state/live";
import * as route from "../../ui/src/state/route";
import * as session from "../../ui/src/state/session";
import { Notice } from "../../ui/src/views/App";
import { ConversationView } from "../../ui/src/views/Conversation";
import { words } from "../../ui/src/words";
import { front, install as watchFront, read, readable } from "./front";
import { type Pairing, pairing } from "./link";
import { panelWords } from "./words";

type Way = "ask" | "work";

const paired = signal<Pairing | null>(null);
const way = signal<Way>("ask");
const skew = signal("");
const HOME = "http://127.0.0.1:8417";

/** What goes with a message: the text of the page in front, or the tab itself. */
messageExtras.value = {
  get always() {
    return way.value === "work";
  },
  async prepare(conversation) {
    const tab = front.value;
    if (!tab || !readable(tab)) return { tabs: [] };
    if (way.value === "ask") return { tabs: [], pages: [await read(tab)], loop: "chat" } as Partial<Start>;
    await chrome.runtime.sendMessage({ type: "hand-over", tab: tab.id });
    await post(`/api/conversations/${conversation}/chrome`, { tab: tab.id });
    return { tabs: [] };
  },
};

/** The empty screen offers things to ask about the page in front. */
effect(() => {
  const tab = front.value;
  tabs.value = tab && readable(tab) ? [{ ...tab, active: true, tools: [] }] : [];
});

async function connect(): Promise<void> {
  paired.value = await pairing();
  if (!paired.value) return;
  connectTo(paired.value.server, paired.value.token);
  await session.begin();
  if (session.reach.value === "stranger") {
    await chrome.storage.local.remove("pairing");
    paired.value = null;
  }
  if (!session.me.value) return;
  await choices();
  const theirs = await session.attempt(server.health);
  const ours = chrome.runtime.getManifest().version;
  skew.value = theirs && theirs.version !== ours ? panelWords.value.older(ours, theirs.version) : "";
}

function Panel() {
  if (!paired.value) return <Pair />;
  return (
    <div class="sidepanel">
      <Head />
      {session.reach.value === "offline" && <Warning text={panelWords.value.gone} />}
      {skew.value && <Warning text={skew.value} />}
      {paused.value && <Warning text={panelWords.value.yours} />}
      <Ways />
      <ConversationView />
      <Notice />
    </div>
  );
}

/** The run waits: the person touched its tab, or paused it. */
const paused = computed(() => {
  const run = active.value;
  return run !== null && feed(run.id).runState.value.state === "paused";
});

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
      {open && (
        <ul class="past">
          {(conversations.threads.value ?? []).slice(0, 30).map((each) => (
            <li key={each.id}>
              <a class="clip" href={`/c/${each.id}`}>
                {each.title || words.value.conversation.untitled}
              </a>
            </li>
          ))}
          {!conversations.threads.value?.length && <li>{words.value.nav.none}</li>}
        </ul>
      )}
    </>
  );
}

/** What a message is about: the page in front, to be read or to be worked in. */
function Ways() {
  const texts = panelWords.value;
  const tab = front.value;
  if (!readable(tab))
    return (
      <section class="beside" aria-label={texts.ask}>
        <p class="front" role="status">
          {texts.none}
        </p>
      </section>
    );
  return (
    <section class="beside" aria-label={texts.ask}>
      <p class="front">
        <Icon name="page" />
        <span class="clip">{tab?.title || tab?.url}</span>
      </p>
      <div class="ways" role="group" aria-label={words.value.compose.mode}>
        {(["ask", "work"] as const).map((each) => (
          <Button key={each} aria-pressed={way.value === each} title={each === "ask" ? texts.askHint : texts.workHint} class={way.value === each ? "primary" : ""} onClick={() => (way.value = each)}>
            {texts[each]}
          </Button>
        ))}
      </div>
    </section>
  );
}

function Pair() {
  const texts = panelWords.value;
  const [address, setAddress] = useState(HOME);
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");
  const pair = async () => {
    const to = address.trim().replace(/\/+$/, "");
    try {
      const answer = await fetch(`${to}/api/extension/pair`, {
        method: "POST",
        credentials: "omit",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      });
      const reply = (await answer.json()) as { token?: string; detail?: string; fix?: string };
      if (!answer.ok || !reply.token) return setWrong(`${reply.detail ?? ""} ${reply.fix ?? ""}`.trim());
      await chrome.storage.local.set({ pairing: { server: to, token: reply.token } });
      await connect();
    } catch {
      setWrong(texts.gone);
    }
  };
  return (
    <EntryForm head={texts.pairHead} text={texts.pairText} button={texts.connect} ready={!!code.trim()} wrong={wrong} onSubmit={() => void pair()}>
      <input aria-label={texts.server} value={address} onInput={(event) => setAddress(event.currentTarget.value)} />
      <input aria-label={texts.code} placeholder={texts.code} autocomplete="off" value={code} onInput={(event) => setCode(event.currentTarget.value)} />
    </EntryForm>
  );
}

session.install();
route.install();
await Promise.all([watchFront(), connect()]);
conversations.install();
const root = document.getElementById("app") as HTMLElement;
root.textContent = "";
render(<Panel />, root);

/** The server may come later, or again. */
setInterval(() => paired.value && !session.me.value && void connect(), 2000);
