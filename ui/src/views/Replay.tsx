/** A slider over the journal: the steps and the pictures as they stood at that moment. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { file } from "../api/server";
import type { Event } from "../api/types";
import { EMPTY, fold } from "../compute/runState";
import { IconButton } from "../parts/Button";
import { List } from "../parts/List";
import type { Aim } from "../state/live";
import { words } from "../words";
import { CursorMark } from "./AgentCursor";
import { Step } from "./Step";
import { Plan } from "./Timeline";

const PACE = 350;

export function Replay({ run, journal }: { run: string; journal: Event[] }) {
  const texts = words.value;
  const [at, setAt] = useState(journal.length);
  const [playing, setPlaying] = useState(false);
  const runState = useMemo(() => fold(EMPTY, journal.slice(0, at)), [journal, at]);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => setAt((now) => Math.min(journal.length, now + 1)), PACE);
    return () => clearInterval(timer);
  }, [playing, journal.length]);
  useEffect(() => {
    if (at >= journal.length) setPlaying(false);
  }, [at, journal.length]);
  const picture = runState.files.findLast((each) => each.media.startsWith("image/"));
  const page = runState.pages.at(-1);
  return (
    <section class="replay" aria-label={texts.runs.replay}>
      <div class="slider">
        <IconButton
          icon={playing ? "pause" : "play"}
          label={playing ? texts.runs.halt : texts.runs.play}
          onClick={() => {
            if (!playing && at >= journal.length) setAt(1);
            setPlaying(!playing);
          }}
        />
        <input type="range" min={1} max={journal.length} value={at} aria-label={texts.runs.replay} aria-valuetext={texts.runs.at(at, journal.length)} onInput={(event) => setAt(Number(event.currentTarget.value))} />
        <span class="figures">{texts.runs.at(at, journal.length)}</span>
      </div>
      <div class="stage">
        <div>
          {runState.plan.length > 0 && <Plan items={runState.plan} />}
          <List items={runState.rows} name={(row) => row.key} draw={(row) => <Step row={row} run={run} />} label={texts.run.truncated} focus={runState.rows.length - 1} />
        </div>
        <figure>
          {picture ? <Shot src={file(run, picture.name)} aim={findNextAim(journal, at)} /> : <p class="hint">{texts.runs.noPicture}</p>}
          {page && <figcaption class="clip">{page.title || page.url}</figcaption>}
        </figure>
      </div>
    </section>
  );
}

/** The picture, and over it what is about to be touched. */
function Shot({ src, aim }: { src: string; aim: Aim | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  return (
    <div class="shot">
      <img src={src} alt={words.value.run.picture} onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })} />
      {aim && size.width > 0 && <CursorMark aim={aim} {...size} bright />}
    </div>
  );
}

/** Where the action that begins at this moment will be done. */
function findNextAim(journal: readonly Event[], at: number): Aim | null {
  const now = journal[at - 1];
  if (now?.type !== "tool_started") return null;
  const done = journal.slice(at).find((each) => each.type === "tool_finished" && each.call === now.call);
  return done?.type === "tool_finished" ? ((done.data?.["aim"] as Aim | undefined) ?? null) : null;
}
