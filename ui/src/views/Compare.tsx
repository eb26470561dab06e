/** Two runs side by side. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as server from "../api/server";
import type { Run } from "../api/types";
import { conditionOf } from "../compute/status";
import { Markdown } from "../parts/Markdown";
import { State } from "../parts/State";
import { PageHead } from "../parts/PageHead";
import { feed } from "../state/runEvents";
import { attempt } from "../state/session";
import { loopName, formatMoment, words } from "../words";
import { Figures } from "./Run";
import { Timeline } from "./Timeline";
import { RunFailure } from "./RunFailure";

export function Compare({ one, two }: { one: string; two: string }) {
  return (
    <main class="page" id="main">
      <PageHead title={words.value.runs.compare} />
      <div class="pair">
        <Side key={one} id={one} number={1} />
        <Side key={two} id={two} number={2} />
      </div>
    </main>
  );
}

function Side({ id, number }: { id: string; number: number }) {
  const run = useSignal<Run | null>(null);
  useEffect(() => void attempt(() => server.run(id)).then((found) => (run.value = found ?? null)), [id]);
  const record = run.value;
  if (!record) return <section aria-busy="true" />;
  const runState = feed(id).runState.value;
  return (
    <section aria-label={`${number}. ${record.task}`}>
      <h2>
        <a href={`/runs/${id}`}>{record.task}</a>
      </h2>
      <p class="facts">
        <State of={conditionOf(runState.last ? runState.state : record.state, runState.outcome ?? record.outcome)} />{" "}
        {[loopName(runState.chosen || record.loop), formatMoment(record.created)].join(" · ")}
      </p>
      <Figures runState={runState} />
      {runState.said
        .filter((said) => said.role === "assistant")
        .slice(-1)
        .map((said) => (
          <Markdown key={said.seq} text={said.text} />
        ))}
      {runState.error && <RunFailure runState={runState} />}
      <Timeline runState={runState} run={id} />
    </section>
  );
}
