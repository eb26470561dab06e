/** The form for a schedule or watch, new or known. It says when it would happen, and what it may do, while it is filled in. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../api/schedules";
import { Failure } from "../api/http";
import { Button, IconButton } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { attempt, me } from "../state/session";
import { formatMomentIn, words } from "../words";

type Grant = NonNullable<api.Plan["grants"]>[number];
type Channel = NonNullable<api.Plan["notify"]>[number];
type Draft = { kind: "task" | "watch"; task: string; when: string; zone: string; page: string; part: "page" | "selector" | "text" | "value"; what: string; missed: string; overlap: string; cents: string; month: string; asks: boolean };

const EFFECTS = ["submit", "use", "send", "publish", "buy", "delete", "account", "upload", "download", "personal", "secret", "carry", "leave"] as const;
const CHANNELS: Channel[] = ["page", "desktop", "webhook", "email", "ntfy"];
const PAUSE = 400;
const EMPTY: Draft = { kind: "task", task: "", when: "every weekday at 8", zone: Intl.DateTimeFormat().resolvedOptions().timeZone, page: "", part: "page", what: "", missed: "once", overlap: "skip", cents: "", month: "", asks: false };

function makeDraft(known: api.Schedule): Draft {
  const text = (cents: number | null | undefined) => (cents == null ? "" : String(cents));
  return {
    ...EMPTY,
    kind: known.watch ? "watch" : "task",
    task: known.task,
    when: known.when,
    zone: known.zone ?? "",
    page: (known.pages ?? []).join(" "),
    part: known.watch?.kind ?? "page",
    what: known.watch?.what ?? "",
    missed: known.missed ?? EMPTY.missed,
    overlap: known.overlap ?? EMPTY.overlap,
    cents: text(known.budget_cents),
    month: text(known.month_cents),
    asks: known.asks ?? false,
  };
}

/** What the form does not show stays as it was. */
function hiddenFields({ name, jitter, wait_hours, options, notify_when }: api.Schedule): Partial<api.Plan> {
  return Object.fromEntries(Object.entries({ name, jitter, wait_hours, options, notify_when }).filter(([, value]) => value !== undefined));
}

function makePlan(draft: Draft, grants: Grant[], notify: Channel[]): api.Plan {
  const number = (text: string) => (text.trim() ? Number(text) : null);
  return {
    task: draft.task.trim(),
    when: draft.when.trim(),
    zone: draft.zone.trim(),
    pages: draft.page.split(/\s+/).filter(Boolean),
    watch: draft.kind === "watch" ? { kind: draft.part, what: draft.part === "page" ? "" : draft.what.trim() } : null,
    notify_when: draft.kind === "watch" ? "changes" : "always",
    missed: draft.missed as "once",
    overlap: draft.overlap as "skip",
    budget_cents: number(draft.cents),
    month_cents: number(draft.month),
    asks: draft.asks,
    grants: grants.filter((each) => each.site.trim() && each.effects.length),
    notify,
  };
}

type Given = { known?: api.Schedule; onClose: () => void; onMade: () => void };

export function ScheduleForm({ known, onClose, onMade }: Given) {
  const texts = words.value.schedules;
  const draft = useSignal<Draft>(known ? makeDraft(known) : EMPTY);
  const grants = useSignal<Grant[]>([...(known?.grants ?? [])]);
  const notify = useSignal<Channel[]>([...(known?.notify ?? ["page" as const])]);
  const shown = useSignal<api.Preview | null>(null);
  const wrong = useSignal("");
  const unclear = useSignal(false);
  const asking = useSignal(false);
  const taken = useSignal({ said: "", when: "" });
  const set = (change: Partial<Draft>) => (draft.value = { ...draft.value, ...change });
  const now = { ...makePlan(draft.value, grants.value, notify.value), ...(known ? hiddenFields(known) : {}) };
  const ready = !!now.task && !!now.when && (draft.value.kind === "task" || !!now.pages?.length);
  useEffect(() => {
    const timer = setTimeout(() => void look(), PAUSE);
    return () => clearTimeout(timer);
  }, [draft.value, grants.value, notify.value]);
  const look = async () => {
    try {
      shown.value = await api.preview({ ...now, task: now.task || "…", ...(ready ? {} : { watch: null }) });
      wrong.value = "";
      unclear.value = false;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      shown.value = null;
      unclear.value = error.code === "unclear_time";
      wrong.value = `${error.message} ${error.fix}`.trim();
    }
  };
  const askModel = async () => {
    const said = now.when;
    asking.value = true;
    const read = await attempt(() => api.readTime(said, now.zone ?? ""));
    asking.value = false;
    if (!read || draft.value.when.trim() !== said) return;
    taken.value = { said, when: read.when };
    set({ when: read.when, zone: read.zone });
  };
  const make = async () => {
    if (await attempt(() => (known ? api.edit(known.id, now) : api.create(now)))) onMade();
  };
  const watching = draft.value.kind === "watch";
  return (
    <Dialog title={known ? `${texts.edit}: ${known.name || known.task}` : texts.add} onClose={onClose} wide>
      <form
        class="scheduleform"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {!known && (
          <div class="choices" role="group" aria-label={texts.kind}>
            {(["task", "watch"] as const).map((kind) => (
              <Button key={kind} aria-pressed={draft.value.kind === kind} onClick={() => set({ kind, when: kind === "watch" ? "every 1 hour" : EMPTY.when })}>
                {texts.kindOf[kind]}
              </Button>
            ))}
          </div>
        )}
        <Field label={watching ? texts.condition : texts.task} value={draft.value.task} onText={(task) => set({ task })} hint={watching ? texts.conditionHint : texts.taskHint} />
        <Field label={watching ? texts.page : texts.start} value={draft.value.page} onText={(page) => set({ page })} hint="https://shop.example/kettle" />
        {watching && (
          <div class="pairrow">
            <Choice label={texts.part} value={draft.value.part} options={texts.partOf} onPick={(part) => set({ part: part as Draft["part"] })} />
            {draft.value.part !== "page" && <Field label={texts.what} value={draft.value.what} onText={(what) => set({ what })} hint={texts.whatHint[draft.value.part] ?? ""} />}
          </div>
        )}
        <div class="pairrow">
          <Field label={texts.when} value={draft.value.when} onText={(text) => set({ when: text })} hint="every weekday at 8" />
          <Field label={texts.zone} value={draft.value.zone} onText={(zone) => set({ zone })} hint="Europe/Lisbon" />
        </div>
        <div class="times" role="status">
          {wrong.value && <p class="bad">{wrong.value}</p>}
          {unclear.value && (
            <Button disabled={asking.value} onClick={() => void askModel()}>
              {asking.value ? texts.askingModel : texts.askModel}
            </Button>
          )}
          {taken.value.when === now.when && taken.value.said && <p>{texts.taken(taken.value.said, taken.value.when)}</p>}
          {shown.value && (
            <p>
              {texts.comes} {shown.value.next.slice(0, 3).map((at) => formatMomentIn(at, shown.value?.zone ?? "UTC")).join(" · ")}
            </p>
          )}
        </div>
        <details>
          <summary>{texts.more}</summary>
          <div class="pairrow">
            <Choice label={texts.missed} value={draft.value.missed} options={texts.missedOf} onPick={(missed) => set({ missed })} />
            <Choice label={texts.overlap} value={draft.value.overlap} options={texts.overlapOf} onPick={(overlap) => set({ overlap })} />
            <Field label={texts.cents} value={draft.value.cents} onText={(cents) => set({ cents })} hint="" number />
            <Field label={texts.month} value={draft.value.month} onText={(month) => set({ month })} hint="" number />
          </div>
          {me.value?.role === "admin" && (
            <fieldset>
              <legend>{texts.notify}</legend>
              {CHANNELS.map((each) => (
                <label key={each} class="tick">
                  <input type="checkbox" checked={notify.value.includes(each)} onChange={(event) => (notify.value = event.currentTarget.checked ? [...notify.value, each] : notify.value.filter((one) => one !== each))} />
                  {texts.channels[each]}
                </label>
              ))}
            </fieldset>
          )}
        </details>
        <Grants grants={grants.value} onChange={(next) => (grants.value = next)} />
        <label class="tick">
          <input type="checkbox" checked={draft.value.asks} onChange={(event) => set({ asks: event.currentTarget.checked })} />
          {texts.asks}
        </label>
        <div class="preview" role="status">
          {shown.value && (
              <ul>
                {grants.value.filter((each) => each.site && each.effects.length).map((each) => (
                  <li key={each.site}>{texts.granted(each.site, each.effects.map((kind) => texts.effects[kind] ?? kind).join(", "))}</li>
                ))}
                <li>{texts.rest(!!now.grants?.length, draft.value.asks)}</li>
                {shown.value.missing?.map((each) => (
                  <li key={each} class="bad">
                    {each}
                  </li>
                ))}
              </ul>
          )}
        </div>
        <footer>
          <Button onClick={onClose}>{words.value.edge.cancel}</Button>
          <Button type="submit" class="primary" disabled={!ready || !!wrong.value}>
            {known ? words.value.edge.save : texts.make}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

function Field({ label, value, hint, onText, number = false }: { label: string; value: string; hint: string; onText: (text: string) => void; number?: boolean }) {
  return (
    <label class="field">
      {label}
      <input inputMode={number ? "decimal" : "text"} value={value} placeholder={hint} spellcheck={false} onInput={(event) => onText(event.currentTarget.value)} />
    </label>
  );
}

function Choice({ label, value, options, onPick }: { label: string; value: string; options: Record<string, string>; onPick: (name: string) => void }) {
  return (
    <label class="field">
      {label}
      <select value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        {Object.entries(options).map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Grants({ grants, onChange }: { grants: Grant[]; onChange: (next: Grant[]) => void }) {
  const texts = words.value.schedules;
  const put = (at: number, grant: Grant) => onChange(grants.map((each, number) => (number === at ? grant : each)));
  return (
    <fieldset>
      <legend>{texts.grants}</legend>
      <p class="about">{texts.grantsAbout}</p>
      {grants.map((grant, at) => (
        <div key={at} class="grant">
          <div class="pairrow">
            <Field label={texts.site} value={grant.site} hint="shop.example" onText={(site) => put(at, { ...grant, site })} />
            <IconButton icon="trash" label={texts.dropGrant} onClick={() => onChange(grants.filter((_, number) => number !== at))} />
          </div>
          <div class="ticks">
            {EFFECTS.map((kind) => (
              <label key={kind} class="tick">
                <input type="checkbox" checked={grant.effects.includes(kind)} onChange={(event) => put(at, { ...grant, effects: event.currentTarget.checked ? [...grant.effects, kind] : grant.effects.filter((one) => one !== kind) })} />
                {texts.effects[kind]}
              </label>
            ))}
          </div>
        </div>
      ))}
      <Button icon="plus" onClick={() => onChange([...grants, { site: "", effects: [] }])}>
        {texts.addGrant}
      </Button>
    </fieldset>
  );
}
