/** Conversations by day, and the ways to the other pages. */
import { useState } from "preact/hooks";
import * as fish from "../api/fish";
import type { Thread } from "../api/types";
import { age } from "../fold/figures";
import { busy } from "../fold/status";
import { Button, IconButton } from "../parts/Button";
import { Confirm, Dialog } from "../parts/Dialog";
import { Icon, type Name } from "../parts/Icon";
import { Menu } from "../parts/Menu";
import { State } from "../parts/State";
import { go, place } from "../state/place";
import { attempt, drawer, sidebar } from "../state/session";
import { conditions, forget, opened, refresh, search, threads } from "../state/talks";
import { words } from "../words";

const LINKS: [Name, "runs" | "memory" | "costs" | "settings"][] = [
  ["list", "runs"],
  ["book", "memory"],
  ["chart", "costs"],
  ["gear", "settings"],
];

export function Sidebar() {
  const told = words.value.nav;
  const unfolded = drawer.value === "menu";
  const wide = unfolded || sidebar.value;
  const fold = () => {
    if (matchMedia("(max-width: 1099px)").matches) drawer.value = unfolded ? "" : "menu";
    else sidebar.value = !sidebar.value;
  };
  return (
    <nav class={`sidebar ${wide ? "" : "slim"} ${unfolded ? "unfolded" : ""}`} aria-label={told.menu}>
      <header>
        <a class="logo" href="/" aria-label={words.value.name}>
          <span class="fish">
            <Icon name="wave" size={18} />
          </span>
          <span class="label">{words.value.name}</span>
        </a>
        <IconButton icon="fold" class="collapse" label={wide ? told.collapse : told.expand} onClick={fold} />
      </header>
      <a class="fresh" href="/" title={told.fresh}>
        <Icon name="plus" /> <span class="label">{told.fresh}</span>
      </a>
      <Threads />
      <ul class="links">
        {LINKS.map(([icon, name]) => (
          <li key={name}>
            <a href={`/${name}`} aria-current={place.value.view === name ? "page" : undefined} title={told[name]}>
              <Icon name={icon} /> <span class="label">{told[name]}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Threads() {
  const told = words.value.nav;
  const all = threads.value ?? [];
  const groups = ["today", "yesterday", "week", "older"] as const;
  return (
    <div class="threads">
      <label class="find">
        <Icon name="search" size={14} />
        <input
          type="search"
          aria-label={told.search}
          placeholder={told.search}
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
            void refresh();
          }}
        />
      </label>
      {threads.value && !all.length && <p class="hint">{search.value ? told.nothing : told.none}</p>}
      {groups.map((group) => {
        const held = all.filter((each) => age(each.updated) === group);
        return (
          held.length > 0 && (
            <section key={group}>
              <h3>{told[group]}</h3>
              <ul onKeyDown={arrows}>
                {held.map((each) => (
                  <Entry key={each.id} thread={each} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
}

function arrows(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const all = [...document.querySelectorAll<HTMLElement>(".threads a")];
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  all[Math.max(0, Math.min(all.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
}

function Entry({ thread }: { thread: Thread }) {
  const told = words.value;
  const [asking, setAsking] = useState<"" | "name" | "remove">("");
  const state = conditions.value.get(thread.id);
  const title = thread.title || told.talk.untitled;
  const remove = async () => {
    await attempt(() => forget(thread.id));
    if (opened.value === thread.id) go("/");
  };
  return (
    <li class={opened.value === thread.id ? "open" : ""}>
      <a href={`/c/${thread.id}`} aria-current={opened.value === thread.id ? "page" : undefined} title={title}>
        <span class="clip">{title}</span>
        {state && busy(state) && <State of={state} short />}
      </a>
      <Menu label={`${told.nav.more}: ${title}`} icon="more" align="right" below>
        {(close) => (
          <>
            <Button icon="pen" onClick={() => (close(), setAsking("name"))}>
              {told.nav.rename}
            </Button>
            <Button icon="save" onClick={() => (close(), void save(thread))}>
              {told.nav.export}
            </Button>
            <Button icon="trash" onClick={() => (close(), setAsking("remove"))}>
              {told.nav.remove}
            </Button>
          </>
        )}
      </Menu>
      {asking === "remove" && <Confirm title={told.edge.removeTalk} text={told.edge.removeTalkText} onYes={() => void remove()} onClose={() => setAsking("")} />}
      {asking === "name" && <Rename thread={thread} onClose={() => setAsking("")} />}
    </li>
  );
}

function Rename({ thread, onClose }: { thread: Thread; onClose: () => void }) {
  const told = words.value.edge;
  const [title, setTitle] = useState(thread.title);
  return (
    <Dialog title={words.value.nav.rename} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void attempt(() => fish.rename(thread.id, title.trim())).then(refresh);
        }}
      >
        <input class="wide" aria-label={told.newTitle} value={title} maxLength={200} onInput={(event) => setTitle(event.currentTarget.value)} />
        <footer>
          <Button onClick={onClose}>{told.cancel}</Button>
          <Button type="submit" class="primary" disabled={!title.trim()}>
            {told.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The whole conversation as one Markdown file: its runs in order, each as the server tells it. */
async function save(thread: Thread): Promise<void> {
  await attempt(async () => {
    const page = await fish.runs({ conversation: thread.id, limit: 200 });
    const parts = await Promise.all(
      page.items.reverse().map(async (run) => (await fetch(fish.exported(run.id, "markdown"))).text()),
    );
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([parts.join("\n")], { type: "text/markdown" }));
    link.download = `${(thread.title || "conversation").replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.md`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
