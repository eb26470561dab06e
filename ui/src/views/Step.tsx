/** One step of a run: a plain line that opens to its details. */
import { useState } from "preact/hooks";
import { file } from "../api/server";
import { formatCost, count } from "../compute/figures";
import type { Badge, Row, Status } from "../compute/rows";
import { Dialog } from "../parts/Dialog";
import { Icon, type Name } from "../parts/Icon";
import { Picture } from "../parts/Picture";
import { formatDuration, words } from "../words";
import { describeRow } from "../words/sentences";

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
  const texts = words.value;
  const what = describeRow(row);
  const rich = row.details.length > 0 || row.pictures.length > 0 || row.usage !== null || row.frame !== "";
  const inner = (
    <>
      <span class={`mark ${row.status}`} title={texts.status[row.status]}>
        <Icon name={MARKS[row.status]} size={14} />
        <span class="unseen">{texts.status[row.status]}</span>
      </span>
      {row.step > 0 && <span class="badge number">{texts.run.stepNumber(row.step)}</span>}
      <span class={`badge ${row.badge}`}>
        <Icon name={ICONS[row.badge]} size={12} />
        {texts.badge[row.badge]}
      </span>
      <span class="what">
        {what.verb} {what.object && <span class={what.verb ? "object" : ""}>{what.object}</span>}
      </span>
      <span class="time">{row.seconds > 0 ? formatDuration(row.seconds) : ""}</span>
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
  const texts = words.value.run;
  return (
    <dl class="inside">
      {row.status === "unknown" && <p class="warn">{texts.unknownOutcome}</p>}
      {row.details.map((detail, at) => (
        <div key={at}>
          <dt>{texts.details[detail.name]}</dt>
          <dd>
            {detail.value.length > 80 || detail.value.includes("\n") ? <pre tabIndex={0}>{detail.value}</pre> : detail.value}
          </dd>
        </div>
      ))}
      {row.usage && (
        <div>
          <dt>{texts.tokens}</dt>
          <dd>
            {count(row.usage.input)} + {count(row.usage.output)} · {formatCost(row.usage, words.value)}
          </dd>
        </div>
      )}
    </dl>
  );
}

export function Pictures({ run, names }: { run: string; names: string[] }) {
  const [shown, setShown] = useState("");
  const texts = words.value.run;
  return (
    <div class="thumbs">
      {names.map((name) => (
        <button type="button" key={name} class="thumb" onClick={() => setShown(name)}>
          <Picture src={file(run, name)} alt={texts.picture} loading="lazy" />
        </button>
      ))}
      {shown && (
        <Dialog title={texts.picture} onClose={() => setShown("")} wide>
          <Picture src={file(run, shown)} alt={shown.split("/").at(-1) ?? ""} />
        </Dialog>
      )}
    </div>
  );
}
