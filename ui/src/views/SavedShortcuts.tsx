/** The person's shortcuts: use, rename, export, import and delete. `SaveShortcut` makes them. */
import { useRef, useState } from "preact/hooks";
import { Failure } from "../api/http";
import * as api from "../api/shortcuts";
import type { Shortcut } from "../api/types";
import { completeShortcut, NAME } from "../compute/shortcuts";
import { Button, IconButton } from "../parts/Button";
import { Confirm, Dialog } from "../parts/Dialog";
import { Entries } from "../parts/Entries";
import { Icon } from "../parts/Icon";
import { PageHead } from "../parts/PageHead";
import { Skeleton } from "../parts/Skeleton";
import * as composer from "../state/composer";
import { useLoaded } from "../state/loaded";
import { go } from "../state/route";
import { attempt, showFailure, say } from "../state/session";
import { words } from "../words";

export function SavedShortcuts() {
  const texts = words.value.saved;
  const picker = useRef<HTMLInputElement>(null);
  const [list, read] = useLoaded(async () => (composer.shortcuts.value = await api.list()));
  const bring = async (file: File | undefined) => {
    if (!file) return;
    try {
      const content: unknown = JSON.parse(await file.text());
      const made = await attempt(() => api.importShortcut(content));
      if (made) say(texts.imported(made.name));
    } catch {
      showFailure(new Failure(422, "invalid", texts.noFile));
    }
    await read();
  };
  return (
    <main class="page" id="main">
      <PageHead title={texts.head} about={texts.about}>
        <Button icon="plus" onClick={() => picker.current?.click()}>
          {texts.import}
        </Button>
        <input
          ref={picker}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={texts.import}
          onChange={(event) => {
            void bring(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </PageHead>
      {!list.value && <Skeleton />}
      <Entries items={list.value} none={texts.none} class="plainlist schedulelist" draw={(each) => <Entry key={each.name} shortcut={each} onChange={read} />} />
    </main>
  );
}

function Entry({ shortcut, onChange }: { shortcut: Shortcut; onChange: () => Promise<void> }) {
  const texts = words.value.saved;
  const edge = words.value.nav;
  const [open, setOpen] = useState<"" | "name" | "remove">("");
  const { name } = shortcut;
  const actions = shortcut.recipe.actions ?? [];
  const remove = async () => {
    await attempt(() => api.remove(name));
    await onChange();
  };
  const use = () => {
    go("/");
    composer.text.value = completeShortcut(shortcut).text;
    setTimeout(() => document.getElementById("compose")?.focus());
  };
  return (
    <li>
      <strong>{completeShortcut(shortcut).text}</strong>
      <span class="ends">
        <IconButton icon="play" label={`${texts.use}: /${name}`} onClick={use} />
        <IconButton icon="pen" label={`${edge.rename}: /${name}`} onClick={() => setOpen("name")} />
        <a class="square" href={api.file(name)} download={`${name}.json`} title={`${edge.export}: /${name}`} aria-label={`${edge.export}: /${name}`}>
          <Icon name="save" />
        </a>
        <IconButton icon="trash" label={`${edge.remove}: /${name}`} onClick={() => setOpen("remove")} />
      </span>
      <span class="facts granted">{shortcut.task}</span>
      <details class="granted">
        <summary>
          {texts.steps(actions.length)}
          {!!shortcut.replacements && ` · ${texts.replacements(shortcut.replacements)}`}
        </summary>
        <ol>
          {actions.map((each, at) => (
            <li key={at}>{(each.text ?? "").replaceAll(/\[\d{1,9}\] /g, "") || each.tool}</li>
          ))}
        </ol>
      </details>
      {open === "name" && <Rename name={name} onChange={onChange} onClose={() => setOpen("")} />}
      {open === "remove" && <Confirm title={texts.removeHead(name)} text={texts.removeText} onYes={() => void remove()} onClose={() => setOpen("")} />}
    </li>
  );
}

function Rename({ name, onChange, onClose }: { name: string; onChange: () => Promise<void>; onClose: () => void }) {
  const edge = words.value.edge;
  const [to, setTo] = useState(name);
  const rename = async () => {
    if (to !== name && !(await attempt(() => api.rename(name, to)))) return;
    onClose();
    await onChange();
  };
  return (
    <Dialog title={words.value.nav.rename} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <input class="wide" autofocus required pattern={NAME} aria-label={words.value.saved.name} value={to} maxLength={40} spellcheck={false} onInput={(event) => setTo(event.currentTarget.value)} />
        <footer>
          <Button onClick={onClose}>{edge.cancel}</Button>
          <Button type="submit" class="primary" disabled={!new RegExp(`^${NAME}$`).test(to)}>
            {edge.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
