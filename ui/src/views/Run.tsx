/** One run: its steps, a slider over its journal, its files; also while it is running. */
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import * as server from "../api/server";
import { Failure } from "../api/http";
import type { Event, Run } from "../api/types";
import { formatBytes, formatCost, count } from "../compute/figures";
import { isUnfinished, conditionOf } from "../compute/status";
import type { RunState } from "../compute/runState";
import { Skeleton } from "../parts/Skeleton";
import { Button } from "../parts/Button";
import { Confirm } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { Markdown } from "../parts/Markdown";
import { Menu } from "../parts/Menu";
import { State } from "../parts/State";
import { feed } from "../state/runEvents";
import { go } from "../state/route";
import { attempt } from "../state/session";
import { addStartedRun } from "../state/conversations";
import { formatDuration, loopName, formatMoment, words } from "../words";
import { AuditDialog } from "./Audit";
import { Banner } from "./Banner";
import { DataTable } from "./DataTable";
import { Replay } from "./Replay";
import { RunExports } from "./RunExports";
import { Timeline } from "./Timeline";
import { RunFailure } from "./RunFailure";
import { Sources } from "./Turn";

export function RunPage({ id }: { id: string }) {
  const texts = words.value.runs;
  const run = useSignal<Run | null>(null);
  const lost = useSignal(false);
  // The events are requested at the same time as the record, not after it.
  feed(id);
  useEffect(() => {
    server.run(id).then(
      (found) => (run.value = found),
      (error) => (lost.value = error instanceof Failure && error.status === 404),
    );
  }, [id]);
  if (lost.value)
    return (
      <main class="page" id="main">
        <p class="hint">{texts.lost}</p>
      </main>
    );
  if (!run.value)
    return (
      <main class="page" id="main">
        <Skeleton />
      </main>
    );
  return <Body run={run.value} />;
}

function Body({ run }: { run: Run }) {
  const texts = words.value;
  const runState = feed(run.id).runState.value;
  const state = conditionOf(runState.last ? runState.state : run.state, runState.outcome ?? run.outcome);
  const [replaying, setReplaying] = useState(false);
  const [journal, setJournal] = useState<Event[]>([]);
  const open = async () => {
    if (!replaying) setJournal((await attempt(() => server.journal(run.id))) ?? []);
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
            <State of={state} /> {[loopName(runState.chosen || run.loop), formatMoment(run.created)].join(" · ")}
          </p>
        </div>
        <Actions run={run} runState={runState} live={isUnfinished(state)} />
      </header>
      <Figures runState={runState} />
      {runState.error && <RunFailure runState={runState} />}
      {runState.asked && <Banner run={run.id} />}
      <Answers runState={runState} />
      {runState.data.length > 0 && <DataTable run={run} runState={runState} />}
      <div class="split">
        <h2>{texts.run.truncated}</h2>
        {!isUnfinished(state) && runState.last > 0 && (
          <Button icon={replaying ? "cross" : "play"} aria-pressed={replaying} onClick={() => void open()}>
            {texts.runs.replay}
          </Button>
        )}
      </div>
      {replaying && journal.length > 0 ? <Replay run={run.id} journal={journal} /> : <Timeline runState={runState} run={run.id} whole />}
      <Files runState={runState} run={run.id} />
    </main>
  );
}

function Answers({ runState }: { runState: RunState }) {
  const said = runState.said.filter((each) => each.role === "assistant");
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

export function Figures({ runState }: { runState: RunState }) {
  const texts = words.value;
  const used = runState.usage;
  const figures: [string, string][] = [
    [texts.runs.time, formatDuration(runState.seconds)],
    [texts.runs.steps, String(runState.steps)],
    [texts.runs.tokens, count(used.input + used.output)],
    [texts.runs.cost, formatCost(used, texts)],
    [texts.runs.model, runState.model.split("/").at(-1) || texts.unknown],
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

function Actions({ run, runState, live }: { run: Run; runState: RunState; live: boolean }) {
  const texts = words.value;
  const [asking, setAsking] = useState<"" | "remove" | "audit">("");
  const again = async () => {
    const next = await attempt(() => server.forkRun(run.id));
    if (!next) return;
    addStartedRun(next);
    go(`/runs/${next.id}`);
  };
  const remove = async () => {
    await attempt(() => server.remove(run.id));
    go("/runs");
  };
  return (
    <div class="actions">
      {live ? (
        <button type="button" class="stop" onClick={() => void attempt(() => server.tell(run.id, "stop"))}>
          <Icon name="stop" size={14} /> {texts.compose.stop}
        </button>
      ) : (
        <Button icon="reload" onClick={() => void again()}>
          {texts.runs.again}
        </Button>
      )}
      <a class="button" href={`/c/${run.conversation}`}>
        <Icon name="pen" />
        <span>{texts.runs.talk}</span>
      </a>
      <Menu label={texts.nav.more} icon="more" align="right" below>
        {(close) => (
          <>
            <RunExports run={run} runState={runState} close={close} />
            <Button icon="eye" onClick={() => (close(), setAsking("audit"))}>
              {texts.audit.head}
            </Button>
            <Button icon="trash" onClick={() => (close(), setAsking("remove"))}>
              {texts.runs.remove}
            </Button>
          </>
        )}
      </Menu>
      {asking === "remove" && <Confirm title={texts.runs.removeHead} text={texts.runs.removeText} onYes={() => void remove()} onClose={() => setAsking("")} />}
      {asking === "audit" && <AuditDialog run={run.id} onClose={() => setAsking("")} />}
    </div>
  );
}

function Files({ runState, run }: { runState: RunState; run: string }) {
  const files = runState.files.filter((each) => !each.frame);
  if (!files.length) return null;
  return (
    <section>
      <h2>{words.value.runs.files}</h2>
      <ul class="files">
        {files.map((each) => (
          <li key={each.seq}>
            <a href={server.file(run, each.name)} download>
              <Icon name="save" size={14} /> <span class="clip">{each.name.split("/").at(-1)}</span>
            </a>
            <span class="facts">{formatBytes(each.size)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

