/** Schedules and watches: the list with what can be done, the calendar, and what was told. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import * as api from "../api/schedules";
import { Button, IconButton } from "../parts/Button";
import { Confirm, Dialog } from "../parts/Dialog";
import { Entries } from "../parts/Entries";
import { Icon } from "../parts/Icon";
import { Markdown } from "../parts/Markdown";
import { PageHead } from "../parts/PageHead";
import { Skeleton } from "../parts/Skeleton";
import { useLoaded } from "../state/loaded";
import { markRead, readNotices, notices, unread } from "../state/notices";
import { attempt, say } from "../state/session";
import { formatMoment, formatMomentIn, words } from "../words";
import { PushSwitch } from "./PushSwitch";
import { ScheduleCalendar } from "./ScheduleCalendar";
import { ScheduleForm } from "./ScheduleForm";

const PARTS = ["list", "calendar", "notices"] as const;

export function Schedules() {
  const texts = words.value.schedules;
  const [list, read] = useLoaded(api.list);
  const part = useSignal<(typeof PARTS)[number]>("list");
  const making = useSignal(false);
  useEffect(() => void readNotices(), []);
  return (
    <main class="page" id="main">
      <PageHead title={texts.head} about={texts.about}>
        <Button icon="plus" class="primary" onClick={() => (making.value = true)}>
          {texts.add}
        </Button>
      </PageHead>
      <div class="choices" role="group" aria-label={texts.head}>
        {PARTS.map((name) => (
          <Button key={name} aria-pressed={part.value === name} onClick={() => (part.value = name)}>
            {name === "notices" && unread.value ? `${texts.parts[name]} (${unread.value})` : texts.parts[name]}
          </Button>
        ))}
      </div>
      {!list.value && <Skeleton />}
      {part.value === "list" && (
        <Entries items={list.value} none={texts.none} class="plainlist schedulelist" draw={(each) => <Entry key={each.id} schedule={each} onChange={read} />} />
      )}
      {part.value === "calendar" && <ScheduleCalendar />}
      {part.value === "notices" && <PushSwitch />}
      {part.value === "notices" && <Notices />}
      {making.value && (
        <ScheduleForm
          onClose={() => (making.value = false)}
          onMade={() => {
            making.value = false;
            say(texts.made);
            void read();
          }}
        />
      )}
    </main>
  );
}

function Entry({ schedule, onChange }: { schedule: api.Schedule; onChange: () => Promise<void> }) {
  const texts = words.value.schedules;
  const [open, setOpen] = useState<"" | "edit" | "history" | "remove">("");
  const title = schedule.name || schedule.task;
  const change = (work: () => Promise<unknown>) => void attempt(work).then(onChange);
  return (
    <li>
      <span class="fact">
        <Icon name={schedule.watch ? "eye" : "clock"} /> <strong>{title}</strong>
      </span>
      <span class="facts">
        {schedule.when} · {schedule.zone} · {describeState(schedule)}
      </span>
      <span class="ends">
        <IconButton icon="play" label={`${texts.runNow}: ${title}`} onClick={() => change(() => api.runNow(schedule.id).then(() => say(texts.started)))} />
        {schedule.paused ? (
          <IconButton icon="reload" label={`${texts.resume}: ${title}`} onClick={() => change(() => api.resume(schedule.id))} />
        ) : (
          <IconButton icon="pause" label={`${texts.pause}: ${title}`} onClick={() => change(() => api.pause(schedule.id))} />
        )}
        <IconButton icon="pen" label={`${texts.edit}: ${title}`} onClick={() => setOpen("edit")} />
        <IconButton icon="list" label={`${texts.history}: ${title}`} onClick={() => setOpen("history")} />
        <IconButton icon="trash" label={`${texts.remove}: ${title}`} onClick={() => setOpen("remove")} />
      </span>
      {!!schedule.grants?.length && (
        <span class="facts granted">{schedule.grants.map((each) => texts.granted(each.site, each.effects.map((kind) => texts.effects[kind] ?? kind).join(", "))).join(" ")}</span>
      )}
      {schedule.paused && schedule.paused_why && <span class="facts granted">{schedule.paused_why}</span>}
      {open === "edit" && (
        <ScheduleForm
          known={schedule}
          onClose={() => setOpen("")}
          onMade={() => {
            setOpen("");
            say(texts.edited);
            void onChange();
          }}
        />
      )}
      {open === "history" && <History schedule={schedule} onClose={() => setOpen("")} />}
      {open === "remove" && <Confirm title={texts.removeHead(title)} text={texts.removeText} onYes={() => change(() => api.remove(schedule.id))} onClose={() => setOpen("")} />}
    </li>
  );
}

function describeState(schedule: api.Schedule): string {
  const texts = words.value.schedules;
  if (schedule.paused) return texts.paused;
  const failed = schedule.failures ? ` · ${texts.failed(schedule.failures)}` : "";
  return (schedule.next ? texts.next(formatMomentIn(schedule.next, schedule.zone ?? "UTC")) : texts.never) + failed;
}

function History({ schedule, onClose }: { schedule: api.Schedule; onClose: () => void }) {
  const texts = words.value.schedules;
  const fires = useSignal<api.Fire[] | null>(null);
  useEffect(() => void attempt(() => api.history(schedule.id)).then((found) => (fires.value = found ?? [])), []);
  return (
    <Dialog title={`${texts.history}: ${schedule.name || schedule.task}`} onClose={onClose} wide>
      {!fires.value && <Skeleton />}
      {fires.value?.length === 0 && <p class="hint">{texts.noHistory}</p>}
      {!!fires.value?.length && (
        <ul class="plainlist">
          {fires.value.map((each) => (
            <li key={each.due}>
              <strong>{formatMoment(each.due)}</strong>
              <span class="facts">{texts.states[each.outcome ?? each.state ?? "started"]}</span>
              {each.run && <a href={`/runs/${each.run}`}>{texts.open}</a>}
              {each.text && <Markdown text={each.text} />}
              {each.change && <pre class="change">{each.change}</pre>}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Notices() {
  const texts = words.value.schedules;
  const shown = notices.value.filter((each) => each.channel === "page" || each.state === "failed");
  if (!shown.length) return <p class="hint">{texts.noNotices}</p>;
  return (
    <ul class="plainlist">
      {shown.map((each) => (
        <li key={each.id} class={each.read || each.channel !== "page" ? "" : "unread"}>
          <strong>{each.title}</strong>
          <span class="facts">
            {texts.kinds[each.kind]} · {formatMoment(each.at)}
            {each.state === "failed" && ` · ${texts.channels[each.channel] ?? each.channel}: ${each.error ?? ""}`}
          </span>
          <span class="ends">
            {each.link && (
              <a href={each.link} target={each.link.startsWith("/answer/") ? "_blank" : undefined} rel="noopener">
                {each.kind === "question" ? texts.answer : texts.open}
              </a>
            )}
            {each.state === "failed" && (
              <IconButton icon="reload" label={`${texts.retry}: ${each.title}`} onClick={() => void attempt(() => api.retry(each.id)).then(readNotices)} />
            )}
            {!each.read && each.channel === "page" && (
              <IconButton icon="check" label={`${texts.markRead}: ${each.title}`} onClick={() => void attempt(() => markRead(each))} />
            )}
          </span>
          {each.text && <Markdown text={each.text} />}
        </li>
      ))}
    </ul>
  );
}
