/** One run in a conversation: what the person said, what was done, what was answered. */
import { useEffect, useState } from "preact/hooks";
import * as fish from "../api/fish";
import type { Run } from "../api/types";
import { cost } from "../fold/figures";
import { major } from "../fold/rows";
import { busy, condition } from "../fold/status";
import type { Said, Source, Story } from "../fold/story";
import { Button, IconButton } from "../parts/Button";
import { Copy } from "../parts/Copy";
import { Icon } from "../parts/Icon";
import { Markdown } from "../parts/Markdown";
import { Menu } from "../parts/Menu";
import { State } from "../parts/State";
import { feed } from "../state/feeds";
import { attempt } from "../state/session";
import { begun } from "../state/talks";
import { lacking } from "../state/wish";
import { lasting, loopName, when, words } from "../words";
import { Taking } from "./Taking";
import { Timeline } from "./Timeline";
import { Trouble } from "./Trouble";

/** A message that would fill the screen is cut, and shown whole on request. */
const LONG = 900;
const LINES = 14;

export function Turn({ run }: { run: Run }) {
  const { story, link } = feed(run.id);
  const told = story.value;
  const [asked, ...answers] = split(told, run);
  const live = told.state !== "ended" && link.value !== "over";
  return (
    <article class="turn" aria-label={asked?.text.slice(0, 80)}>
      {asked && <Mine said={asked} run={run} live={live} />}
      <Work story={told} run={run} />
      {answers.map((said, at) => (
        <Theirs key={said.seq} said={said} run={run} story={told} last={at === answers.length - 1} />
      ))}
      {told.draft && <Draft draft={told.draft} live={live} />}
      {link.value === "lost" && <p class="warn line-note">{words.value.talk.reconnecting}</p>}
      {told.state === "ended" && told.error && (
        <Trouble story={told}>
          {lacking.value && (
            <a class="button primary" href="/welcome">
              {words.value.talk.getModel}
            </a>
          )}
          <Button icon="reload" onClick={() => void redo(run)}>
            {words.value.talk.again}
          </Button>
        </Trouble>
      )}
    </article>
  );
}

/** The person's message first; before the journal is read, the task stands in for it. */
function split(story: Story, run: Run): Said[] {
  if (story.said.length) return story.said;
  return [{ seq: 0, role: "user", text: run.task, files: [], pictures: [], sources: [], at: run.created }];
}

async function redo(run: Run, task = ""): Promise<void> {
  const next = await attempt(() => fish.again(run.id, task ? { task } : {}));
  if (next) begun(next);
}

function Mine({ said, run, live }: { said: Said; run: Run; live: boolean }) {
  const [text, setText] = useState<string | null>(null);
  const [whole, setWhole] = useState(false);
  const told = words.value.talk;
  const long = said.text.length > LONG || said.text.split("\n").length > LINES;
  if (text !== null)
    return (
      <form
        class="said mine editing"
        onSubmit={(event) => {
          event.preventDefault();
          setText(null);
          void redo(run, text);
        }}
      >
        <textarea aria-label={told.edit} value={text} rows={3} onInput={(event) => setText(event.currentTarget.value)} />
        <footer>
          <Button onClick={() => setText(null)}>{told.cancel}</Button>
          <Button type="submit" class="primary">
            {told.save}
          </Button>
        </footer>
      </form>
    );
  return (
    <section class="said mine" aria-label={told.you}>
      <div class={`words ${long && !whole ? "cut" : ""}`}>{said.text}</div>
      {long && (
        <button type="button" class="quiet" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? words.value.run.fewer : words.value.run.all}
        </button>
      )}
      {said.files.length > 0 && (
        <ul class="attached">
          {said.files.map((name) => (
            <li key={name}>
              <Icon name="page" size={14} /> <span class="clip">{name}</span>
            </li>
          ))}
        </ul>
      )}
      {said.pictures.map((picture, at) => (
        <img key={at} src={`data:${picture.media};base64,${picture.data}`} alt={told.picture} />
      ))}
      {!live && (
        <div class="tools">
          <IconButton icon="pen" label={told.edit} onClick={() => setText(said.text)} />
          <Copy text={said.text} />
        </div>
      )}
    </section>
  );
}

function Theirs({ said, run, story, last }: { said: Said; run: Run; story: Story; last: boolean }) {
  const told = words.value.talk;
  if (said.role === "user") return <Mine said={said} run={run} live />;
  return (
    <section class="said theirs" aria-label={told.fish}>
      <Markdown text={said.text} />
      {said.sources.length > 0 && <Sources sources={said.sources} />}
      {last && story.state === "ended" && (
        <div class="tools">
          <Copy text={said.text} />
          <IconButton icon="reload" label={told.again} onClick={() => void redo(run)} />
          <Menu label={told.more} icon="more" below>
            {(close) => <Taking run={run} story={story} close={close} />}
          </Menu>
          <span class="facts">
            {[when(said.at), lasting(story.seconds), cost(story.usage, words.value), story.model.split("/").at(-1)].filter(Boolean).join(" · ")}
          </span>
        </div>
      )}
    </section>
  );
}

function Draft({ draft, live }: { draft: NonNullable<Story["draft"]>; live: boolean }) {
  const told = words.value;
  return (
    <section class="said theirs draft" aria-label={told.talk.fish} aria-busy={live}>
      {draft.thinking && (
        <details>
          <summary>{told.run.thinking}</summary>
          <p class="thinking">{draft.thinking}</p>
        </details>
      )}
      {draft.text && <Markdown text={draft.text} />}
    </section>
  );
}

export function Sources({ sources }: { sources: Source[] }) {
  return (
    <ol class="sources" aria-label={words.value.talk.sources}>
      {sources.map((source, at) => (
        <li key={at} id={`source-${at + 1}`}>
          <a href={/^https?:/.test(source.url) ? source.url : undefined} target="_blank" rel="noopener noreferrer nofollow">
            <span class="number">{at + 1}</span>
            <span class="clip">{source.title || source.url}</span>
            <span class="host clip">{site(source.url)}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}

function site(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** The line between question and answer: state, mode, steps, time, money; opening to the steps. */
function Work({ story, run }: { story: Story; run: Run }) {
  const state = condition(story.last ? story.state : run.state, story.outcome ?? run.outcome);
  const live = busy(state);
  const telling = story.plan.length > 0 || major(story.rows).some((row) => !row.minor);
  const [open, setOpen] = useState<boolean | null>(null);
  const shown = open ?? (live && telling);
  const told = words.value.run;
  useEffect(() => {
    // What was open while it worked stays open: nothing moves under the reader.
    if (live && telling && open === null) setOpen(true);
  }, [live, telling]);
  const steps = story.limit && live ? told.stepOf(story.steps, story.limit) : story.steps ? told.steps(story.steps) : "";
  const facts = [loopName(story.chosen || story.loop || run.loop), steps].filter(Boolean);
  return (
    <div class="work">
      <div class="head">
        <button type="button" class="fold" aria-expanded={shown} title={shown ? told.hide : told.show} onClick={() => setOpen(!shown)}>
          <Icon name={shown ? "down" : "right"} size={12} />
          <State of={state} />
          <span class="facts clip">{facts.join(" · ")}</span>
          {live ? <Clock since={story.began || run.created} /> : <span class="facts">· {lasting(story.seconds)} · {cost(story.usage, words.value)}</span>}
          <span class="unseen">{shown ? told.hide : told.show}</span>
        </button>
        <a class="quiet" href={`/runs/${run.id}`} title={told.page} aria-label={told.page}>
          <Icon name="forward" size={14} />
        </a>
      </div>
      {shown && <Timeline story={story} run={run.id} />}
    </div>
  );
}

export function Clock({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="facts">· {lasting(Math.max(0, Math.round((now - Date.parse(since)) / 1000)))}</span>;
}
