/** Where the person writes: meters, pickers, the message, stop and send. */
import { useEffect, useRef } from "preact/hooks";
import { bytes, cost, count, money } from "../fold/figures";
import { condition } from "../fold/status";
import type { Story } from "../fold/story";
import { IconButton } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { State } from "../parts/State";
import { feed } from "../state/feeds";
import { say } from "../state/session";
import { current } from "../state/talks";
import * as wish from "../state/wish";
import { words } from "../words";
import { sentence } from "../words/told";
import { LimitPicker, ModePicker, ModelPicker, TabPicker } from "./Pickers";

export function Composer() {
  const told = words.value.compose;
  const active = wish.active.value;
  const story = active ? feed(active.id).story.value : null;
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
              <State of={condition(story?.last ? story.state : active.state, null)} />
              <span class="facts clip">{story ? going(story) : ""}</span>
            </span>
          ) : (
            <>
              <ModePicker />
              <ModelPicker />
              <TabPicker />
              <Attach />
              <LimitPicker />
            </>
          )}
          <span class="gap" />
          {active && (
            <IconButton
              icon={story?.state === "paused" ? "play" : "pause"}
              label={story?.state === "paused" ? told.resume : told.pause}
              onClick={() => void wish.pause()}
            />
          )}
          {active && (
            <button type="button" class="stop" onClick={() => void wish.stop()} title={told.stop}>
              <Icon name="stop" size={14} /> {told.stop}
            </button>
          )}
          {!active && (
            <button type="submit" class="send" disabled={!wish.text.value.trim() || wish.sending.value} aria-label={told.send} title={told.send}>
              <Icon name="send" />
            </button>
          )}
        </div>
      </div>
    </form>
  );
}

/** What is being done now, or the last thing that was. */
function going(story: Story): string {
  const row = story.rows.findLast((each) => each.status === "working" || each.status === "waiting") ?? story.rows.at(-1);
  return row ? sentence(row) : "";
}

async function submit(): Promise<void> {
  if (wish.active.value) say(words.value.compose.busy);
  else await wish.send();
}

function Field() {
  const told = words.value.compose;
  const field = useRef<HTMLTextAreaElement>(null);
  const text = wish.text.value;
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, innerHeight * 0.35)}px`;
  }, [text]);
  return (
    <textarea
      id="compose"
      ref={field}
      rows={1}
      aria-label={told.label}
      placeholder={told.hint}
      value={text}
      onInput={(event) => (wish.text.value = event.currentTarget.value)}
      onKeyDown={(event) => {
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
  );
}

async function attach(files: Iterable<File>): Promise<void> {
  for (const file of files) {
    const wrong = await wish.attach(file);
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
  const told = words.value.compose;
  if (!wish.attachments.value.length && !wish.addresses.value.length) return null;
  const without = <T,>(list: T[], at: number) => list.filter((_, index) => index !== at);
  return (
    <ul class="attached">
      {wish.attachments.value.map(({ file, picture }, at) => (
        <li key={at}>
          {picture ? <img src={`data:${file.type};base64,${picture}`} alt="" /> : <Icon name="page" size={14} />}
          <span class="clip">{file.name}</span>
          <span class="facts">{bytes(file.size)}</span>
          <IconButton icon="cross" label={`${told.detach} ${file.name}`} onClick={() => (wish.attachments.value = without(wish.attachments.value, at))} />
        </li>
      ))}
      {wish.addresses.value.map((url, at) => (
        <li key={url}>
          <Icon name="globe" size={14} />
          <span class="clip">{url.replace(/^https?:\/\//, "")}</span>
          <IconButton icon="cross" label={`${told.detach} ${url}`} onClick={() => (wish.addresses.value = without(wish.addresses.value, at))} />
        </li>
      ))}
    </ul>
  );
}

/** Context, tokens and money of the latest run, live. Nothing is shown before something was used. */
function Meters() {
  const told = words.value;
  const run = current.value;
  const story = run ? feed(run.id).story.value : null;
  if (!run || !story || !(story.usage.input + story.usage.output)) return <div class="meters" />;
  const { used, window } = story.context;
  const limit = run.options?.["budget_cents"];
  const spent = cost(story.usage, told);
  const share = window ? Math.round((used / window) * 100) : 0;
  return (
    <div class="meters">
      {window > 0 && <Meter label={told.compose.context} part={used / window} text={`${told.compose.context} ${share} %`} />}
      <span class="figures">
        {count(story.usage.input + story.usage.output)} {told.compose.tokens}
      </span>
      {typeof limit === "number" && story.usage.priced ? (
        <Meter label={told.run.cost} part={(story.usage.cost * 100) / limit} text={told.compose.of(spent, money(limit / 100))} />
      ) : (
        <span class="figures">
          {told.run.cost.toLowerCase()} {spent}
        </span>
      )}
    </div>
  );
}
