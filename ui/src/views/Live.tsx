/** The agent's browser, live; and yours as soon as you touch it. */
import { useEffect, useRef, useState } from "preact/hooks";
import * as fish from "../api/fish";
import { host, nameless } from "../fold/rows";
import { Button, IconButton } from "../parts/Button";
import { Favicon } from "../parts/Favicon";
import { Icon } from "../parts/Icon";
import { feed } from "../state/feeds";
import * as live from "../state/live";
import { go } from "../state/place";
import { attempt } from "../state/session";
import { current, opened } from "../state/talks";
import { active } from "../state/wish";
import { words } from "../words";
import { native, sentence } from "../words/told";
import { Screen } from "./Screen";

export function Live() {
  const told = words.value.live;
  const box = useRef<HTMLElement>(null);
  const [full, setFull] = useState(false);
  useEffect(() => {
    const watch = () => setFull(document.fullscreenElement === box.current);
    document.addEventListener("fullscreenchange", watch);
    return () => document.removeEventListener("fullscreenchange", watch);
  }, []);
  const stretch = () => void (full ? document.exitFullscreen() : box.current?.requestFullscreen());
  return (
    <aside class={`live ${live.yours.value ? "yours" : ""}`} aria-label={told.head} ref={box}>
      <Address full={full} onFull={stretch} />
      {live.tabs.value.length > 0 && <Tabs />}
      {live.sight.value === "none" ? <Nothing /> : <Screen />}
      <Turns />
      <Latest />
    </aside>
  );
}

function Address({ full, onFull }: { full: boolean; onFull: () => void }) {
  const told = words.value.live;
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
      <IconButton icon="back" label={told.back} disabled={!tab} onClick={() => void live.move("back")} />
      <IconButton icon="forward" label={told.forward} disabled={!tab} onClick={() => void live.move("forward")} />
      <IconButton icon="reload" label={told.reload} disabled={!tab} onClick={() => void live.move("reload")} />
      <input
        aria-label={told.address}
        placeholder={told.address}
        value={shown}
        spellcheck={false}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
      <IconButton icon={live.frozen.value ? "play" : "snow"} label={live.frozen.value ? told.follow : told.freeze} disabled={!tab} aria-pressed={live.frozen.value} onClick={() => (live.frozen.value = !live.frozen.value)} />
      <IconButton icon="full" label={full ? told.small : told.full} class="wide-only" onClick={onFull} />
    </form>
  );
}

/** Before there is a conversation, opening a page begins one. */
async function visit(url: string): Promise<void> {
  if (!opened.value) {
    const made = await attempt(() => fish.open(host(url)));
    if (!made) return;
    go(`/c/${made.id}`);
  }
  await live.move(url);
}

function Tabs() {
  const told = words.value.live;
  const list = useRef<HTMLUListElement>(null);
  const shown = live.front.value?.id;
  useEffect(() => list.current?.querySelector(".active")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [shown, live.tabs.value.length]);
  return (
    <ul class="tablist" aria-label={told.tabs} ref={list}>
      {live.tabs.value.map((tab) => (
        <li key={tab.id} class={tab.active ? "active" : ""}>
          <button type="button" aria-current={tab.active ? "true" : undefined} onClick={() => void live.select(tab.id)} title={tab.url}>
            <Favicon tab={tab} />
            <span class="clip">{tab.title || told.blank}</span>
          </button>
          <IconButton icon="cross" label={told.close(tab.title || told.blank)} onClick={() => void live.shut(tab.id)} />
        </li>
      ))}
    </ul>
  );
}

async function practise(): Promise<void> {
  const site = await attempt(fish.practice);
  if (site) await visit(site.url);
}

function Nothing() {
  const told = words.value.live;
  return (
    <div class="nothing">
      <Icon name="globe" size={28} />
      <p>
        <strong>{told.none}</strong>
      </p>
      <p>{told.noneHint}</p>
      <Button onClick={() => void practise()}>{words.value.first.siteOpen}</Button>
    </div>
  );
}

/** The step that is being done this moment, in its own words. */
function doing(): string {
  const run = active.value;
  const row = run ? feed(run.id).story.value.rows.findLast((each) => each.status === "working") : undefined;
  return row ? sentence(row) : "";
}

/** What the last action did to the page, in the words of its report. */
function Latest() {
  const run = current.value;
  const rows = run ? feed(run.id).story.value.rows : [];
  const row = rows.findLast((each) => each.badge === "act" && each.key.startsWith("t") && each.status !== "working");
  const report = row?.details.find((detail) => detail.name === "output" || detail.name === "error")?.value ?? "";
  if (!row || live.sight.value === "none") return null;
  // The report's first paragraph tells what changed; what follows is the page as the model reads it.
  const brief = nameless(report.split("\n\n")[0] ?? "")
    .split("\n")
    .filter((line) => line.replace(/\.$/, "") !== row.text)
    .join("\n");
  return (
    <section class="latest" aria-label={words.value.live.latest}>
      <h2>{words.value.live.latest}</h2>
      <p>{sentence(row)}</p>
      {brief && native.value && <p class="facts">{brief}</p>}
    </section>
  );
}

/** Whose turn it is. A run pauses between two steps, not in the middle of one. */
function turn(): string {
  const told = words.value.live;
  if (!live.yours.value) return doing() || told.watch;
  const run = active.value;
  return !run ? told.alone : feed(run.id).story.value.state === "paused" ? told.yours : told.pausing;
}

/** For those without keys: what is written here goes to the page, as if pasted. */
function Typing() {
  const [text, setText] = useState("");
  const told = words.value.live;
  return (
    <form
      class="typing"
      onSubmit={(event) => {
        event.preventDefault();
        if (text) live.send({ type: "paste", text });
        setText("");
      }}
    >
      <input aria-label={told.typing} placeholder={told.typing} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <Button type="submit" disabled={!text}>
        {told.enter}
      </Button>
    </form>
  );
}

function Turns() {
  const told = words.value.live;
  if (live.sight.value === "none") return null;
  const mine = live.yours.value;
  return (
    <footer class="turns" aria-live="polite">
      {mine && <Typing />}
      <span class="clip" title={mine ? told.leave : undefined}>{live.trouble.value || (live.sight.value === "lost" ? told.lost : turn())}</span>
      <Button icon={mine ? "check" : "hand"} class={mine ? "primary" : ""} onClick={() => live.send({ type: mine ? "hand_back" : "take_over" })}>
        {mine ? told.give : told.take}
      </Button>
    </footer>
  );
}
