/** The steps of a run. Calm by default: thinking and looking are folded away until asked for. */
import { useState } from "preact/hooks";
import { type Row, major } from "../fold/rows";
import type { Story } from "../fold/story";
import { Icon } from "../parts/Icon";
import { List } from "../parts/List";
import { words } from "../words";
import { Step } from "./Step";

const MANY = 60;

export function Timeline({ story, run, whole = false }: { story: Story; run: string; whole?: boolean }) {
  const [all, setAll] = useState(whole);
  const told = words.value.run;
  const rows = all ? story.rows : major(story.rows);
  const hidden = story.rows.length - rows.length;
  const live = story.state !== "ended";
  const draw = (row: Row) => <Step row={row} run={run} now={live && row.status === "working"} />;
  return (
    <div class="timeline">
      {story.plan.length > 0 && <Plan items={story.plan} />}
      {rows.length > MANY ? (
        <List items={rows} name={(row) => row.key} draw={draw} label={told.truncated} follow={live} />
      ) : (
        <ol class="rows">
          {rows.map((row) => (
            <li key={row.key}>{draw(row)}</li>
          ))}
        </ol>
      )}
      {!whole && (hidden > 0 || all) && (
        <button type="button" class="quiet" onClick={() => setAll(!all)}>
          {all ? told.fewer : `${told.all} (${story.rows.length})`}
        </button>
      )}
    </div>
  );
}

export function Plan({ items }: { items: Story["plan"] }) {
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
