/** The run's open question, approval or budget request; it flashes softly until answered. */
import { useEffect, useRef, useState } from "preact/hooks";
import * as server from "../api/server";
import type { InputRequest } from "../api/types";
import { money } from "../compute/figures";
import { host } from "../compute/rows";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { feed } from "../state/runEvents";
import { attempt } from "../state/session";
import { current } from "../state/conversations";
import { formatDuration, words } from "../words";
import { doneAction, writeQuestion } from "../words/sentences";

export function Banner({ run = current.value?.id }: { run?: string | undefined }) {
  if (!run) return null;
  const asked = feed(run).runState.value.asked;
  return asked ? <Question key={asked.request} asked={asked} run={run} /> : null;
}

function Question({ asked, run }: { asked: InputRequest; run: string }) {
  const [text, setText] = useState("");
  const [sent, setSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const texts = words.value.ask;
  useEffect(() => {
    // Who is writing keeps the focus: in the message field, Enter answers the question too.
    if (!(document.activeElement instanceof HTMLTextAreaElement && document.activeElement.value)) field.current?.focus();
  }, []);
  const choices = asked.choices?.length ? asked.choices : asked.kind === "approval" ? ["approve", "deny"] : [];
  const reply = async (answer: string) => {
    setSent(true);
    const done = await attempt(() => server.answer(run, answer, asked.request));
    if (!done) setSent(false);
  };
  return (
    <section class={`banner ${asked.kind}`} role="alertdialog" aria-label={texts[asked.kind]} aria-live="assertive">
      <header>
        <Icon name={asked.kind === "budget" ? "coin" : "hand"} />
        <strong>{texts[asked.kind]}</strong>
        {asked.deadline && <Countdown until={asked.deadline} />}
      </header>
      <div class="asked" tabIndex={0}>
        <p class="question">{writeQuestion(asked)}</p>
        <Facts details={asked.details ?? {}} />
      </div>
      {choices.length > 0 && (
        <div class="choices">
          {choices.map((choice, at) => (
            <Button key={choice} class={at === 0 ? "primary" : ""} disabled={sent} onClick={() => void reply(choice)}>
              {describeChoice(choice, asked)}
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
          <input ref={field} aria-label={texts.answer} placeholder={texts.answer} value={text} disabled={sent} onInput={(event) => setText(event.currentTarget.value)} />
          <Button type="submit" class={choices.length ? "" : "primary"} disabled={sent || !text.trim()}>
            {texts.send}
          </Button>
        </form>
      )}
    </section>
  );
}

/** A choice in the person's language; a higher budget shows its amount. */
function describeChoice(choice: string, asked: InputRequest): string {
  const texts = words.value.ask;
  const raised = asked.kind === "budget" && choice === "Raise the budget" ? asked.details?.["raised"] : undefined;
  return typeof raised === "number" ? texts.raise(money(raised / 100)) : (texts.known[choice] ?? choice);
}

/** What binds a permission to its page, for programs; nothing to read. */
const BINDING = new Set(["bound", "tab", "tool", "name"]);

/** What an action would do, where and why it is asked about; other details are folded away. */
function Facts({ details }: { details: Record<string, unknown> }) {
  const texts = words.value.ask;
  const first = (...names: string[]) => names.map((name) => details[name]).find((value) => typeof value === "string" && value) as string | undefined;
  const coded = doneAction(details);
  const known = [
    [texts.what, coded.what || first("what", "action", "text")],
    [texts.where, host(first("where", "site", "url", "page") ?? "")],
    [texts.why, coded.why || first("why", "reason", "rule")],
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
          <summary>{texts.more}</summary>
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
  return <span class="countdown">{words.value.ask.left(formatDuration(now))}</span>;
}
