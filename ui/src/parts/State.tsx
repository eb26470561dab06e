/** The state of a run: a word, an icon and a colour together, never colour alone. */
import type { Condition } from "../compute/status";
import { words } from "../words";
import { Icon, type Name } from "./Icon";

const ICONS: Record<Condition, Name> = {
  queued: "clock",
  working: "wave",
  waiting: "hand",
  paused: "pause",
  done: "check",
  stopped: "stop",
  failed: "warn",
  broke: "coin",
};

export function State({ of, short = false }: { of: Condition; short?: boolean }) {
  const word = words.value.condition[of];
  return (
    <span class={`state ${of}`} title={short ? word : undefined}>
      <Icon name={ICONS[of]} size={14} />
      <span class={short ? "unseen" : ""}>{word}</span>
    </span>
  );
}
