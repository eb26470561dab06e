/** The calendar of schedules: a month of what was and what comes, by the clocks of each. Arrow keys move between its days. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../api/schedules";
import { IconButton } from "../parts/Button";
import { language, attempt } from "../state/session";
import { words } from "../words";

const DAY = 86_400_000;
const SHOWN = 4;

/** The Monday with which the weeks of a month begin. */
function firstDay(month: Date): Date {
  const first = new Date(month.getFullYear(), month.getMonth(), 1);
  return new Date(first.getFullYear(), first.getMonth(), 1 - ((first.getDay() + 6) % 7));
}

const key = (day: Date) => `${day.getFullYear()}-${day.getMonth()}-${day.getDate()}`;
/** The key of the day on which a moment is in a time zone. */
function dayIn(at: string, zone: string): string {
  const [year, month, day] = new Date(at).toLocaleDateString("sv-SE", { timeZone: zone }).split("-").map(Number);
  return `${year}-${(month ?? 1) - 1}-${day}`;
}

const locale = () => (language.value === "zh" ? "zh-CN" : "en-GB");

export function ScheduleCalendar() {
  const texts = words.value.schedules;
  const month = useSignal(new Date());
  const entries = useSignal<api.Entry[]>([]);
  const start = firstDay(month.value);
  const days = Array.from({ length: 42 }, (_, number) => new Date(start.getFullYear(), start.getMonth(), start.getDate() + number));
  useEffect(() => {
    const from = firstDay(month.value);
    void attempt(() => api.calendar(from, new Date(from.getTime() + 43 * DAY))).then((found) => (entries.value = found?.entries ?? []));
  }, [month.value]);
  const byDay = new Map<string, api.Entry[]>();
  for (const each of entries.value) {
    const day = dayIn(each.at, each.zone);
    byDay.set(day, [...(byDay.get(day) ?? []), each]);
  }
  const move = (by: number) => (month.value = new Date(month.value.getFullYear(), month.value.getMonth() + by, 1));
  return (
    <section class="calendar" aria-label={texts.parts.calendar}>
      <header>
        <IconButton icon="left" label={texts.earlier} onClick={() => move(-1)} />
        <h2>{month.value.toLocaleDateString(locale(), { month: "long", year: "numeric" })}</h2>
        <IconButton icon="right" label={texts.later} onClick={() => move(1)} />
      </header>
      <ol class="monthdays" onKeyDown={moveByArrow}>
        {days.map((day) => (
          <Day key={key(day)} day={day} entries={byDay.get(key(day)) ?? []} outside={day.getMonth() !== month.value.getMonth()} />
        ))}
      </ol>
      {!entries.value.length && <p class="hint">{texts.nothing}</p>}
    </section>
  );
}

function Day({ day, entries, outside }: { day: Date; entries: api.Entry[]; outside: boolean }) {
  const texts = words.value.schedules;
  const today = key(day) === key(new Date());
  const name = day.toLocaleDateString(locale(), { weekday: "short", day: "numeric", month: "short" });
  return (
    <li tabIndex={0} class={`${outside ? "outside" : ""} ${today ? "today" : ""} ${entries.length ? "" : "free"}`} aria-label={`${name}: ${entries.length}`} aria-current={today ? "date" : undefined}>
      <span class="date">
        <span class="longdate">{name}</span>
        <span class="shortdate">{day.toLocaleDateString(locale(), { weekday: "short", day: "numeric" })}</span>
      </span>
      <ul>
        {entries.slice(0, SHOWN).map((each) => (
          <li key={`${each.schedule}${each.at}`} class={`entry ${each.outcome ?? each.state}`} title={`${each.title} · ${each.zone} · ${texts.states[each.outcome ?? each.state]}`}>
            <span class="time">{new Date(each.at).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", timeZone: each.zone })}</span>{" "}
            {each.run ? (
              <a class="clip" href={`/runs/${each.run}`}>
                {each.title}
              </a>
            ) : (
              <span class="clip">{each.title}</span>
            )}
            {each.count !== 1 && <span class="facts"> {each.count ? `× ${each.count}` : each.when}</span>}
            <span class="unseen"> {texts.states[each.outcome ?? each.state]}</span>
          </li>
        ))}
        {entries.length > SHOWN && <li class="facts">{texts.others(entries.length - SHOWN)}</li>}
      </ul>
    </li>
  );
}

function moveByArrow(event: KeyboardEvent): void {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
  const all = [...document.querySelectorAll<HTMLElement>(".calendar .monthdays > li")];
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (!by || at < 0) return;
  event.preventDefault();
  all[Math.max(0, Math.min(all.length - 1, at + by))]?.focus();
}
