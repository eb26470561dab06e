/** The first minute: a model, a page to practise on, three things to try. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import * as fish from "../api/fish";
import { Failure } from "../api/http";
import { read } from "../api/stream";
import type { Model } from "../api/types";
import { bytes } from "../fold/figures";
import { Bones } from "../parts/Bones";
import { Button } from "../parts/Button";
import { Icon, type Name } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { go } from "../state/place";
import { attempt, complain } from "../state/session";
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
  const embedded = models.value.filter((model) => model.kind === "embedded" && model.missing);
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
      {!ready && embedded.map((model) => <Pull key={model.name} model={model} />)}
      {(hosted.length > 0 || embedded.length > 0) && (
        <details>
          <summary>{told.others}</summary>
          {ready && embedded.map((model) => <Pull key={model.name} model={model} />)}
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

function Pull({ model }: { model: Model }) {
  const told = words.value.first;
  const title = dials.value.titles[model.name] ?? model.title;
  const [reached, setReached] = useState<{ done: number; total: number } | null>(null);
  const pull = async () => {
    setReached({ done: 0, total: model.size });
    const init = { method: "POST", body: JSON.stringify({ name: model.name }), headers: { "content-type": "application/json" } };
    try {
      await read("/api/models/pull", init, (batch) => {
        for (const sent of batch) {
          const data = JSON.parse(sent.data);
          if (sent.event === "progress") setReached(data);
          else if (sent.event === "error") complain(new Failure(data.status, data.code, data.detail, data.fix));
        }
      });
    } catch (error) {
      complain(error);
    }
    setReached(null);
    await choices();
  };
  return (
    <div class="pull">
      <span>{title}</span>
      {reached ? (
        <Meter label={title} part={reached.total ? reached.done / reached.total : 0} text={told.fetching(bytes(reached.done), bytes(reached.total || model.size))} />
      ) : (
        <Button icon="save" onClick={() => void pull()}>
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
