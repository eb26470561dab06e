/** Facts about the person, by tier with its limit: search, correct, delete, history and export. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import * as memory from "../api/memory";
import { Failure } from "../api/http";
import { Skeleton } from "../parts/Skeleton";
import { Button, IconButton } from "../parts/Button";
import { Confirm, Dialog } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { PageHead } from "../parts/PageHead";
import { attempt, showFailure, me } from "../state/session";
import { formatMoment, words } from "../words";

const TIERS = ["core", "important", "context"] as const;

export function Memory() {
  const texts = words.value.memory;
  const facts = useSignal<memory.Fact[] | null>(null);
  const past = useSignal<memory.Fact[] | null>(null);
  const absent = useSignal(false);
  const text = useSignal("");
  const asking = useSignal(false);
  const gone = useSignal<memory.Fact[]>([]);
  const caps = useSignal<Partial<memory.Caps>>({});
  const read = async () => {
    try {
      facts.value = await memory.facts();
    } catch (error) {
      if (error instanceof Failure && error.status === 404) absent.value = true;
      else showFailure(error);
    }
  };
  useEffect(() => {
    void read();
    if (me.value?.role === "admin") void attempt(memory.readCaps).then((found) => (caps.value = found ?? {}));
  }, []);
  const look = async () => {
    past.value = past.value ? null : ((await attempt(memory.history)) ?? null);
  };
  const added = async (fresh: memory.Fact[] | undefined) => {
    gone.value = fresh ? ((await attempt(() => memory.listReplaced(fresh))) ?? []) : [];
    await read();
  };
  const undo = async (fact: memory.Fact) => {
    await attempt(() => memory.undo(fact.id));
    gone.value = gone.value.filter((one) => one.id !== fact.id);
    past.value = past.value && ((await attempt(memory.history)) ?? null);
    await read();
  };
  const wipe = async () => {
    await attempt(memory.deleteAllFacts);
    past.value = past.value && ((await attempt(memory.history)) ?? null);
    await read();
  };
  const fits = (fact: memory.Fact) => text.value.toLowerCase().split(/\s+/).every((word) => fact.content.toLowerCase().includes(word));
  const held = (facts.value ?? []).filter(fits);
  return (
    <main class="page" id="main">
      <PageHead title={texts.head} about={texts.about}>
        {facts.value && (
          <div class="actions">
            <Button icon="clock" aria-pressed={!!past.value} onClick={() => void look()}>
              {texts.history}
            </Button>
            <a class="button" href={memory.EXPORT} download>
              <Icon name="save" />
              <span>{texts.export}</span>
            </a>
            <Button icon="trash" disabled={!facts.value.length} onClick={() => (asking.value = true)}>
              {texts.wipe}
            </Button>
          </div>
        )}
      </PageHead>
      {!facts.value && !absent.value && <Skeleton />}
      {absent.value && <p class="hint">{texts.absent}</p>}
      {facts.value && (
        <>
          <div class="filters">
            <label class="find">
              <Icon name="search" size={14} />
              <input type="search" aria-label={texts.search} placeholder={texts.search} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
            </label>
          </div>
          <Adding onAdd={added} />
          <ul class="plainlist" role="status">
            {gone.value.map((fact) => (
              <Ended key={fact.id} fact={fact} onUndo={undo} />
            ))}
          </ul>
          {!facts.value.length && <p class="hint">{texts.none}</p>}
          {TIERS.map((tier) => (
            <Tier key={tier} tier={tier} cap={caps.value[tier]} facts={held.filter((fact) => fact.tier === tier)} onChange={read} />
          ))}
          {past.value && <Past facts={past.value.filter(fits)} onUndo={undo} />}
          {asking.value && <Confirm title={texts.wipeHead} text={texts.wipeText(facts.value.length)} onYes={() => void wipe()} onClose={() => (asking.value = false)} />}
        </>
      )}
    </main>
  );
}

function Adding({ onAdd }: { onAdd: (added: memory.Fact[] | undefined) => Promise<void> }) {
  const texts = words.value.memory;
  const [text, setText] = useState("");
  const [tier, setTier] = useState<memory.Fact["tier"]>("important");
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => memory.add(text.trim(), tier)).then(onAdd);
        setText("");
      }}
    >
      <input aria-label={texts.addHint} placeholder={texts.addHint} value={text} maxLength={500} onInput={(event) => setText(event.currentTarget.value)} />
      <select aria-label={texts.tier} value={tier} onChange={(event) => setTier(event.currentTarget.value as memory.Fact["tier"])}>
        {TIERS.map((one) => (
          <option key={one} value={one}>
            {texts[one]}
          </option>
        ))}
      </select>
      <Button type="submit" icon="plus" disabled={!text.trim()}>
        {texts.add}
      </Button>
    </form>
  );
}

type TierProps = { tier: (typeof TIERS)[number]; cap: number | undefined; facts: memory.Fact[]; onChange: () => Promise<void> };

function Tier({ tier, cap, facts, onChange }: TierProps) {
  const texts = words.value.memory;
  if (!facts.length) return null;
  return (
    <section class="tier">
      <div class="split">
        <h2>{texts[tier]}</h2>
        {cap ? <Meter label={texts[tier]} part={facts.length / cap} text={texts.of(facts.length, cap)} /> : <span class="facts">{facts.length}</span>}
      </div>
      <p class="facts">{texts[`${tier}About`]}</p>
      <ul class="plainlist">
        {facts.map((fact) => (
          <Entry key={fact.id} fact={fact} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ fact, onChange }: { fact: memory.Fact; onChange: () => Promise<void> }) {
  const texts = words.value.memory;
  const [text, setText] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const source = fact.sources?.[0];
  const remove = (conversations: "keep" | "delete") => {
    setAsking(false);
    void attempt(() => memory.remove(fact.id, conversations)).then(onChange);
  };
  if (text !== null)
    return (
      <li>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void attempt(() => memory.correct(fact.id, text.trim())).then(onChange);
            setText(null);
          }}
        >
          <input aria-label={texts.edit} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <Button type="submit" class="primary" disabled={!text.trim()}>
            {texts.save}
          </Button>
          <Button onClick={() => setText(null)}>{texts.cancel}</Button>
        </form>
      </li>
    );
  return (
    <li>
      <span class="fact">{fact.content}</span>
      <span class="facts">
        {[texts.sure(Math.round((fact.confidence ?? 0) * 100)), texts.used(fact.use_count ?? 0), formatMoment(fact.created ?? "")].join(" · ")}
        {source && (
          <>
            {" · "}
            <a href={`/c/${source}`}>{texts.source}</a>
          </>
        )}
      </span>
      <span class="ends">
        <IconButton icon="pen" label={`${texts.edit}: ${fact.content}`} onClick={() => setText(fact.content)} />
        <IconButton icon="trash" label={`${texts.remove}: ${fact.content}`} onClick={() => setAsking(true)} />
      </span>
      {asking && (
        <Dialog title={texts.removeHead} onClose={() => setAsking(false)}>
          <p>{texts.removeText(fact.content)}</p>
          <footer>
            <Button onClick={() => setAsking(false)}>{texts.cancel}</Button>
            <Button onClick={() => remove("delete")}>{texts.removeTalks}</Button>
            <Button class="danger" onClick={() => remove("keep")}>
              {texts.remove}
            </Button>
          </footer>
        </Dialog>
      )}
    </li>
  );
}

type Undo = (fact: memory.Fact) => Promise<void>;

function Ended({ fact, onUndo }: { fact: memory.Fact; onUndo: Undo }) {
  const texts = words.value.memory;
  const ending = fact.ending ?? "";
  return (
    <li>
      <span class="fact">{fact.content || "·"}</span>
      <span class="facts">
        {texts.endings[ending] ?? texts.ended} · {formatMoment(fact.ended ?? "")}
      </span>
      {memory.RETURNING.has(ending) && (
        <span class="ends">
          <Button aria-label={`${texts.undo}: ${fact.content}`} onClick={() => void onUndo(fact)}>
            {texts.undo}
          </Button>
        </span>
      )}
    </li>
  );
}

function Past({ facts, onUndo }: { facts: memory.Fact[]; onUndo: Undo }) {
  const texts = words.value.memory;
  return (
    <section class="tier past">
      <h2>{texts.history}</h2>
      {!facts.length && <p class="hint">{texts.none}</p>}
      <ul class="plainlist">
        {facts.map((fact) => (
          <Ended key={fact.id} fact={fact} onUndo={onUndo} />
        ))}
      </ul>
    </section>
  );
}
