/** A button that opens a small panel. Escape, a click elsewhere or leaving it with Tab closes it; arrows move inside. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon, type Name } from "./Icon";

type Props = {
  label: string;
  icon?: Name;
  text?: string;
  children: (close: () => void) => ComponentChildren;
  align?: "left" | "right";
  below?: boolean;
  class?: string;
};

export function Menu({ label, icon, text, children, align = "left", below = false, class: kind = "" }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const panel = useId();
  const close = () => setOpen(false);
  useEffect(() => {
    if (!open) return;
    // Below the last answer a panel would lie outside what is shown.
    root.current?.querySelector(".panel")?.scrollIntoView({ block: "nearest" });
    root.current?.querySelector<HTMLElement>(".panel [aria-pressed=true], .panel button, .panel input, .panel a")?.focus();
    const away = (event: Event) => root.current?.contains(event.target as Node) || close();
    addEventListener("pointerdown", away);
    addEventListener("focusin", away);
    return () => {
      removeEventListener("pointerdown", away);
      removeEventListener("focusin", away);
    };
  }, [open]);
  return (
    <div class={`menu ${kind}`} ref={root} onKeyDown={(event) => open && handleKey(event, root.current, close)}>
      <button type="button" class={text ? "picker" : "square"} aria-expanded={open} aria-controls={open ? panel : undefined} aria-label={text ? `${label}: ${text}` : label} title={label} onClick={() => setOpen(!open)}>
        {icon && <Icon name={icon} />}
        {text && <span class="clip">{text}</span>}
        {text && <Icon name="down" size={12} />}
      </button>
      {open && (
        <div class={`panel ${align} ${below ? "below" : ""}`} id={panel} role="group" aria-label={label}>
          {children(close)}
        </div>
      )}
    </div>
  );
}

function handleKey(event: KeyboardEvent, root: HTMLElement | null, close: () => void): void {
  if (event.key === "Escape") {
    event.stopPropagation();
    close();
    root?.querySelector<HTMLElement>("button")?.focus();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const all = [...(root?.querySelectorAll<HTMLElement>(".panel button, .panel a, .panel input") ?? [])];
  const at = all.indexOf(document.activeElement as HTMLElement);
  event.preventDefault();
  all.at((at + (event.key === "ArrowDown" ? 1 : -1) + all.length) % all.length)?.focus();
}

export function Choice({ on, title, about, onPick, disabled = false }: { on: boolean; title: string; about?: string; onPick: () => void; disabled?: boolean }) {
  return (
    <button type="button" class="choice" aria-pressed={on} disabled={disabled} onClick={onPick}>
      <span class="tick">{on && <Icon name="check" size={14} />}</span>
      <span>
        <span class="title">{title}</span>
        {about && <span class="about">{about}</span>}
      </span>
    </button>
  );
}
