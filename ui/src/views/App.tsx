/** The whole page: sidebar, what is being done, and the browser beside it. */
import { useEffect } from "preact/hooks";
import { Button, IconButton } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { Plain } from "../parts/Plain";
import { front, tabs } from "../state/live";
import { go, place } from "../state/place";
import { drawer, me, notice, pane, reach, sidebar } from "../state/session";
import { thread, threads } from "../state/talks";
import { choices, lacking, models, text } from "../state/wish";
import { words } from "../words";
import { trouble } from "../words/told";
import { Compare } from "./Compare";
import { Costs } from "./Costs";
import { Enter } from "./Enter";
import { First } from "./First";
import { Keys } from "./Keys";
import { Live } from "./Live";
import { Memory } from "./Memory";
import { RunPage } from "./Run";
import { Runs } from "./Runs";
import { Settings } from "./Settings";
import { Sidebar } from "./Sidebar";
import { Talk } from "./Talk";

export function App() {
  const told = words.value;
  useEffect(() => void (me.value && choices()), [me.value]);
  useEffect(welcome, [models.value, threads.value]);
  useEffect(() => void (drawer.value = ""), [place.value]);
  if (reach.value === "stranger" && !me.value) return <Enter />;
  if (!me.value) return <Offline />;
  const talking = place.value.view === "talk";
  const beside = talking && pane.value;
  return (
    <div class={`app ${sidebar.value ? "" : "slim"} ${beside ? "beside" : ""} ${drawer.value}`}>
      <a class="skip" href="#main">
        {told.nav.skip}
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
      <Keys />
    </div>
  );
}

let greeted = false;

/** Who has neither a model nor a conversation yet is shown how to begin, once both are known; not while they write. */
function welcome(): void {
  if (greeted || !models.value.length || !threads.value) return;
  greeted = true;
  if (lacking.value && !threads.value.length && !text.value && place.value.view === "talk") go("/welcome", true);
}

function Page() {
  const here = place.value;
  switch (here.view) {
    case "talk":
      return <Talk />;
    case "runs":
      return <Runs />;
    case "run":
      return <RunPage key={here.id} id={here.id} />;
    case "compare":
      return <Compare one={here.one} two={here.two} />;
    case "memory":
      return <Memory />;
    case "settings":
      return <Settings part={here.part} />;
    case "costs":
      return <Costs />;
    case "first":
      return <First />;
  }
}

function Top({ talking }: { talking: boolean }) {
  const told = words.value;
  return (
    <header class="top">
      <IconButton icon="menu" class="narrow-only" label={told.nav.menu} onClick={() => (drawer.value = "menu")} />
      {talking && thread.value ? <h1 class="title clip">{thread.value.title || told.talk.untitled}</h1> : <span class="title" />}
      {talking && (
        <>
          <button type="button" class="peek narrow-only" onClick={() => (drawer.value = drawer.value === "live" ? "" : "live")}>
            <Icon name="globe" />
            <span class="clip">{front.value?.title || told.live.head}</span>
            {tabs.value.length > 1 && <span class="count">{tabs.value.length}</span>}
          </button>
          <IconButton icon="beside" class="wide-only" aria-pressed={pane.value} label={pane.value ? told.live.hide : told.live.show} onClick={() => (pane.value = !pane.value)} />
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

function Notice() {
  const told = notice.value;
  const head = trouble(told?.code ?? "");
  useEffect(() => {
    if (!told || told.bad) return;
    const timer = setTimeout(() => (notice.value = null), 4000);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div class="notices" role="status" aria-live="polite">
      {told && (
        <div class={`notice ${told.bad ? "bad" : ""}`}>
          <Icon name={told.bad ? "warn" : "check"} />
          <div>
            {head && (
              <p>
                <strong>{head}</strong>
              </p>
            )}
            <p>
              <Plain text={told.text || words.value.edge.failed} />
            </p>
            {(told.fix || !told.text) && (
              <p class="fix">
                <Plain text={told.fix || words.value.edge.failedFix} />
              </p>
            )}
          </div>
          <IconButton icon="cross" label={words.value.edge.close} onClick={() => (notice.value = null)} />
        </div>
      )}
    </div>
  );
}

export function Broken() {
  return (
    <main class="empty">
      <p>{words.value.edge.wrong}</p>
      <Button class="primary" onClick={() => location.reload()}>
        {words.value.edge.reload}
      </Button>
    </main>
  );
}
