/** The keyboard: `/` writes, Escape stops or closes, Ctrl-K finds everything, `?` helps. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../parts/Dialog";
import { Icon, type Name } from "../parts/Icon";
import { go } from "../state/route";
import { dark, drawer, language, theme } from "../state/session";
import { threads } from "../state/conversations";
import * as composer from "../state/composer";
import { loopName, words } from "../words";

type Command = { name: string; icon: Name; do: () => void; key?: string };

export function Shortcuts() {
  const [open, setOpen] = useState<"" | "palette" | "help">("");
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const field = (event.target as HTMLElement).closest?.("input, textarea, select, [contenteditable], canvas");
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen("palette");
      } else if (event.key === "Escape") escape(event);
      else if (field || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (event.key === "/") {
        event.preventDefault();
        write();
      } else if (event.key === "?") setOpen("help");
      else if (event.key === "g") useLargerModel();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  if (open === "palette") return <Palette onClose={() => setOpen("")} onHelp={() => setOpen("help")} />;
  return open === "help" ? <Help onClose={() => setOpen("")} /> : null;
}

function escape(event: KeyboardEvent): void {
  if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
  // Escape in a field for an address or a search does not stop the run.
  const field = (event.target as HTMLElement).closest?.<HTMLElement>("input, select, textarea:not(#compose)");
  if (field) field.blur();
  else if (drawer.value) drawer.value = "";
  else if (composer.active.value) void composer.stop();
  else (document.activeElement as HTMLElement | null)?.blur?.();
}

/** Go on with a larger model, where the newest run offers it. */
function useLargerModel(): void {
  [...document.querySelectorAll(".turn")].at(-1)?.querySelector<HTMLElement>('[aria-keyshortcuts="g"]')?.click();
}

function write(): void {
  const field = document.getElementById("compose");
  if (field) field.focus();
  else go("/");
}

function commands(onHelp: () => void): Command[] {
  const texts = words.value;
  const to = (icon: Name, name: string, path: string): Command => ({ icon, name, do: () => go(path) });
  const stop: Command = { icon: "stop", name: texts.compose.stop, do: () => void composer.stop(), key: "Esc" };
  const mode = (loop: string): Command => ({ icon: "dial", name: `${texts.compose.mode}: ${loopName(loop)}`, do: () => (composer.mode.value = loop) });
  return [
    to("plus", texts.nav.fresh, "/"),
    { icon: "pen", name: texts.palette.focus, do: write, key: "/" },
    ...(composer.active.value ? [stop] : []),
    to("list", texts.nav.runs, "/runs"),
    to("clock", texts.nav.schedules, "/schedules"),
    to("play", texts.nav.shortcuts, "/shortcuts"),
    to("book", texts.nav.memory, "/memory"),
    to("chart", texts.nav.costs, "/costs"),
    to("gear", texts.nav.settings, "/settings"),
    to("flag", texts.nav.first, "/welcome"),
    { icon: "half", name: texts.palette.theme, do: () => (theme.value = dark.value ? "light" : "dark") },
    { icon: "tongue", name: texts.palette.language, do: () => (language.value = language.value === "en" ? "zh" : "en") },
    ...composer.loops.value.map(mode),
    { icon: "ask", name: texts.nav.help, do: onHelp, key: "?" },
    ...(threads.value ?? []).map((each) => to("speech", each.title || texts.conversation.untitled, `/c/${each.id}`)),
  ];
}

function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const texts = words.value.palette;
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const needle = text.toLowerCase().split(/\s+/);
  const found = commands(onHelp)
    .filter((each) => needle.every((word) => each.name.toLowerCase().includes(word)))
    .slice(0, 50);
  const pick = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.do();
  };
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  return (
    <Dialog title={texts.label} onClose={onClose}>
      <input
        class="wide"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={found[at] ? `command-${at}` : undefined}
        aria-label={texts.hint}
        placeholder={texts.hint}
        value={text}
        autofocus
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, at + 1));
          else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
          else if (event.key === "Enter") pick(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul class="palette" id="palette" role="listbox" aria-label={texts.label} ref={list}>
        {found.map((each, index) => (
          <li key={index} id={`command-${index}`} role="option" aria-selected={index === at} onClick={() => pick(each)} onPointerMove={() => setAt(index)}>
            <Icon name={each.icon} />
            <span class="clip">{each.name}</span>
            {each.key && <kbd>{each.key}</kbd>}
          </li>
        ))}
      </ul>
      {!found.length && <p class="hint">{texts.none}</p>}
    </Dialog>
  );
}

function Help({ onClose }: { onClose: () => void }) {
  const texts = words.value.help;
  return (
    <Dialog title={texts.head} onClose={onClose}>
      <dl class="keys">
        {texts.keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              {key.split(" ").map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
