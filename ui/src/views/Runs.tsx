/** All runs with their live state; two can be chosen and compared. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as server from "../api/server";
import type { Run } from "../api/types";
import { formatCost } from "../compute/figures";
import { clip } from "../compute/rows";
import { conditionOf } from "../compute/status";
import { Skeleton } from "../parts/Skeleton";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { State } from "../parts/State";
import { PageHead } from "../parts/PageHead";
import { go } from "../state/route";
import { attempt } from "../state/session";
import { recent } from "../state/conversations";
import { loopName, formatMoment, words } from "../words";

const STATES = ["", "running", "awaiting_input", "awaiting_approval", "paused", "queued", "ended"] as const;

export function Runs() {
  const texts = words.value.runs;
  const text = useSignal("");
  const state = useSignal("");
  const list = useSignal<Run[] | null>(null);
  const next = useSignal<string | null>(null);
  const picked = useSignal<string[]>([]);
  const read = async (before?: string) => {
    const page = await attempt(() => server.runs({ text: text.value, state: state.value, ...(before ? { before } : {}), limit: 50 }));
    if (!page) return;
    list.value = before ? [...(list.value ?? []), ...page.items] : page.items;
    next.value = page.next ?? null;
  };
  useEffect(() => void read(), [text.value, state.value]);
  const shown = mergeLatest(list.value ?? [], recent.value, !text.value && !state.value);
  const toggle = (id: string) =>
    (picked.value = picked.value.includes(id) ? picked.value.filter((each) => each !== id) : [...picked.value, id].slice(-2));
  return (
    <main class="page" id="main">
      <PageHead title={texts.head}>
        <Button icon="list" disabled={picked.value.length !== 2} title={texts.compareHint} onClick={() => go(`/compare/${picked.value.join("/")}`)}>
          {texts.compare}
        </Button>
      </PageHead>
      <div class="filters">
        <label class="find">
          <Icon name="search" size={14} />
          <input type="search" aria-label={texts.search} placeholder={texts.search} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
        </label>
        <select aria-label={texts.state} value={state.value} onChange={(event) => (state.value = event.currentTarget.value)}>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {each === "" ? texts.any : each === "ended" ? texts.ended : words.value.condition[conditionOf(each, null)]}
            </option>
          ))}
        </select>
      </div>
      {!list.value && <Skeleton />}
      {list.value && !shown.length && <p class="hint">{text.value || state.value ? texts.nothing : texts.none}</p>}
      {shown.length > 0 && (
        <ul class="runlist">
          {shown.map((run) => (
            <Line key={run.id} run={run} on={picked.value.includes(run.id)} onPick={() => toggle(run.id)} />
          ))}
        </ul>
      )}
      {next.value && <Button onClick={() => void read(next.value ?? undefined)}>{texts.more}</Button>}
    </main>
  );
}

/** The list, with the changes of its runs since it was read. */
function mergeLatest(list: readonly Run[], latest: readonly Run[], all: boolean): Run[] {
  const newer = new Map(latest.map((run) => [run.id, run]));
  const known = new Set(list.map((run) => run.id));
  const added = all && list.length ? latest.filter((run) => !known.has(run.id) && run.created > (list[0]?.created ?? "")) : [];
  return [...added, ...list.map((run) => newer.get(run.id) ?? run)];
}

function Line({ run, on, onPick }: { run: Run; on: boolean; onPick: () => void }) {
  const texts = words.value;
  const facts = [loopName(run.loop), formatMoment(run.created), formatCost(run.usage, texts)];
  return (
    <li class="runline">
      <input type="checkbox" aria-label={texts.runs.pick(clip(run.task, 60))} checked={on} onChange={onPick} />
      <a href={`/runs/${run.id}`}>
        <span class="task clip">{run.task}</span>
        <span class="facts">{facts.join(" · ")}</span>
      </a>
      <State of={conditionOf(run.state, run.outcome)} />
    </li>
  );
}
