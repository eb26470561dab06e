/** Where the person writes: meters, pickers, the message, stop and send. */
import { useEffect, useRef } from "preact/hooks";
import { formatBytes, formatCost, count, money } from "../compute/figures";
import { conditionOf } from "../compute/status";
import type { RunState } from "../compute/runState";
import { IconButton } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { State } from "../parts/State";
import { feed } from "../state/runEvents";
import { say } from "../state/session";
import { current } from "../state/conversations";
import * as composer from "../state/composer";
import { completeShortcut } from "../compute/shortcuts";
import { words } from "../words";
import { writeSentence } from "../words/sentences";
import { CommandList } from "./CommandList";
import { LimitPicker, ModePicker, ModelPicker, TabPicker } from "./Pickers";

export function Composer() {
  const texts = words.value.compose;
  const active = composer.active.value;
  const runState = active ? feed(active.id).runState.value : null;
  return (
    <form
      class="composer"
      onDragOver={(event) => event.dataTransfer?.types.includes("Files") && event.preventDefault()}
      onDrop={(event) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        if (!files.length) return;
        event.preventDefault();
        void attach(files);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Meters />
      <div class="write">
        <Attached />
        <Field />
        <div class="bar">
          {active ? (
            <span class="going">
              <State of={conditionOf(runState?.last ? runState.state : active.state, null)} />
              <span class="facts clip">{runState ? describeActivity(runState) : ""}</span>
            </span>
          ) : (
            <>
              <ModePicker />
              <ModelPicker />
              <TabPicker />
              <Attach />
              <IconButton
                icon="eye"
                class="toggle"
                label={texts.screenshots}
                aria-pressed={composer.screenshots.value}
                onClick={() => (composer.screenshots.value = !composer.screenshots.value)}
              />
              <LimitPicker />
            </>
          )}
          <span class="gap" />
          {active && (
            <IconButton
              icon={runState?.state === "paused" ? "play" : "pause"}
              label={runState?.state === "paused" ? texts.resume : texts.pause}
              onClick={() => void composer.pause()}
            />
          )}
          {active && (
            <button type="button" class="stop" onClick={() => void composer.stop()} title={texts.stop}>
              <Icon name="stop" size={14} /> {texts.stop}
            </button>
          )}
          {(!active || composer.text.value.trim()) && (
            <button type="submit" class="send" disabled={!composer.text.value.trim() || composer.sending.value} aria-label={texts.send} title={texts.send}>
              <Icon name="send" />
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

/** What is being done now, or the last thing that was. */
function describeActivity(runState: RunState): string {
  const row = runState.rows.findLast((each) => each.status === "working" || each.status === "waiting") ?? runState.rows.at(-1);
  return row ? writeSentence(row) : "";
}

async function submit(): Promise<void> {
  if (!composer.active.value) await composer.send();
  else if (await composer.steer()) say(words.value.compose.willBeRead);
}

function Field() {
  const texts = words.value.compose;
  const field = useRef<HTMLTextAreaElement>(null);
  const text = composer.text.value;
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, innerHeight * 0.35)}px`;
  }, [text]);
  const take = (name: string) => {
    const chosen = composer.shortcuts.value.find((each) => each.name === name);
    const element = field.current;
    if (!chosen || !element) return;
    const { text, at } = completeShortcut(chosen);
    composer.text.value = element.value = text;
    element.focus();
    element.setSelectionRange(at, at);
  };
  return (
    <>
    <CommandList take={take} />
    <textarea
      id="compose"
      ref={field}
      rows={1}
      aria-label={texts.label}
      placeholder={composer.active.value ? texts.steer : texts.hint}
      value={text}
      onInput={(event) => (composer.text.value = event.currentTarget.value)}
      onKeyDown={(event) => {
        const first = composer.fittingShortcuts.value[0];
        if (event.key === "Tab" && !event.shiftKey && first) {
          event.preventDefault();
          take(first.name);
          return;
        }
        if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        void submit();
      }}
      onPaste={(event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (files.length) event.preventDefault();
        void attach(files);
      }}
    />
    </>
  );
}

async function attach(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    const wrong = await composer.attach(file);
    if (wrong) say(`${file.name}: ${words.value.compose[wrong]}`);
  }
}

function Attach() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="clip" label={words.value.compose.attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={words.value.compose.attach}
        onChange={(event) => {
          void attach([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

function Attached() {
  const texts = words.value.compose;
  if (!composer.attachments.value.length && !composer.addresses.value.length) return null;
  const without = <T,>(list: T[], at: number) => list.filter((_, index) => index !== at);
  return (
    <ul class="attached">
      {composer.attachments.value.map(({ file, picture }, at) => (
        <li key={at}>
          {picture ? <img src={`data:${file.type};base64,${picture}`} alt="" /> : <Icon name="page" size={14} />}
          <span class="clip">{file.name}</span>
          <span class="facts">{formatBytes(file.size)}</span>
          <IconButton icon="cross" label={`${texts.detach} ${file.name}`} onClick={() => (composer.attachments.value = without(composer.attachments.value, at))} />
        </li>
      ))}
      {composer.addresses.value.map((url, at) => (
        <li key={url}>
          <Icon name="globe" size={14} />
          <span class="clip">{url.replace(/^https?:\/\//, "")}</span>
          <IconButton icon="cross" label={`${texts.detach} ${url}`} onClick={() => (composer.addresses.value = without(composer.addresses.value, at))} />
        </li>
      ))}
    </ul>
  );
}

/** Context, tokens and money of the latest run, live. Nothing is shown before something was used. */
function Meters() {
  const texts = words.value;
  const run = current.value;
  const runState = run ? feed(run.id).runState.value : null;
  if (!run || !runState || !(runState.usage.input + runState.usage.output)) return <div class="meters" />;
  const { used, window } = runState.context;
  const limit = run.options?.["budget_cents"];
  const spent = formatCost(runState.usage, texts);
  const share = window ? Math.round((used / window) * 100) : 0;
  return (
    <div class="meters">
      {window > 0 && <Meter label={texts.compose.context} part={used / window} text={`${texts.compose.context} ${share} %`} />}
      <span class="figures">
        {count(runState.usage.input + runState.usage.output)} {texts.compose.tokens}
      </span>
      {typeof limit === "number" && runState.usage.priced ? (
        <Meter label={texts.run.cost} part={(runState.usage.cost * 100) / limit} text={texts.compose.of(spent, money(limit / 100))} />
      ) : (
        <span class="figures">
          {texts.run.cost.toLowerCase()} {spent}
        </span>
      )}
    </div>
  );
}
