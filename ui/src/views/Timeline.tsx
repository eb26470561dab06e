/** The steps of a run. Thinking and reading are folded away by default. */
import { useState } from "preact/hooks";
import { type Row, major } from "../compute/rows";
import type { RunState } from "../compute/runState";
import { Icon } from "../parts/Icon";
import { List } from "../parts/List";
import { words } from "../words";
import { Step } from "./Step";

const MANY = 60;

export function Timeline({ runState, run, whole = false }: { runState: RunState; run: string; whole?: boolean }) {
  const [all, setAll] = useState(whole);
  const texts = words.value.run;
  const rows = all ? runState.rows : major(runState.rows);
  const hidden = runState.rows.length - rows.length;
  const live = runState.state !== "ended";
  const draw = (row: Row) => <Step row={row} run={run} now={live && row.status === "working"} />;
  return (
    <div class="timeline">
      {runState.plan.length > 0 && <Plan items={runState.plan} />}
      {rows.length > MANY ? (
        <List items={rows} name={(row) => row.key} draw={draw} label={texts.truncated} follow={live} />
      ) : (
        <ol class="rows">
          {rows.map((row) => (
            <li key={row.key}>{draw(row)}</li>
          ))}
        </ol>
      )}
      {!whole && (hidden > 0 || all) && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>
          {all ? texts.fewer : `${texts.all} (${runState.rows.length})`}
        </button>
      )}
    </div>
  );
}

export function Plan({ items }: { items: RunState["plan"] }) {
  return (
    <div class="plan">
      <p class="planhead">{words.value.run.plan}</p>
      <ol>
        {items.map((item, at) => (
          <li key={at} class={item.state}>
            <Icon name={item.state === "done" ? "check" : item.state === "failed" ? "cross" : item.state === "doing" ? "dot" : "ring"} size={14} />
            <span>{item.text}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
