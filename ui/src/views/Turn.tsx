/** One run in a conversation: what the person said, what was done, what was answered. */
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import * as server from "../api/server";
import type { Run } from "../api/types";
import { formatCost } from "../compute/figures";
import { findLargerModel, listOthers } from "../compute/models";
import { major } from "../compute/rows";
import { isUnfinished, conditionOf } from "../compute/status";
import type { Said, Source, RunState } from "../compute/runState";
import { Button, IconButton } from "../parts/Button";
import { Copy } from "../parts/Copy";
import { Icon } from "../parts/Icon";
import { Markdown } from "../parts/Markdown";
import { Menu } from "../parts/Menu";
import { State } from "../parts/State";
import { feed, hold } from "../state/runEvents";
import { attempt } from "../state/session";
import { addStartedRun } from "../state/conversations";
import { messageExtras, noModelReady, models } from "../state/composer";
import { formatDuration, loopName, formatMoment, words } from "../words";
import { DataTable } from "./DataTable";
import { RunExports } from "./RunExports";
import { Timeline } from "./Timeline";
import { RunFailure } from "./RunFailure";
import { Pictures } from "./Step";

/** A message that would fill the screen is cut, and shown whole on request. */
const LONG = 900;
const LINES = 14;

export function Turn({ run }: { run: Run }) {
  const { runState, link } = feed(run.id);
  useLayoutEffect(() => hold(run.id), [run.id]);
  const texts = runState.value;
  const [asked, ...answers] = split(texts, run);
  const live = texts.state !== "ended" && link.value !== "over";
  const next = findLargerModel(models.value, texts.model);
  return (
    <article class="turn" aria-label={asked?.text.slice(0, 80)}>
      {asked && <PersonMessage said={asked} run={run} live={live} />}
      <Work runState={texts} run={run} />
      {answers.map((said, at) => (
        <AgentMessage key={said.seq} said={said} run={run} runState={texts} last={at === answers.length - 1} />
      ))}
      {texts.data.length > 0 && <DataTable run={run} runState={texts} />}
      {texts.draft && <Draft draft={texts.draft} live={live} />}
      {link.value === "lost" && <p class="warn line-note">{words.value.conversation.reconnecting}</p>}
      {texts.state === "ended" && texts.error && (
        <RunFailure runState={texts}>
          {noModelReady.value && (
            <a class="button primary" href="/welcome">
              {words.value.conversation.getModel}
            </a>
          )}
          {next && (
            <Button class="primary" aria-keyshortcuts="g" onClick={() => void redo(run, "", next.name)}>
              {words.value.conversation.goOnWith(next.name)} <kbd>g</kbd>
            </Button>
          )}
          <Button icon="reload" onClick={() => void redo(run)}>
            {answers.some((said) => said.role === "assistant") ? words.value.conversation.goOn : words.value.conversation.again}
          </Button>
        </RunFailure>
      )}
    </article>
  );
}

/** The person's message first; before the journal is read, the task stands in for it. */
function split(runState: RunState, run: Run): Said[] {
  if (runState.said.length) return runState.said;
  return [{ seq: 0, role: "user", text: run.task, files: [], pictures: [], drawn: [], sources: [], at: run.created }];
}

async function redo(run: Run, task = "", model = ""): Promise<void> {
  const beside = messageExtras.value;
  const next = await attempt(async () => {
    // Where the side panel works in a tab, that tab is handed over first.
    if (beside?.always && run.loop !== "chat") await beside.prepare(run.conversation);
    return server.forkRun(run.id, { ...(task ? { task } : {}), ...(model ? { model } : {}) });
  });
  if (next) addStartedRun(next);
}

function PersonMessage({ said, run, live }: { said: Said; run: Run; live: boolean }) {
  const [text, setText] = useState<string | null>(null);
  const [whole, setWhole] = useState(false);
  const texts = words.value.conversation;
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
        <textarea aria-label={texts.edit} value={text} rows={3} onInput={(event) => setText(event.currentTarget.value)} />
        <footer>
          <Button onClick={() => setText(null)}>{texts.cancel}</Button>
          <Button type="submit" class="primary">
            {texts.save}
          </Button>
        </footer>
      </form>
    );
  return (
    <section class="said mine" aria-label={texts.you}>
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
        <img key={at} src={`data:${picture.media};base64,${picture.data}`} alt={texts.picture} />
      ))}
      {!live && (
        <div class="tools">
          <IconButton icon="pen" label={texts.edit} onClick={() => setText(said.text)} />
          <Copy text={said.text} />
        </div>
      )}
    </section>
  );
}

function AgentMessage({ said, run, runState, last }: { said: Said; run: Run; runState: RunState; last: boolean }) {
  const texts = words.value.conversation;
  if (said.role === "user") return <PersonMessage said={said} run={run} live />;
  return (
    <section class="said theirs" aria-label={texts.fish}>
      <Markdown text={said.text} />
      {said.drawn.length > 0 && <Pictures run={run.id} names={said.drawn} />}
      {said.sources.length > 0 && <Sources sources={said.sources} />}
      {last && runState.state === "ended" && (
        <div class="tools">
          <Copy text={said.text} />
          <IconButton icon="reload" label={texts.again} onClick={() => void redo(run)} />
          <Menu label={texts.more} icon="more" below>
            {(close) => (
              <>
                {listOthers(models.value, runState.model).map((name) => (
                  <Button key={name} icon="reload" onClick={() => (close(), void redo(run, "", name))}>
                    {texts.againWith(name.split("/").at(-1) ?? name)}
                  </Button>
                ))}
                <RunExports run={run} runState={runState} close={close} />
              </>
            )}
          </Menu>
          <span class="facts">
            {[formatMoment(said.at), formatDuration(runState.seconds), formatCost(runState.usage, words.value), runState.model.split("/").at(-1)].filter(Boolean).join(" · ")}
          </span>
        </div>
      )}
    </section>
  );
}

function Draft({ draft, live }: { draft: NonNullable<RunState["draft"]>; live: boolean }) {
  const texts = words.value;
  return (
    <section class="said theirs draft" aria-label={texts.conversation.fish} aria-busy={live}>
      {draft.thinking && (
        <details>
          <summary>{texts.run.thinking}</summary>
          <p class="thinking">{draft.thinking}</p>
        </details>
      )}
      {draft.text && <Markdown text={draft.text} />}
    </section>
  );
}

export function Sources({ sources }: { sources: Source[] }) {
  return (
    <ol class="sources" aria-label={words.value.conversation.sources}>
      {sources.map((source, at) => (
        <li key={at} id={`source-${at + 1}`}>
          <a href={/^https?:/.test(source.url) ? source.url : undefined} target="_blank" rel="noopener noreferrer nofollow">
            <span class="number">{at + 1}</span>
            <span class="clip">{source.title || source.url}</span>
            <span class="host clip">{siteOf(source.url)}</span>
          </a>
        </li>
      ))}
    </ol>
  );
}

function siteOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

/** The line between question and answer: state, mode, steps, time, money; opening to the steps. */
function Work({ runState, run }: { runState: RunState; run: Run }) {
  const state = conditionOf(runState.last ? runState.state : run.state, runState.outcome ?? run.outcome);
  const live = isUnfinished(state);
  const telling = runState.plan.length > 0 || major(runState.rows).some((row) => !row.minor);
  const [open, setOpen] = useState<boolean | null>(null);
  const shown = open ?? (live && telling);
  const texts = words.value.run;
  useEffect(() => {
    // What was open while it worked stays open: nothing moves under the reader.
    if (live && telling && open === null) setOpen(true);
  }, [live, telling]);
  const steps = runState.limit && live ? texts.stepOf(runState.steps, runState.limit) : runState.steps ? texts.steps(runState.steps) : "";
  const facts = [runState.cause ? texts.causes[runState.cause] : loopName(runState.chosen || runState.loop || run.loop), steps].filter(Boolean);
  return (
    <div class="work">
      <div class="head">
        <button type="button" class="fold" aria-expanded={shown} title={shown ? texts.hide : texts.show} onClick={() => setOpen(!shown)}>
          <Icon name={shown ? "down" : "right"} size={12} />
          <State of={state} />
          <span class="facts clip">{facts.join(" · ")}</span>
          {live ? <Clock since={runState.began || run.created} /> : <span class="facts">· {formatDuration(runState.seconds)} · {formatCost(runState.usage, words.value)}</span>}
          <span class="unseen">{shown ? texts.hide : texts.show}</span>
        </button>
        <a class="quiet" href={`/runs/${run.id}`} title={texts.page} aria-label={texts.page}>
          <Icon name="forward" size={14} />
        </a>
      </div>
      {shown && <Timeline runState={runState} run={run.id} />}
    </div>
  );
}

export function Clock({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span class="facts">· {formatDuration(Math.max(0, Math.round((now - Date.parse(since)) / 1000)))}</span>;
}
