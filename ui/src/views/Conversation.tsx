/** The conversation: its turns. It scrolls with new text only while the person is at the end. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Skeleton } from "../parts/Skeleton";
import { Favicon } from "../parts/Favicon";
import { Icon, type Name } from "../parts/Icon";
import { feed } from "../state/runEvents";
import { front } from "../state/live";
import { current, load, lastStartedRun, missing, opened, runs } from "../state/conversations";
import { messageExtras, send, text } from "../state/composer";
import { words } from "../words";
import { Banner } from "./Banner";
import { Composer } from "./Composer";
import { Turn } from "./Turn";

export function ConversationView() {
  const id = opened.value;
  useEffect(() => void load(id), [id]);
  return (
    <main class="talk" id="main">
      {missing.value ? <MissingConversation /> : runs.value === null ? <Waiting /> : runs.value.length ? <Thread /> : <Fresh />}
      <div class="dock">
        <Banner />
        <Composer />
      </div>
    </main>
  );
}

const MissingConversation = () => (
  <div class="empty">
    <p>{words.value.conversation.lost}</p>
  </div>
);

const Waiting = () => (
  <div class="thread">
    <Skeleton />
  </div>
);

function Thread() {
  const box = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const away = useSignal(false);
  const run = current.value;
  const grown = run ? feed(run.id).runState.value : null;

  const look = () => {
    const element = box.current;
    if (!element) return;
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    following.current = left < 60;
    away.value = left > 200;
  };
  const jump = () => {
    following.current = true;
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (following.current && box.current) box.current.scrollTop = box.current.scrollHeight;
    else look();
  }, [grown]);
  useLayoutEffect(() => {
    if (following.current || run?.id === lastStartedRun.value) jump();
  }, [run?.id]);
  useEffect(() => {
    const watcher = new ResizeObserver(() => following.current && jump());
    if (inner.current) watcher.observe(inner.current);
    if (box.current) watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  return (
    <>
      <div class="thread" ref={box} onScroll={look} tabIndex={0} role="log" aria-live="off" aria-label={words.value.conversation.fish}>
        <div class="column" ref={inner}>
          {(runs.value ?? []).map((each) => (
            <Turn key={each.id} run={each} />
          ))}
        </div>
      </div>
      <div class="floating">
        {away.value && (
          <button type="button" class="pill" onClick={jump}>
            <Icon name="down" size={14} /> {words.value.conversation.latest}
          </button>
        )}
      </div>
    </>
  );
}

const ASKED: Name[] = ["page", "star", "search"];
const BEGUN: Name[] = ["globe", "cursor", "search"];

/** Beside the person's own tabs no address is added: a page is asked about where it is in front. */
const useless = (at: number) => at === 0 && messageExtras.value !== null;

/** An empty conversation: three things to try on the open tab, or how to begin. */
function Fresh() {
  const texts = words.value.conversation;
  const tab = front.value;
  const real = tab && /^(https?|file):/.test(tab.url);
  return (
    <div class="empty">
      <h1>{texts.head}</h1>
      {real ? (
        <p class="topic">
          <Favicon tab={tab} />
          <span class="clip">{tab.title || tab.url}</span>
        </p>
      ) : (
        <p>{texts.sub}</p>
      )}
      <h2 class="unseen">{texts.try}</h2>
      <ul class="tries">
        {real
          ? texts.suggestions.map((task, at) => (
              <li key={task}>
                <button type="button" onClick={() => void send(task, { tabs: [tab.id] })}>
                  <Icon name={ASKED[at] ?? "star"} />
                  <strong>{task}</strong>
                </button>
              </li>
            ))
          : texts.starters.map(([head, about], at) => (
              <li key={head} hidden={useless(at)}>
                <button type="button" onClick={() => begin(at, about)}>
                  <Icon name={BEGUN[at] ?? "star"} />
                  <span>
                    <strong>{head}</strong>
                    <span class="about">{about}</span>
                  </span>
                </button>
              </li>
            ))}
      </ul>
    </div>
  );
}

function begin(which: number, example: string): void {
  if (which === 0) document.querySelector<HTMLElement>(".menu.tabs button")?.click();
  else {
    text.value = example.replaceAll(/[“”]/g, "");
    document.querySelector<HTMLElement>("#compose")?.focus();
  }
}
