/** The whole page: sidebar, the open view, and the live view beside it. */
import { useEffect } from "preact/hooks";
import { Button, IconButton } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { Plain } from "../parts/Plain";
import { front, tabs } from "../state/live";
import { go, route } from "../state/route";
import { drawer, me, notice, pane, reach, sidebar } from "../state/session";
import { thread, threads } from "../state/conversations";
import { loadChoices, noModelReady, models, text } from "../state/composer";
import { words } from "../words";
import { failureTitle } from "../words/sentences";
import { Compare } from "./Compare";
import { Costs } from "./Costs";
import { SignIn } from "./SignIn";
import { Welcome } from "./Welcome";
import { Shortcuts } from "./Shortcuts";
import { Live } from "./Live";
import { Memory } from "./Memory";
import { RunPage } from "./Run";
import { Runs } from "./Runs";
import { SavedShortcuts } from "./SavedShortcuts";
import { SaveShortcut } from "./SaveShortcut";
import { Schedules } from "./Schedules";
import { Settings } from "./Settings";
import { Sidebar } from "./Sidebar";
import { ConversationView } from "./Conversation";

export function App() {
  const texts = words.value;
  useEffect(() => void (me.value && loadChoices()), [me.value]);
  useEffect(welcome, [models.value, threads.value]);
  useEffect(() => void (drawer.value = ""), [route.value]);
  if (reach.value === "stranger" && !me.value) return <SignIn />;
  if (!me.value) return <Offline />;
  const talking = route.value.view === "conversation";
  const beside = talking && pane.value;
  return (
    <div class={`app ${sidebar.value ? "" : "slim"} ${beside ? "beside" : ""} ${drawer.value}`}>
      <a class="skip" href="#main">
        {texts.nav.skip}
      </a>
      {drawer.value && <div class="shade" onClick={() => (drawer.value = "")} />}
      <Sidebar />
      <div class="middle">
        <Top talking={talking} />
        <Offline />
        <Page />
      </div>
      {talking && <Live />}
      <Notice />
      <Shortcuts />
      <SaveShortcut />
    </div>
  );
}

let greeted = false;

/** Shows the welcome page to a person without a model and without conversations, unless they are writing. */
function welcome(): void {
  if (greeted || !models.value.length || !threads.value) return;
  greeted = true;
  if (noModelReady.value && !threads.value.length && !text.value && route.value.view === "conversation") go("/welcome", true);
}

function Page() {
  const here = route.value;
  switch (here.view) {
    case "conversation":
      return <ConversationView />;
    case "runs":
      return <Runs />;
    case "run":
      return <RunPage key={here.id} id={here.id} />;
    case "compare":
      return <Compare one={here.one} two={here.two} />;
    case "memory":
      return <Memory />;
    case "schedules":
      return <Schedules />;
    case "shortcuts":
      return <SavedShortcuts />;
    case "settings":
      return <Settings part={here.part} />;
    case "costs":
      return <Costs />;
    case "welcome":
      return <Welcome />;
  }
}

function Top({ talking }: { talking: boolean }) {
  const texts = words.value;
  return (
    <header class="top">
      <IconButton icon="menu" class="narrow-only" label={texts.nav.menu} onClick={() => (drawer.value = "menu")} />
      {talking && thread.value ? <h1 class="title clip">{thread.value.title || texts.conversation.untitled}</h1> : <span class="title" />}
      {talking && (
        <>
          <button type="button" class="peek narrow-only" onClick={() => (drawer.value = drawer.value === "live" ? "" : "live")}>
            <Icon name="globe" />
            <span class="clip">{front.value?.title || texts.live.head}</span>
            {tabs.value.length > 1 && <span class="count">{tabs.value.length}</span>}
          </button>
          <IconButton icon="beside" class="wide-only" aria-pressed={pane.value} label={pane.value ? texts.live.hide : texts.live.show} onClick={() => (pane.value = !pane.value)} />
        </>
      )}
    </header>
  );
}

function Offline() {
  if (reach.value !== "offline") return null;
  return (
    <div class="offline" role="status">
      <Icon name="warn" /> {words.value.edge.offline}
    </div>
  );
}

export function Notice() {
  const texts = notice.value;
  const head = failureTitle(texts?.code ?? "");
  useEffect(() => {
    if (!texts || texts.bad) return;
    const timer = setTimeout(() => (notice.value = null), 4000);
    return () => clearTimeout(timer);
  }, [texts]);
  return (
    <div class="notices" role="status" aria-live="polite">
      {texts && (
        <div class={`notice ${texts.bad ? "bad" : ""}`}>
          <Icon name={texts.bad ? "warn" : "check"} />
          <div>
            {head && (
              <p>
                <strong>{head}</strong>
              </p>
            )}
            <p>
              <Plain text={texts.text || words.value.edge.failed} />
            </p>
            {(texts.fix || !texts.text) && (
              <p class="fix">
                <Plain text={texts.fix || words.value.edge.failedFix} />
              </p>
            )}
          </div>
          <IconButton icon="cross" label={words.value.edge.close} onClick={() => (notice.value = null)} />
        </div>
      )}
    </div>
  );
}

export function ErrorPage() {
  return (
    <main class="empty">
      <p>{words.value.edge.wrong}</p>
      <Button class="primary" onClick={() => location.reload()}>
        {words.value.edge.reload}
      </Button>
    </main>
  );
}
