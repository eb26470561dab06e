/** Costs: by day as a plot, by model and tool as bars. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as server from "../api/server";
import type { Costs as Book, Spent } from "../api/types";
import { formatCost, count, money } from "../compute/figures";
import { Skeleton } from "../parts/Skeleton";
import { PageHead } from "../parts/PageHead";
import { attempt } from "../state/session";
import { words } from "../words";

export function Costs() {
  const texts = words.value.costs;
  const days = useSignal(30);
  const book = useSignal<Book | null>(null);
  useEffect(() => {
    const since = new Date(Date.now() - days.value * 86_400_000).toISOString();
    void attempt(() => server.costs(since)).then((found) => (book.value = found ?? null));
  }, [days.value]);
  const held = book.value;
  const used = held ? held.total.input + held.total.output > 0 || held.tools.length > 0 : false;
  return (
    <main class="page" id="main">
      <PageHead title={texts.head}>
        <select aria-label={texts.days(days.value)} value={days.value} onChange={(event) => (days.value = Number(event.currentTarget.value))}>
          {[7, 30, 90].map((each) => (
            <option key={each} value={each}>
              {texts.days(each)}
            </option>
          ))}
        </select>
      </PageHead>
      {!held && <Skeleton />}
      {held && !used && <p class="hint">{texts.none}</p>}
      {held && used && (
        <>
          <Totals book={held} />
          <Days spent={held.days} days={days.value} />
          <Bars head={texts.byModel} name={texts.model} spent={held.models} />
          <Bars head={texts.byTool} name={texts.tool} spent={held.tools} />
          <Bars head={texts.searches} name={texts.provider} spent={held.searches} />
        </>
      )}
    </main>
  );
}

function Totals({ book }: { book: Book }) {
  const texts = words.value.costs;
  const figures: [string, string][] = [
    [texts.total, formatCost(book.total, words.value)],
    [texts.tokens, `${count(book.total.input)} ${texts.input} · ${count(book.total.output)} ${texts.output}`],
    [texts.cached, count(book.total.cached)],
    [texts.runs, String(book.runs.length)],
  ];
  return (
    <dl class="figures-row">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A bar per day: money where there is any, else tokens. */
function Days({ spent, days }: { spent: readonly Spent[]; days: number }) {
  const texts = words.value.costs;
  const known = new Map(spent.map((each) => [each.name, each]));
  const paid = spent.some((each) => each.usage.cost > 0);
  const size = (each: Spent | undefined) => (!each ? 0 : paid ? each.usage.cost : each.usage.input + each.usage.output);
  const all = Array.from({ length: days }, (_, at) => new Date(Date.now() - (days - 1 - at) * 86_400_000).toISOString().slice(0, 10));
  const most = Math.max(...all.map((day) => size(known.get(day))), 1e-9);
  const label = (day: string) => {
    const each = known.get(day);
    return `${day}: ${each ? `${money(each.usage.cost)}, ${count(each.usage.input + each.usage.output)} ${texts.tokens.toLowerCase()}` : "0"}`;
  };
  return (
    <section>
      <div class="split">
        <h2>{texts.byDay}</h2>
        <span class="facts">{texts.peak(paid ? money(most) : `${count(most)} ${texts.tokens.toLowerCase()}`)}</span>
      </div>
      <ol class="days" aria-label={texts.byDay}>
        {all.map((day) => (
          <li key={day} title={label(day)}>
            <span class="bar" style={{ height: `${(size(known.get(day)) / most) * 100}%` }} />
            <span class="unseen">{label(day)}</span>
          </li>
        ))}
      </ol>
      <p class="axis">
        <span>{all[0]}</span>
        <span>{all.at(-1)}</span>
      </p>
    </section>
  );
}

function Bars({ head, name, spent }: { head: string; name: string; spent: readonly Spent[] }) {
  const texts = words.value.costs;
  if (!spent.length) return null;
  const sorted = [...spent].sort((one, two) => two.usage.cost - one.usage.cost || two.calls - one.calls);
  const most = Math.max(...sorted.map((each) => each.calls), 1);
  return (
    <section>
      <h2>{head}</h2>
      <div class="scroll" tabIndex={0} role="region" aria-label={head}>
        <table class="bars">
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col">{texts.calls}</th>
              <th scope="col">{texts.tokens}</th>
              <th scope="col">{texts.cost}</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((each) => (
              <tr key={each.name}>
                <th scope="row">
                  <span class="clip">{each.name}</span>
                  <span class="share" style={{ width: `${(each.calls / most) * 100}%` }} />
                </th>
                <td>{each.calls}</td>
                <td>{count(each.usage.input + each.usage.output)}</td>
                <td>{formatCost(each.usage, words.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
