/** One run: its story, a slider over its journal, its files; also while it is still going on. */
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as fish from "../api/fish";
import { Failure } from "../api/http";
import type { Event, Run } from "../api/types";
import { bytes, cost, count } from "../fold/figures";
import { busy, condition } from "../fold/status";
import type { Story } from "../fold/story";
import { Bones } from "../parts/Bones";
import { Button } from "../parts/Button";
import { Confirm } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { Markdown } from "../parts/Markdown";
import { Menu } from "../parts/Menu";
import { State } from "../parts/State";
import { feed } from "../state/feeds";
import { go } from "../state/place";
import { attempt } from "../state/session";
import { begun } from "../state/talks";
import { lasting, loopName, when, words } from "../words";
import { AuditDialog } from "./Audit";
import { Banner } from "./Banner";
import { Replay } from "./Replay";
import { Taking } from "./Taking";
import { Timeline } from "./Timeline";
import { Trouble } from "./Trouble";
import { Sources } from "./Turn";

export function RunPage({ id }: { id: string }) {
  const told = words.value.runs;
  const run = useSignal<Run | null>(null);
  const lost = useSignal(false);
  // The story is asked for at the same time as the record, not after it.
  feed(id);
  useEffect(() => {
    fish.run(id).then(
      (found) => (run.value = found),
      (error) => (lost.value = error instanceof Failure && error.status === 404),
    );
  }, [id]);
  if (lost.value)
    return (
      <main class="page" id="main">
        <p class="hint">{told.lost}</p>
      </main>
    );
  if (!run.value)
    return (
      <main class="page" id="main">
        <Bones />
      </main>
    );
  return <Body run={run.value} />;
}

function Body({ run }: { run: Run }) {
  const told = words.value;
  const story = feed(run.id).story.value;
  const state = condition(story.last ? story.state : run.state, story.outcome ?? run.outcome);
  const [replaying, setReplaying] = useState(false);
  const [journal, setJournal] = useState<Event[]>([]);
  const open = async () => {
    if (!replaying) setJournal((await attempt(() => fish.journal(run.id))) ?? []);
    setReplaying(!replaying);
  };
  return (
    <main class="page run" id="main">
      <header class="pagehead">
        <div>
          <h1 class="task" title={run.task}>
            {run.task}
          </h1>
          <p class="facts">
            <State of={state} /> {[loopName(story.chosen || run.loop), when(run.created)].join(" · ")}
          </p>
        </div>
        <Actions run={run} story={story} live={busy(state)} />
      </header>
      <Figures story={story} />
      {story.error && <Trouble story={story} />}
      {story.asked && <Banner run={run.id} />}
      <Answers story={story} />
      <div class="split">
        <h2>{told.run.truncated}</h2>
        {!busy(state) && story.last > 0 && (
          <Button icon={replaying ? "cross" : "play"} aria-pressed={replaying} onClick={() => void open()}>
            {told.runs.replay}
          </Button>
        )}
      </div>
      {replaying && journal.length > 0 ? <Replay run={run.id} journal={journal} /> : <Timeline story={story} run={run.id} whole />}
      <Files story={story} run={run.id} />
    </main>
  );
}

function Answers({ story }: { story: Story }) {
  const said = story.said.filter((each) => each.role === "assistant");
  if (!said.length) return null;
  return (
    <section class="answers">
      <h2>{words.value.runs.answer}</h2>
      {said.map((each) => (
        <Fragment key={each.seq}>
          <Markdown text={each.text} />
          {each.sources.length > 0 && <Sources sources={each.sources} />}
        </Fragment>
      ))}
    </section>
  );
}

export function Figures({ story }: { story: Story }) {
  const told = words.value;
  const used = story.usage;
  const figures: [string, string][] = [
    [told.runs.time, lasting(story.seconds)],
    [told.runs.steps, String(story.steps)],
    [told.runs.tokens, count(used.input + used.output)],
    [told.runs.cost, cost(used, told)],
    [told.runs.model, story.model.split("/").at(-1) || told.unknown],
  ];
  return (
    <dl class="figures-row">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="clip" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Actions({ run, story, live }: { run: Run; story: Story; live: boolean }) {
  const told = words.value;
  const [asking, setAsking] = useState<"" | "remove" | "audit">("");
  const again = async () => {
    const next = await attempt(() => fish.again(run.id));
    if (!next) return;
    begun(next);
    go(`/runs/${next.id}`);
  };
  const remove = async () => {
    await attempt(() => fish.remove(run.id));
    go("/runs");
  };
  return (
    <div class="actions">
      {live ? (
        <button type="button" class="stop" onClick={() => void attempt(() => fish.tell(run.id, "stop"))}>
          <Icon name="stop" size={14} /> {told.compose.stop}
        </button>
      ) : (
        <Button icon="reload" onClick={() => void again()}>
          {told.runs.again}
        </Button>
      )}
      <a class="button" href={`/c/${run.conversation}`}>
        <Icon name="pen" />
        <span>{told.runs.talk}</span>
      </a>
      <Menu label={told.nav.more} icon="more" align="right" below>
        {(close) => (
          <>
            <Taking run={run} story={story} close={close} />
            <Button icon="eye" onClick={() => (close(), setAsking("audit"))}>
              {told.audit.head}
            </Button>
            <Button icon="trash" onClick={() => (close(), setAsking("remove"))}>
              {told.runs.remove}
            </Button>
          </>
        )}
      </Menu>
      {asking === "remove" && <Confirm title={told.runs.removeHead} text={told.runs.removeText} onYes={() => void remove()} onClose={() => setAsking("")} />}
      {asking === "audit" && <AuditDialog run={run.id} onClose={() => setAsking("")} />}
    </div>
  );
}

function Files({ story, run }: { story: Story; run: string }) {
  const files = story.files.filter((each) => !each.frame);
  if (!files.length) return null;
  return (
    <section>
      <h2>{words.value.runs.files}</h2>
      <ul class="files">
        {files.map((each) => (
          <li key={each.seq}>
            <a href={fish.file(run, each.name)} download>
              <Icon name="save" size={14} /> <span class="clip">{each.name.split("/").at(-1)}</span>
            </a>
            <span class="facts">{bytes(each.size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

