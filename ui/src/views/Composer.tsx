/** Where the person writes: meters, pickers, the message, stop and send. */
import { useEffect, useRef } from "preact/hooks";
import { cost, count, money } from "../fold/figures";
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
import { verb, words } from "../words";
import { LimitPicker, ModePicker, ModelPicker, TabPicker } from "./Pickers";

const LARGEST = 10_000_000;

export function Composer() {
  const told = words.value.compose;
  const active = wish.active.value;
  const story = active ? feed(active.id).story.value : null;
  return (
    <form
      class="composer"
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
  return row ? `${verb(row.verb)} ${row.text}`.trim() : "";
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
        for (const file of files) void attach(file);
      }}
    />
  );
}

async function attach(file: File): Promise<void> {
  const told = words.value.compose;
  if (!file.type.startsWith("image/")) return say(told.notPicture);
  if (file.size > LARGEST) return say(told.tooBig);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  wish.pictures.value = [...wish.pictures.value, { name: file.name, data: btoa(binary), media: file.type }];
}

function Attach() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon="clip" label={words.value.compose.attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={(event) => {
          for (const file of event.currentTarget.files ?? []) void attach(file);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

function Attached() {
  const told = words.value.compose;
  if (!wish.pictures.value.length && !wish.addresses.value.length) return null;
  const without = <T,>(list: T[], at: number) => list.filter((_, index) => index !== at);
  return (
    <ul class="attached">
      {wish.pictures.value.map((picture, at) => (
        <li key={at}>
          <img src={`data:${picture.media};base64,${picture.data}`} alt="" />
          <span class="clip">{picture.name}</span>
          <IconButton icon="cross" label={`${told.detach} ${picture.name}`} onClick={() => (wish.pictures.value = without(wish.pictures.value, at))} />
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
