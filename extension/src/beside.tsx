/** What stands between the panel's head and the conversation: the page in front, other tabs, and tabs that are driven. */
import { computed, effect, signal } from "@preact/signals";
import { call } from "../../ui/src/api/http";
import * as server from "../../ui/src/api/server";
import { Button, IconButton } from "../../ui/src/parts/Button";
import { Icon } from "../../ui/src/parts/Icon";
import { Menu } from "../../ui/src/parts/Menu";
import { Monogram } from "../../ui/src/parts/Monogram";
import { active } from "../../ui/src/state/composer";
import { opened } from "../../ui/src/state/conversations";
import { feed } from "../../ui/src/state/runEvents";
import { attempt, say } from "../../ui/src/state/session";
import { words } from "../../ui/src/words";
import { chosen, driven, type FrontTab, front, handed, incognito, lookAround, onTouch, others, isReadable, toggle, workable } from "./front";
import { panelWords } from "./words";

export type Way = "ask" | "work";
export const way = signal<Way>("ask");

/** The run waits: the person touched its tab, or paused it. */
const paused = computed(() => {
  const run = active.value;
  return run !== null && feed(run.id).runState.value.state === "paused";
});

/** The run that pauses as soon as what goes on in it is over, such as a model's answer; nothing more is done until then. */
const pausing = signal("");
effect(() => {
  if (paused.value) pausing.value = "";
});
onTouch(() => (pausing.value = paused.value ? "" : (active.value?.id ?? "")));

const named = (tab: FrontTab) => tab.title || tab.url;

export function Beside() {
  return (
    <section class="beside" aria-label={words.value.compose.mode}>
      {active.value && handed.value.attached.length ? <Driven /> : <Ways />}
    </section>
  );
}

/** What a message is about: the page in front, to be read or to be worked in. */
function Ways() {
  const texts = panelWords.value;
  const tab = front.value;
  const work = workable.value ? texts.work : texts.workNew;
  const hint = way.value === "work" ? (workable.value ? texts.workHint : texts.newHint) : isReadable(tab) ? texts.askHint : texts.none;
  return (
    <>
      <p class="front">
        {tab && <Monogram url={tab.url} />}
        <span class="clip">{tab ? named(tab) : ""}</span>
        <OtherTabs />
      </p>
      <Chosen />
      <div class="ways" role="group" aria-label={words.value.compose.mode}>
        <Button aria-pressed={way.value === "ask"} disabled={!isReadable(tab)} onClick={() => (way.value = "ask")}>
          {texts.ask}
        </Button>
        <Button aria-pressed={way.value === "work"} onClick={() => (way.value = "work")}>
          {work}
        </Button>
      </div>
      <p class="hint" role="status">
        {hint}
      </p>
      {incognito.value && <p class="hint">{texts.incognito}</p>}
    </>
  );
}

/** The person's other tabs by title; those that are ticked are read with the question. */
function OtherTabs() {
  const texts = panelWords.value;
  if (way.value !== "ask") return null;
  return (
    <span onClickCapture={() => void lookAround()}>
      <Menu label={texts.also} icon="plus" align="right" below>
        {() => (
          <>
            <p class="group">{texts.also}</p>
            <p class="hint">{others.value.length ? texts.alsoHint : texts.noOthers}</p>
            {others.value.map((tab) => (
              <label class="choice" key={tab.id}>
                <input type="checkbox" checked={chosen.value.some((each) => each.id === tab.id)} onChange={() => toggle(tab)} />
                <Monogram url={tab.url} />
                <span class="title clip">{named(tab)}</span>
              </label>
            ))}
          </>
        )}
      </Menu>
    </span>
  );
}

function Chosen() {
  if (way.value !== "ask" || !chosen.value.length) return null;
  return (
    <ul class="attached">
      {chosen.value.map((tab) => (
        <li key={tab.id}>
          <Monogram url={tab.url} />
          <span class="clip">{named(tab)}</span>
          <IconButton icon="cross" label={`${panelWords.value.without}: ${named(tab)}`} onClick={() => toggle(tab)} />
        </li>
      ))}
    </ul>
  );
}

/** The tab that is worked in, whose turn it is, and how to end that. */
function Driven() {
  const texts = panelWords.value;
  const stopping = pausing.value !== "" && pausing.value === active.value?.id;
  const yours = paused.value || stopping;
  const [first = "", ...more] = driven.value;
  const where = `${texts.driven} “${first}”${more.length ? texts.andMore(more.length) : ""}`;
  return (
    <div class={`driven ${yours ? "yours" : ""}`} role="status">
      <p>
        <Icon name={yours ? "hand" : "cursor"} />
        <span>{paused.value ? texts.yours : stopping ? texts.pausing : where}</span>
      </p>
      <div class="ways">
        <Button onClick={() => void turn(yours)}>{yours ? texts.resume : texts.takeOver}</Button>
        <Button onClick={() => void takeBack()}>{texts.takeBack}</Button>
      </div>
    </div>
  );
}

/** Let the agent go on, or pause it. */
async function turn(goOn: boolean): Promise<void> {
  const run = active.value;
  if (!run) return;
  pausing.value = goOn ? "" : run.id;
  await attempt(() => server.tell(run.id, goOn ? "resume" : "pause"));
}

/** Take the tabs back from the conversation; without one its run ends. */
async function takeBack(): Promise<void> {
  const id = opened.value;
  await attempt(() => call<void>("DELETE", `/api/conversations/${id}/chrome`));
  say(panelWords.value.takenBack);
}
