/** Two runs side by side. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as fish from "../api/fish";
import type { Run } from "../api/types";
import { condition } from "../fold/status";
import { Markdown } from "../parts/Markdown";
import { State } from "../parts/State";
import { feed } from "../state/feeds";
import { attempt } from "../state/session";
import { loopName, when, words } from "../words";
import { Figures } from "./Run";
import { Timeline } from "./Timeline";
import { Trouble } from "./Trouble";

export function Compare({ one, two }: { one: string; two: string }) {
  return (
    <main class="page" id="main">
      <header class="pagehead">
        <h1>{words.value.runs.compare}</h1>
      </header>
      <div class="pair">
        <Side key={one} id={one} number={1} />
        <Side key={two} id={two} number={2} />
      </div>
    </main>
  );
}

function Side({ id, number }: { id: string; number: number }) {
  const run = useSignal<Run | null>(null);
  useEffect(() => void attempt(() => fish.run(id)).then((found) => (run.value = found ?? null)), [id]);
  const record = run.value;
  if (!record) return <section aria-busy="true" />;
  const story = feed(id).story.value;
  return (
    <section aria-label={`${number}. ${record.task}`}>
      <h2>
        <a href={`/runs/${id}`}>{record.task}</a>
      </h2>
      <p class="facts">
        <State of={condition(story.last ? story.state : record.state, story.outcome ?? record.outcome)} />{" "}
        {[loopName(story.chosen || record.loop), when(record.created)].join(" · ")}
      </p>
      <Figures story={story} />
      {story.said
        .filter((said) => said.role === "assistant")
        .slice(-1)
        .map((said) => (
          <Markdown key={said.seq} text={said.text} />
        ))}
      {story.error && <Trouble story={story} />}
      <Timeline story={story} run={id} />
    </section>
  );
}
