/** What is remembered: by tier with its cap, to search, correct, delete, look back on and take away. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import * as memory from "../api/memory";
import { Failure } from "../api/http";
import { Bones } from "../parts/Bones";
import { Button, IconButton } from "../parts/Button";
import { Confirm } from "../parts/Dialog";
import { Icon } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { attempt, complain, me } from "../state/session";
import { when, words } from "../words";

const TIERS = ["core", "important", "context"] as const;

export function Memory() {
  const told = words.value.memory;
  const facts = useSignal<memory.Fact[] | null>(null);
  const past = useSignal<memory.Fact[] | null>(null);
  const absent = useSignal(false);
  const text = useSignal("");
  const asking = useSignal(false);
  const caps = useSignal<Partial<memory.Caps>>({});
  const read = async () => {
    try {
      facts.value = await memory.facts();
    } catch (error) {
      if (error instanceof Failure && error.status === 404) absent.value = true;
      else complain(error);
    }
  };
  useEffect(() => {
    void read();
    if (me.value?.role === "admin") void attempt(memory.caps).then((found) => (caps.value = found ?? {}));
  }, []);
  const look = async () => {
    past.value = past.value ? null : ((await attempt(memory.history)) ?? null);
  };
  const wipe = async () => {
    await attempt(memory.wipe);
    past.value = past.value && ((await attempt(memory.history)) ?? null);
    await read();
  };
  const fits = (fact: memory.Fact) => text.value.toLowerCase().split(/\s+/).every((word) => fact.content.toLowerCase().includes(word));
  const held = (facts.value ?? []).filter(fits);
  return (
    <main class="page" id="main">
      <header class="pagehead">
        <div>
          <h1>{told.head}</h1>
          <p class="facts">{told.about}</p>
        </div>
        {facts.value && (
          <div class="actions">
            <Button icon="clock" aria-pressed={!!past.value} onClick={() => void look()}>
              {told.history}
            </Button>
            <a class="button" href={memory.EXPORT} download>
              <Icon name="save" />
              <span>{told.export}</span>
            </a>
            <Button icon="trash" disabled={!facts.value.length} onClick={() => (asking.value = true)}>
              {told.wipe}
            </Button>
          </div>
        )}
      </header>
      {!facts.value && !absent.value && <Bones />}
      {absent.value && <p class="hint">{told.absent}</p>}
      {facts.value && (
        <>
          <div class="filters">
            <label class="find">
              <Icon name="search" size={14} />
              <input type="search" aria-label={told.search} placeholder={told.search} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
            </label>
          </div>
          <Adding onAdd={read} />
          {!facts.value.length && <p class="hint">{told.none}</p>}
          {TIERS.map((tier) => (
            <Tier key={tier} tier={tier} cap={caps.value[tier]} facts={held.filter((fact) => fact.tier === tier)} onChange={read} />
          ))}
          {past.value && <Past facts={past.value.filter(fits)} />}
          {asking.value && <Confirm title={told.wipeHead} text={told.wipeText(facts.value.length)} onYes={() => void wipe()} onClose={() => (asking.value = false)} />}
        </>
      )}
    </main>
  );
}

function Adding({ onAdd }: { onAdd: () => Promise<void> }) {
  const told = words.value.memory;
  const [text, setText] = useState("");
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => memory.add(text.trim())).then(onAdd);
        setText("");
      }}
    >
      <input aria-label={told.addHint} placeholder={told.addHint} value={text} maxLength={500} onInput={(event) => setText(event.currentTarget.value)} />
      <Button type="submit" icon="plus" disabled={!text.trim()}>
        {told.add}
      </Button>
    </form>
  );
}

type TierProps = { tier: (typeof TIERS)[number]; cap: number | undefined; facts: memory.Fact[]; onChange: () => Promise<void> };

function Tier({ tier, cap, facts, onChange }: TierProps) {
  const told = words.value.memory;
  if (!facts.length) return null;
  return (
    <section class="tier">
      <div class="split">
        <h2>{told[tier]}</h2>
        {cap ? <Meter label={told[tier]} part={facts.length / cap} text={told.of(facts.length, cap)} /> : <span class="facts">{facts.length}</span>}
      </div>
      <p class="facts">{told[`${tier}About`]}</p>
      <ul class="plainlist">
        {facts.map((fact) => (
          <Entry key={fact.id} fact={fact} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ fact, onChange }: { fact: memory.Fact; onChange: () => Promise<void> }) {
  const told = words.value.memory;
  const [text, setText] = useState<string | null>(null);
  const source = fact.sources?.[0];
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
          <input aria-label={told.edit} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          <Button type="submit" class="primary" disabled={!text.trim()}>
            {told.save}
          </Button>
          <Button onClick={() => setText(null)}>{told.cancel}</Button>
        </form>
      </li>
    );
  return (
    <li>
      <span class="fact">{fact.content}</span>
      <span class="facts">
        {[told.sure(Math.round((fact.confidence ?? 0) * 100)), told.used(fact.use_count ?? 0), when(fact.created ?? "")].join(" · ")}
        {source && (
          <>
            {" · "}
            <a href={`/c/${source}`}>{told.source}</a>
          </>
        )}
      </span>
      <span class="ends">
        <IconButton icon="pen" label={`${told.edit}: ${fact.content}`} onClick={() => setText(fact.content)} />
        <IconButton icon="trash" label={`${told.remove}: ${fact.content}`} onClick={() => void attempt(() => memory.remove(fact.id)).then(onChange)} />
      </span>
    </li>
  );
}

function Past({ facts }: { facts: memory.Fact[] }) {
  const told = words.value.memory;
  return (
    <section class="tier past">
      <h2>{told.history}</h2>
      {!facts.length && <p class="hint">{told.none}</p>}
      <ul class="plainlist">
        {facts.map((fact) => (
          <li key={fact.id}>
            <span class="fact">{fact.content || "·"}</span>
            <span class="facts">
              {fact.ending ?? told.ended} · {when(fact.ended ?? "")}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
