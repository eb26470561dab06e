/** One step of a run: a line that a stranger understands, opening to everything about it. */
import { useState } from "preact/hooks";
import { file } from "../api/fish";
import { cost, count } from "../fold/figures";
import type { Badge, Row, Status } from "../fold/rows";
import { Dialog } from "../parts/Dialog";
import { Icon, type Name } from "../parts/Icon";
import { lasting, words } from "../words";
import { line } from "../words/told";

const ICONS: Record<Badge, Name> = {
  reason: "bulb",
  act: "cursor",
  observe: "eye",
  plan: "list",
  decide: "flag",
  answer: "pen",
  ask: "ask",
  note: "note",
};
const MARKS: Record<Status, Name> = { working: "dot", done: "check", failed: "cross", unknown: "ask", waiting: "hand" };

export function Step({ row, run, now = false }: { row: Row; run: string; now?: boolean }) {
  const [open, setOpen] = useState(false);
  const told = words.value;
  const what = line(row);
  const rich = row.details.length > 0 || row.pictures.length > 0 || row.usage !== null || row.frame !== "";
  const inner = (
    <>
      <span class={`mark ${row.status}`} title={told.status[row.status]}>
        <Icon name={MARKS[row.status]} size={14} />
        <span class="unseen">{told.status[row.status]}</span>
      </span>
      <span class={`badge ${row.badge}`}>
        <Icon name={ICONS[row.badge]} size={12} />
        {told.badge[row.badge]}
      </span>
      <span class="what">
        {what.verb} {what.object && <span class={what.verb ? "object" : ""}>{what.object}</span>}
      </span>
      <span class="time">{row.seconds > 0 ? lasting(row.seconds) : ""}</span>
    </>
  );
  return (
    <div class={`step ${row.minor ? "minor" : ""} ${now ? "now" : ""}`}>
      {rich ? (
        <button type="button" class="line" aria-expanded={open} onClick={() => setOpen(!open)}>
          {inner}
        </button>
      ) : (
        <div class="line">{inner}</div>
      )}
      {row.pictures.length > 0 && <Pictures run={run} names={row.pictures} />}
      {open && <Inside row={row} />}
      {open && row.frame && <Pictures run={run} names={[row.frame]} />}
    </div>
  );
}

function Inside({ row }: { row: Row }) {
  const told = words.value.run;
  return (
    <dl class="inside">
      {row.status === "unknown" && <p class="warn">{told.unknownOutcome}</p>}
      {row.details.map((detail, at) => (
        <div key={at}>
          <dt>{told.details[detail.name]}</dt>
          <dd>
            {detail.value.length > 80 || detail.value.includes("\n") ? <pre tabIndex={0}>{detail.value}</pre> : detail.value}
          </dd>
        </div>
      ))}
      {row.usage && (
        <div>
          <dt>{told.tokens}</dt>
          <dd>
            {count(row.usage.input)} + {count(row.usage.output)} · {cost(row.usage, words.value)}
          </dd>
        </div>
      )}
    </dl>
  );
}

function Pictures({ run, names }: { run: string; names: string[] }) {
  const [shown, setShown] = useState("");
  const told = words.value.run;
  return (
    <div class="thumbs">
      {names.map((name) => (
        <button type="button" key={name} class="thumb" onClick={() => setShown(name)}>
          <img src={file(run, name)} alt={told.picture} loading="lazy" />
        </button>
      ))}
      {shown && (
        <Dialog title={told.picture} onClose={() => setShown("")} wide>
          <img src={file(run, shown)} alt={shown.split("/").at(-1) ?? ""} />
        </Dialog>
      )}
    </div>
  );
}
