/** Buttons: with text, or with an icon and a label for screen readers. */
import type { ComponentChildren, JSX } from "preact";
import { Icon, type Name } from "./Icon";

type Native = Omit<JSX.IntrinsicElements["button"], "icon" | "label" | "children">;

export function IconButton({ icon, label, ...rest }: Native & { icon: Name; label: string }) {
  return (
    <button type="button" {...rest} class={`square ${String(rest.class ?? "")}`} aria-label={label} title={label}>
      <Icon name={icon} />
    </button>
  );
}

export function Button({ icon, children, ...rest }: Native & { icon?: Name; children: ComponentChildren }) {
  return (
    <button type="button" {...rest} class={`button ${String(rest.class ?? "")}`}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
