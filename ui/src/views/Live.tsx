/** The live view of the agent's browser; a touch takes it over. */
import { useEffect, useRef, useState } from "preact/hooks";
import * as server from "../api/server";
import { host, dropElementNumbers } from "../compute/rows";
import { Button, IconButton } from "../parts/Button";
import { Favicon } from "../parts/Favicon";
import { Icon } from "../parts/Icon";
import { feed } from "../state/runEvents";
import * as live from "../state/live";
import { go } from "../state/route";
import { attempt } from "../state/session";
import { current, opened } from "../state/conversations";
import { active } from "../state/composer";
import { words } from "../words";
import { native, writeSentence } from "../words/sentences";
import { PageTools } from "./PageTools";
import { Screen } from "./Screen";

export function Live() {
  const texts = words.value.live;
  const box = useRef<HTMLElement>(null);
  const [full, setFull] = useState(false);
  useEffect(() => {
    const watch = () => setFull(document.fullscreenElement === box.current);
    document.addEventListener("fullscreenchange", watch);
    return () => document.removeEventListener("fullscreenchange", watch);
  }, []);
  const stretch = () => void (full ? document.exitFullscreen() : box.current?.requestFullscreen());
  return (
    <aside class={`live ${live.personDrives.value ? "yours" : ""}`} aria-label={texts.head} ref={box}>
      <Address full={full} onFull={stretch} />
      {live.tabs.value.length > 0 && <Tabs />}
      {live.connection.value === "none" ? <Nothing /> : <Screen />}
      <Turns />
      <PageTools />
      <Latest />
    </aside>
  );
}

function Address({ full, onFull }: { full: boolean; onFull: () => void }) {
  const texts = words.value.live;
  const tab = live.front.value;
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (tab && tab.url !== "about:blank" ? tab.url : "");
  return (
    <form
      class="address"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed?.trim()) void visit(typed.trim());
        setTyped(null);
      }}
    >
      <IconButton icon="back" label={texts.back} disabled={!tab} onClick={() => void live.move("back")} />
      <IconButton icon="forward" label={texts.forward} disabled={!tab} onClick={() => void live.move("forward")} />
      <IconButton icon="reload" label={texts.reload} disabled={!tab} onClick={() => void live.move("reload")} />
      <input
        aria-label={texts.address}
        placeholder={texts.address}
        value={shown}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
      <IconButton icon={live.frozen.value ? "play" : "snow"} label={live.frozen.value ? texts.follow : texts.freeze} disabled={!tab} aria-pressed={live.frozen.value} onClick={() => (live.frozen.value = !live.frozen.value)} />
      <IconButton icon="full" label={full ? texts.small : texts.full} class="wide-only" onClick={onFull} />
    </form>
  );
}

/** Before there is a conversation, opening a page begins one. */
async function visit(url: string): Promise<void> {
  if (!opened.value) {
    const made = await attempt(() => server.open(host(url)));
    if (!made) return;
    go(`/c/${made.id}`);
  }
  await live.move(url);
}

function Tabs() {
  const texts = words.value.live;
  const list = useRef<HTMLUListElement>(null);
  const shown = live.front.value?.id;
  useEffect(() => list.current?.querySelector(".active")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [shown, live.tabs.value.length]);
  return (
    <ul class="tablist" aria-label={texts.tabs} ref={list}>
      {live.tabs.value.map((tab) => (
        <li key={tab.id} class={tab.active ? "active" : ""}>
          <button type="button" aria-current={tab.active ? "true" : undefined} onClick={() => void live.select(tab.id)} title={tab.url}>
            <Favicon tab={tab} />
            <span class="clip">{tab.title || texts.blank}</span>
          </button>
          <IconButton icon="cross" label={texts.close(tab.title || texts.blank)} onClick={() => void live.closeTab(tab.id)} />
        </li>
      ))}
    </ul>
  );
}

async function practise(): Promise<void> {
  const site = await attempt(server.practice);
  if (site) await visit(site.url);
}

function Nothing() {
  const texts = words.value.live;
  return (
    <div class="nothing">
      <Icon name="globe" size={28} />
      <p>
        <strong>{texts.none}</strong>
      </p>
      <p>{texts.noneHint}</p>
      <Button onClick={() => void practise()}>{words.value.welcome.siteOpen}</Button>
    </div>
  );
}

/** The step that is being done this moment, in its own words. */
function describeStep(): string {
  const run = active.value;
  const row = run ? feed(run.id).runState.value.rows.findLast((each) => each.status === "working") : undefined;
  return row ? writeSentence(row) : "";
}

/** What the last action did to the page, in the words of its report. */
function Latest() {
  const run = current.value;
  const rows = run ? feed(run.id).runState.value.rows : [];
  const row = rows.findLast((each) => each.badge === "act" && each.key.startsWith("t") && each.status !== "working");
  const report = row?.details.find((detail) => detail.name === "output" || detail.name === "error")?.value ?? "";
  if (!row || live.connection.value === "none") return null;
  // The report's first paragraph says what changed; the page as the model reads it follows.
  const brief = dropElementNumbers(report.split("\n\n")[0] ?? "")
    .split("\n")
    .filter((line) => line.replace(/\.$/, "") !== row.text)
    .join("\n");
  return (
    <section class="latest" aria-label={words.value.live.latest}>
      <h2>{words.value.live.latest}</h2>
      <p>{writeSentence(row)}</p>
      {brief && native.value && <p class="facts">{brief}</p>}
    </section>
  );
}

/** Whether the agent or the person controls the browser. A run pauses between two steps, not within one. */
function turn(): string {
  const texts = words.value.live;
  if (!live.personDrives.value) return describeStep() || texts.watch;
  const run = active.value;
  return !run ? texts.alone : feed(run.id).runState.value.state === "paused" ? texts.yours : texts.pausing;
}

/** For those without keys: what is written here goes to the page, as if pasted. */
function Typing() {
  const [text, setText] = useState("");
  const texts = words.value.live;
  return (
    <form
      class="typing"
      onSubmit={(event) => {
        event.preventDefault();
        if (text) live.send({ type: "paste", text });
        setText("");
      }}
    >
      <input aria-label={texts.typing} placeholder={texts.typing} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <Button type="submit" disabled={!text}>
        {texts.enter}
      </Button>
    </form>
  );
}

function Turns() {
  const texts = words.value.live;
  if (live.connection.value === "none") return null;
  const mine = live.personDrives.value;
  return (
    <footer class="turns" aria-live="polite">
      {mine && <Typing />}
      <span class="clip" title={mine ? texts.leave : undefined}>{live.problem.value || (live.connection.value === "lost" ? texts.lost : turn())}</span>
      <Button icon={mine ? "check" : "hand"} class={mine ? "primary" : ""} onClick={() => live.send({ type: mine ? "hand_back" : "take_over" })}>
        {mine ? texts.give : texts.take}
      </Button>
    </footer>
  );
}
