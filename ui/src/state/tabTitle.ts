/** Shows the state in the tab's title and icon, and in a system notification if the person wants one. */
import { computed, effect } from "@preact/signals";
import { type Condition, findMostUrgent } from "../compute/status";
import { words } from "../words";
import { feed } from "./runEvents";
import { bell } from "./session";
import { conditions, current, thread } from "./conversations";
import { conditionOf } from "../compute/status";

const COLOURS: Partial<Record<Condition, string>> = { waiting: "#b45309", working: "#0b7a75", paused: "#64748b", failed: "#b91c1c" };

/** The condition that matters most: of the open run now, of the others as last known. */
export const foremostCondition = computed(() => {
  const run = current.value;
  const runState = run ? feed(run.id).runState.value : null;
  const here = run && runState?.last ? conditionOf(runState.state, runState.outcome) : null;
  const others = [...conditions.value].filter(([id]) => id !== run?.conversation).map(([, each]) => each);
  const live = others.filter((each) => each === "waiting" || each === "working");
  return findMostUrgent(here ? [here, ...live] : live);
});

function icon(colour: string | undefined): string {
  const dot = colour ? `<circle cx='25' cy='7' r='7' fill='${colour}' stroke='#fff' stroke-width='2'/>` : "";
  const waves = [11, 17, 23].map((y) => `<path d='M6 ${y}c3.4-3 6.600-3 10 0s6.600 3 10 0'/>`).join("");
  const art = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#0b7a75'/><g fill='none' stroke='#fff' stroke-width='2.6' stroke-linecap='round'>${waves}</g>${dot}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(art)}`;
}

export function install(): void {
  let before: Condition | null = null;
  effect(() => {
    const now = foremostCondition.value;
    const title = thread.value?.title;
    const texts = now && now !== "done" && now !== "stopped" ? words.value.condition[now] : "";
    document.title = [texts, title || "Pilotfish"].filter(Boolean).join(" · ");
    const link = document.getElementById("icon") as HTMLLinkElement | null;
    if (link && now !== before) link.href = now ? icon(COLOURS[now]) : "/fish.svg";
    if (now === "waiting" && before !== "waiting" && bell.value && document.hidden && Notification.permission === "granted")
      new Notification(words.value.condition.waiting, { body: title ?? "", tag: "pilotfish" });
    before = now;
  });
}
