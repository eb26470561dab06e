/** Waiting for you: the one thing that flashes, softly, until answered. Question, permission or money. */
import { useEffect, useState } from "preact/hooks";
import * as fish from "../api/fish";
import type { Asked } from "../api/types";
import { money } from "../fold/figures";
import { host } from "../fold/rows";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { feed } from "../state/feeds";
import { attempt } from "../state/session";
import { current } from "../state/talks";
import { lasting, words } from "../words";
import { deed, question } from "../words/told";

export function Banner({ run = current.value?.id }: { run?: string | undefined }) {
  if (!run) return null;
  const asked = feed(run).story.value.asked;
  return asked ? <Question key={asked.request} asked={asked} run={run} /> : null;
}

function Question({ asked, run }: { asked: Asked; run: string }) {
  const [text, setText] = useState("");
  const [sent, setSent] = useState(false);
  const told = words.value.ask;
  const choices = asked.choices?.length ? asked.choices : asked.kind === "approval" ? ["approve", "deny"] : [];
  const reply = async (answer: string) => {
    setSent(true);
    const done = await attempt(() => fish.answer(run, answer, asked.request));
    if (!done) setSent(false);
  };
  return (
    <section class={`banner ${asked.kind}`} role="alertdialog" aria-label={told[asked.kind]} aria-live="assertive">
      <header>
        <Icon name={asked.kind === "budget" ? "coin" : "hand"} />
        <strong>{told[asked.kind]}</strong>
        {asked.deadline && <Countdown until={asked.deadline} />}
      </header>
      <div class="asked" tabIndex={0}>
        <p class="question">{question(asked)}</p>
        <Facts details={asked.details ?? {}} />
      </div>
      {choices.length > 0 && (
        <div class="choices">
          {choices.map((choice, at) => (
            <Button key={choice} class={at === 0 ? "primary" : ""} disabled={sent} onClick={() => void reply(choice)}>
              {named(choice, asked)}
            </Button>
          ))}
        </div>
      )}
      {asked.kind === "question" && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim()) void reply(text.trim());
          }}
        >
          <input aria-label={told.answer} placeholder={told.answer} value={text} disabled={sent} onInput={(event) => setText(event.currentTarget.value)} />
          <Button type="submit" class={choices.length ? "" : "primary"} disabled={sent || !text.trim()}>
            {told.send}
          </Button>
        </form>
      )}
    </section>
  );
}

/** A choice in the words of the person; more money says how much. */
function named(choice: string, asked: Asked): string {
  const told = words.value.ask;
  const raised = asked.kind === "budget" && choice === "Raise the budget" ? asked.details?.["raised"] : undefined;
  return typeof raised === "number" ? told.raise(money(raised / 100)) : (told.known[choice] ?? choice);
}

/** What binds a permission to its page, for programs; nothing to read. */
const BINDING = new Set(["bound", "tab", "tool", "name"]);

/** What, where and why an action wants permission; anything else it tells is behind a fold. */
function Facts({ details }: { details: Record<string, unknown> }) {
  const told = words.value.ask;
  const first = (...names: string[]) => names.map((name) => details[name]).find((value) => typeof value === "string" && value) as string | undefined;
  const coded = deed(details);
  const known = [
    [told.what, coded.what || first("what", "action", "text")],
    [told.where, host(first("where", "site", "url", "page") ?? "")],
    [told.why, coded.why || first("why", "reason", "rule")],
  ].filter(([, value]) => value);
  const shown = new Set([...BINDING, "where", ...(coded.what ? [] : ["what"]), ...(coded.why ? [] : ["why"])]);
  const rest = Object.fromEntries(Object.entries(details).filter(([name]) => !shown.has(name)));
  return (
    <>
      {known.length > 0 && (
        <dl class="facts">
          {known.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {Object.keys(rest).length > 0 && (
        <details>
          <summary>{told.more}</summary>
          <pre tabIndex={0}>{JSON.stringify(rest, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

function Countdown({ until }: { until: string }) {
  const left = () => Math.max(0, Math.round((Date.parse(until) - Date.now()) / 1000));
  const [now, setNow] = useState(left());
  useEffect(() => {
    const timer = setInterval(() => setNow(left()), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return <span class="countdown">{words.value.ask.left(lasting(now))}</span>;
}
