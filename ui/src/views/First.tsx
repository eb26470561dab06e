/** The first minute: a model, a page to practise on, three things to try. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as fish from "../api/fish";
import type { Model } from "../api/types";
import { bytes } from "../fold/figures";
import { Bones } from "../parts/Bones";
import { Button, IconButton } from "../parts/Button";
import { Icon, type Name } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { go } from "../state/place";
import { pull, pulls } from "../state/pulls";
import { attempt } from "../state/session";
import { begun } from "../state/talks";
import { choices, lacking, models } from "../state/wish";
import { dials, modelled, words } from "../words";

const THINGS: Name[] = ["speech", "cursor", "pen"];

export function First() {
  const told = words.value.first;
  const site = useSignal("");
  useEffect(() => void choices(), []);
  const ready = models.value.some((model) => !model.missing);
  return (
    <main class="page first" id="main">
      <h1>{told.head}</h1>
      <p>{told.sub}</p>
      <ol class="stages">
        <li>
          <h2>{told.model}</h2>
          <ModelStage />
        </li>
        <li>
          <h2>{told.site}</h2>
          <SiteStage url={site.value} onOpen={(url) => (site.value = url)} />
        </li>
        <li>
          <h2>{told.tasks}</h2>
          {lacking.value && <p class="hint">{told.modelFirst}</p>}
          <ul class="tries">
            {told.things.map((task, at) => (
              <li key={task}>
                <button type="button" disabled={!ready} onClick={() => void begin(task, site)}>
                  <Icon name={THINGS[at] ?? "star"} />
                  <strong>{task}</strong>
                </button>
              </li>
            ))}
          </ul>
        </li>
      </ol>
      <p>
        <a href="/">{told.skip}</a>
      </p>
    </main>
  );
}

/** Each thing to try works at once: the practice site is opened for it where it is not open yet. */
async function begin(task: string, site: Signal<string>): Promise<void> {
  const url = site.value || (await practise());
  if (!url) return;
  site.value = url;
  const run = await attempt(() => fish.start({ task, loop: "auto", tabs: [url], attended: true }));
  if (!run) return;
  begun(run);
  go(`/c/${run.conversation}`);
}

async function practise(): Promise<string> {
  return (await attempt(fish.practice))?.url ?? "";
}

function ModelStage() {
  const told = words.value.first;
  const ready = models.value.find((model) => !model.missing);
  if (!models.value.length) return <Bones />;
  const [best, ...weaker] = models.value.filter((model) => model.kind === "embedded" && model.missing);
  const embedded = !best ? [] : ready ? [best, ...weaker] : weaker;
  const hosted = models.value.filter((model) => model.kind === "hosted" && model.missing);
  return (
    <>
      {ready ? (
        <p class="ok">
          <Icon name="check" /> {told.modelReady(ready.name)}
        </p>
      ) : (
        <p>{told.modelNone}</p>
      )}
      {!ready && best && <Pull model={best} first />}
      {(hosted.length > 0 || embedded.length > 0) && (
        <details>
          <summary>{told.others}</summary>
          {embedded.map((model) => (
            <Pull key={model.name} model={model} />
          ))}
          <ul class="plainlist">
            {hosted.map((model) => (
              <li key={model.name}>
                <strong>{model.name}</strong>
                <span class="facts">{modelled(model)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Pull({ model, first = false }: { model: Model; first?: boolean }) {
  const told = words.value.first;
  const title = dials.value.titles[model.name] ?? model.title;
  const [name, about] = title.split(/[:：]\s*/);
  const reached = pulls.value.get(model.name);
  return (
    <div class="pull">
      <p>
        <strong>{name}</strong>
        {about && <span class="about">{about}</span>}
      </p>
      {reached ? (
        <>
          <Meter label={title} part={reached.done / reached.total} text={told.fetching(bytes(reached.done), bytes(reached.total))} />
          <IconButton icon="cross" label={told.halt} onClick={reached.stop} />
        </>
      ) : (
        <Button icon="save" class={first ? "primary" : ""} onClick={() => void pull(model)}>
          {told.fetch(bytes(model.size))}
        </Button>
      )}
    </div>
  );
}

function SiteStage({ url, onOpen }: { url: string; onOpen: (url: string) => void }) {
  const told = words.value.first;
  const open = async () => onOpen(await practise());
  return (
    <>
      <p>{told.siteText}</p>
      {url ? (
        <p class="ok">
          <Icon name="check" /> {told.siteReady}
        </p>
      ) : (
        <Button icon="globe" onClick={() => void open()}>
          {told.siteOpen}
        </Button>
      )}
    </>
  );
}
