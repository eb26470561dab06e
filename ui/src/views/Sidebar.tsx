/** Conversations by day, and the ways to the other pages. */
import { useState } from "preact/hooks";
import * as server from "../api/server";
import type { Thread } from "../api/types";
import { ageGroup } from "../compute/figures";
import { isUnfinished } from "../compute/status";
import { Button, IconButton } from "../parts/Button";
import { Confirm, Dialog } from "../parts/Dialog";
import { Icon, type Name } from "../parts/Icon";
import { Menu } from "../parts/Menu";
import { State } from "../parts/State";
import { go, route } from "../state/route";
import { attempt, drawer, sidebar } from "../state/session";
import { conditions, forget, opened, refresh, search, threads } from "../state/conversations";
import { words } from "../words";

const LINKS: [Name, "runs" | "schedules" | "shortcuts" | "memory" | "costs" | "settings"][] = [
  ["list", "runs"],
  ["clock", "schedules"],
  ["play", "shortcuts"],
  ["book", "memory"],
  ["chart", "costs"],
  ["gear", "settings"],
];

export function Sidebar() {
  const texts = words.value.nav;
  const unfolded = drawer.value === "menu";
  const wide = unfolded || sidebar.value;
  const fold = () => {
    if (matchMedia("(max-width: 1099px)").matches) drawer.value = unfolded ? "" : "menu";
    else sidebar.value = !sidebar.value;
  };
  return (
    <nav class={`sidebar ${wide ? "" : "slim"} ${unfolded ? "unfolded" : ""}`} aria-label={texts.menu}>
      <header>
        <a class="logo" href="/" aria-label={words.value.name}>
          <span class="fish">
            <Icon name="wave" size={18} />
          </span>
          <span class="label">{words.value.name}</span>
        </a>
        <IconButton icon="fold" class="collapse" label={wide ? texts.collapse : texts.expand} onClick={fold} />
      </header>
      <a class="fresh" href="/" title={texts.fresh}>
        <Icon name="plus" /> <span class="label">{texts.fresh}</span>
      </a>
      <Threads />
      <ul class="links">
        {LINKS.map(([icon, name]) => (
          <li key={name}>
            <a href={`/${name}`} aria-current={route.value.view === name ? "page" : undefined} title={texts[name]}>
              <Icon name={icon} /> <span class="label">{texts[name]}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Threads() {
  const texts = words.value.nav;
  const all = threads.value ?? [];
  const groups = ["today", "yesterday", "week", "older"] as const;
  return (
    <div class="threads">
      <label class="find">
        <Icon name="search" size={14} />
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
            void refresh();
          }}
        />
      </label>
      {threads.value && !all.length && <p class="hint">{search.value ? texts.nothing : texts.none}</p>}
      {groups.map((group) => {
        const held = all.filter((each) => ageGroup(each.updated) === group);
        return (
          held.length > 0 && (
            <section key={group}>
              <h3>{texts[group]}</h3>
              <ul onKeyDown={moveByArrow}>
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

function moveByArrow(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const all = [...document.querySelectorAll<HTMLElement>(".threads a")];
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  all[Math.max(0, Math.min(all.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
}

function Entry({ thread }: { thread: Thread }) {
  const texts = words.value;
  const [asking, setAsking] = useState<"" | "name" | "remove">("");
  const state = conditions.value.get(thread.id);
  const title = thread.title || texts.conversation.untitled;
  const remove = async () => {
    await attempt(() => forget(thread.id));
    if (opened.value === thread.id) go("/");
  };
  return (
    <li class={opened.value === thread.id ? "open" : ""}>
      <a href={`/c/${thread.id}`} aria-current={opened.value === thread.id ? "page" : undefined} title={title}>
        <span class="clip">{title}</span>
        {state && isUnfinished(state) && <State of={state} short />}
      </a>
      <Menu label={`${texts.nav.more}: ${title}`} icon="more" align="right" below>
        {(close) => (
          <>
            <Button icon="pen" onClick={() => (close(), setAsking("name"))}>
              {texts.nav.rename}
            </Button>
            <Button icon="save" onClick={() => (close(), void save(thread))}>
              {texts.nav.export}
            </Button>
            <Button icon="trash" onClick={() => (close(), setAsking("remove"))}>
              {texts.nav.remove}
            </Button>
          </>
        )}
      </Menu>
      {asking === "remove" && <Confirm title={texts.edge.removeTalk} text={texts.edge.removeTalkText} onYes={() => void remove()} onClose={() => setAsking("")} />}
      {asking === "name" && <Rename thread={thread} onClose={() => setAsking("")} />}
    </li>
  );
}

function Rename({ thread, onClose }: { thread: Thread; onClose: () => void }) {
  const texts = words.value.edge;
  const [title, setTitle] = useState(thread.title);
  return (
    <Dialog title={words.value.nav.rename} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void attempt(() => server.rename(thread.id, title.trim())).then(refresh);
        }}
      >
        <input class="wide" aria-label={texts.newTitle} value={title} maxLength={200} onInput={(event) => setTitle(event.currentTarget.value)} />
        <footer>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" class="primary" disabled={!title.trim()}>
            {texts.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The whole conversation as one Markdown file: its runs in order, each as the server exports it. */
async function save(thread: Thread): Promise<void> {
  await attempt(async () => {
    const page = await server.runs({ conversation: thread.id, limit: 200 });
    const parts = await Promise.all(
      page.items.reverse().map(async (run) => (await fetch(server.exportAddress(run.id, "markdown"))).text()),
    );
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([parts.join("\n")], { type: "text/markdown" }));
    link.download = `${(thread.title || "conversation").replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.md`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
