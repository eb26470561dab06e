/** Settings: the person's own, and for admins those of the server, each with its source. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as server from "../api/server";
import type { Change, Setting } from "../api/types";
import { type Kind, control, writeLabel } from "../compute/schema";
import { Skeleton } from "../parts/Skeleton";
import { PageHead } from "../parts/PageHead";
import { attempt, me, say } from "../state/session";
import { loadChoices } from "../state/composer";
import { settingTexts, formatMoment, words } from "../words";
import { ModelTest } from "./ModelTest";
import { UsersAndTokens } from "./Users";
import { Rules } from "./Rules";
import { Logins } from "./Logins";
import { Secrets } from "./Secrets";
import { PolicyTester } from "./PolicyTester";
import { Tools } from "./Tools";
import { DisplaySettings } from "./DisplaySettings";

const lines = signal<Setting[]>([]);
const schema = signal<Record<string, unknown>>({});

async function read(): Promise<void> {
  if (me.value?.role !== "admin") return;
  const found = await attempt(() => Promise.all([server.settings(), server.schema()]));
  if (found) [lines.value, schema.value] = found;
}

export function Settings({ part }: { part: string }) {
  const texts = words.value.settings;
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => void read(), []);
  // On a narrow screen the parts are one row, of which the open one must be in sight.
  useEffect(() => list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [part, lines.value.length]);
  const admin = me.value?.role === "admin";
  const groups = [...new Set(lines.value.map((line) => line.path.split(".")))].filter((path) => path.length > 1).map((path) => path[0] ?? "");
  const parts = ["you", "secrets", "logins", ...(admin ? [...new Set(groups), "tools"] : []), "people", ...(admin ? ["history"] : [])];
  const here = parts.includes(part) ? part : admin && !lines.value.length ? part : "you";
  return (
    <main class="page settings" id="main">
      <PageHead title={texts.head} />
      <div class="parts">
        <nav aria-label={texts.head}>
          <ul ref={list}>
            {parts.map((name) => (
              <li key={name}>
                <a href={`/settings/${name}`} aria-current={name === here ? "page" : undefined}>
                  {texts.parts[name] ?? writeLabel(name)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-label={texts.parts[here] ?? writeLabel(here)}>
          {here === "you" ? <DisplaySettings /> : here === "secrets" ? <Secrets /> : here === "logins" ? <Logins /> : here === "people" ? <UsersAndTokens /> : here === "history" ? <History /> : here === "tools" ? <Tools onChange={read} /> : <Group name={here} />}
        </section>
      </div>
    </main>
  );
}

function Group({ name }: { name: string }) {
  const mine = lines.value.filter((line) => (line.path.startsWith(`${name}.`) || (name === "server" && line.path === "mcp")) && line.path !== "agent.disabled_tools");
  return (
    <>
      {!lines.value.length && <Skeleton />}
      {mine.map((line) => (
        <Field key={line.path} line={line} kind={control(schema.value, line.path)} />
      ))}
      {name === "models" && <ModelTest />}
      {name === "policy" && <PolicyTester />}
    </>
  );
}

/** A setting without a translated title is shown by its own name. */
const settingTitle = (path: string) => settingTexts.value.settingTexts[path]?.[0] ?? writeLabel(path);

async function change(path: string, value: unknown): Promise<void> {
  const done = await attempt(() => server.set(path, value));
  if (!done) return;
  say(words.value.settings.saved);
  await Promise.all([read(), loadChoices()]);
}

function Field({ line, kind }: { line: Setting; kind: Kind }) {
  const texts = words.value.settings;
  const id = `set-${line.path}`;
  const about = settingTexts.value.settingTexts[line.path]?.[1] ?? line.about;
  return (
    <div class="setting">
      <label for={id}>{settingTitle(line.path)}</label>
      <Control id={id} line={line} kind={kind} />
      <p class="about">
        {about && <span>{about} </span>}
        {line.origin !== "default" && <span class="origin">{texts.origin[line.origin] ?? line.origin}</span>}
        {line.origin === "database" && (
          <button type="button" class="quiet" onClick={() => void change(line.path, null)}>
            {texts.undo}
          </button>
        )}
      </p>
    </div>
  );
}

function Control({ id, line, kind }: { id: string; line: Setting; kind: Kind }) {
  const texts = words.value.settings;
  const text = line.value === null || line.value === undefined ? "" : String(line.value);
  const keep = (value: unknown) => void change(line.path, value);
  switch (kind.kind) {
    case "flag":
      return <input id={id} type="checkbox" class="switch" role="switch" checked={!!line.value} onChange={(event) => keep(event.currentTarget.checked)} />;
    case "choice":
      return (
        <select id={id} value={text} onChange={(event) => keep(event.currentTarget.value)}>
          {kind.options.map((each) => (
            <option key={each} value={each}>
              {settingTexts.value.options[each] ?? each.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      );
    case "number":
      return (
        <input
          id={id}
          key={text}
          type="number"
          min={kind.least}
          max={kind.most}
          step={kind.whole ? 1 : "any"}
          value={text}
          placeholder={texts.unlimited}
          onChange={(event) => keep(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
        />
      );
    case "list":
      return (
        <textarea
          id={id}
          key={text}
          rows={3}
          placeholder={texts.list}
          value={(line.value as string[] | null)?.join("\n") ?? ""}
          onChange={(event) => keep(event.currentTarget.value.split("\n").map((each) => each.trim()).filter(Boolean))}
        />
      );
    case "rules":
      return <Rules id={id} rules={(line.value ?? []) as Record<string, string>[]} fields={kind.fields} onChange={keep} />;
    case "pairs":
      return (
        <textarea
          id={id}
          key={JSON.stringify(line.value)}
          rows={3}
          placeholder={texts.pairs}
          value={Object.entries((line.value ?? {}) as Record<string, string>).map((pair) => pair.join(" = ")).join("\n")}
          onChange={(event) => keep(Object.fromEntries(event.currentTarget.value.split("\n").map(pair).filter(([name]) => name)))}
        />
      );
    case "secret":
      return <input id={id} key={text} type="password" autocomplete="off" placeholder={text ? texts.set : texts.unset} onChange={(event) => event.currentTarget.value && keep(event.currentTarget.value)} />;
    case "text":
      return <input id={id} key={text} type="text" value={text} placeholder={texts.unset} list={line.path.startsWith("models.") ? "models" : undefined} onChange={(event) => keep(event.currentTarget.value)} />;
  }
}

function pair(line: string): [string, string] {
  const at = line.indexOf("=");
  return at < 0 ? [line.trim(), ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

function History() {
  const texts = words.value.settings;
  const list = useSignal<Change[] | null>(null);
  useEffect(() => void attempt(() => server.changes()).then((found) => (list.value = found ?? null)), []);
  if (!list.value) return null;
  if (!list.value.length) return <p class="hint">{texts.noChanges}</p>;
  return (
    <ul class="plainlist">
      {list.value.map((each) => (
        <li key={each.version}>
          <strong>{settingTitle(each.path)}</strong>
          <span class="clip">{each.value === null ? texts.undo : String(each.value)}</span>
          <span class="facts">
            {texts.by} {each.by} · {formatMoment(each.at)}
          </span>
        </li>
      ))}
    </ul>
  );
}

