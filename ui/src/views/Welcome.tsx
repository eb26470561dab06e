/** The welcome page: a model, a practice page, three things to try. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as server from "../api/server";
import type { Model } from "../api/types";
import { formatBytes } from "../compute/figures";
import { Skeleton } from "../parts/Skeleton";
import { Button, IconButton } from "../parts/Button";
import { Icon, type Name } from "../parts/Icon";
import { Meter } from "../parts/Meter";
import { go } from "../state/route";
import { pull, pulls } from "../state/downloads";
import { attempt } from "../state/session";
import { addStartedRun } from "../state/conversations";
import { loadChoices, noModelReady, models } from "../state/composer";
import { settingTexts, describeModel, words } from "../words";

const ICONS: Name[] = ["speech", "cursor", "pen"];

export function Welcome() {
  const texts = words.value.welcome;
  const site = useSignal("");
  useEffect(() => void loadChoices(), []);
  const ready = models.value.some((model) => !model.missing);
  return (
    <main class="page first" id="main">
      <h1>{texts.head}</h1>
      <p>{texts.sub}</p>
      <ol class="stages">
        <li>
          <h2>{texts.model}</h2>
          <ModelStage />
        </li>
        <li>
          <h2>{texts.site}</h2>
          <SiteStage url={site.value} onOpen={(url) => (site.value = url)} />
        </li>
        <li>
          <h2>{texts.tasks}</h2>
          {noModelReady.value && <p class="hint">{texts.modelFirst}</p>}
          <ul class="tries">
            {texts.things.map((task, at) => (
              <li key={task}>
                <button type="button" disabled={!ready} onClick={() => void begin(task, site)}>
                  <Icon name={ICONS[at] ?? "star"} />
                  <strong>{task}</strong>
                </button>
              </li>
            ))}
          </ul>
        </li>
      </ol>
      <p>
        <a href="/">{texts.skip}</a>
      </p>
    </main>
  );
}

/** Each thing to try works at once: the practice site is opened for it where it is not open yet. */
async function begin(task: string, site: Signal<string>): Promise<void> {
  const url = site.value || (await practise());
  if (!url) return;
  site.value = url;
  const run = await attempt(() => server.start({ task, loop: "auto", tabs: [url], attended: true }));
  if (!run) return;
  addStartedRun(run);
  go(`/c/${run.conversation}`);
}

async function practise(): Promise<string> {
  return (await attempt(server.practice))?.url ?? "";
}

function ModelStage() {
  const texts = words.value.welcome;
  const ready = models.value.find((model) => !model.missing);
  if (!models.value.length) return <Skeleton />;
  const [best, ...weaker] = models.value.filter((model) => model.kind === "embedded" && model.missing);
  const embedded = !best ? [] : ready ? [best, ...weaker] : weaker;
  const hosted = models.value.filter((model) => model.kind === "hosted" && model.missing);
  return (
    <>
      {ready ? (
        <p class="ok">
          <Icon name="check" /> {texts.modelReady(ready.name)}
        </p>
      ) : (
        <p>{texts.modelNone}</p>
      )}
      {!ready && best && <Pull model={best} first />}
      {(hosted.length > 0 || embedded.length > 0) && (
        <details>
          <summary>{texts.others}</summary>
          {embedded.map((model) => (
            <Pull key={model.name} model={model} />
          ))}
          <ul class="plainlist">
            {hosted.map((model) => (
              <li key={model.name}>
                <strong>{model.name}</strong>
                <span class="facts">{describeModel(model)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Pull({ model, first = false }: { model: Model; first?: boolean }) {
  const texts = words.value.welcome;
  const title = settingTexts.value.titles[model.name] ?? model.title;
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
          <Meter label={title} part={reached.done / reached.total} text={texts.fetching(formatBytes(reached.done), formatBytes(reached.total))} />
          <IconButton icon="cross" label={texts.halt} onClick={reached.stop} />
        </>
      ) : (
        <Button icon="save" class={first ? "primary" : ""} onClick={() => void pull(model)}>
          {texts.fetch(formatBytes(model.size))}
        </Button>
      )}
    </div>
  );
}

function SiteStage({ url, onOpen }: { url: string; onOpen: (url: string) => void }) {
  const texts = words.value.welcome;
  const open = async () => onOpen(await practise());
  return (
    <>
      <p>{texts.siteText}</p>
      {url ? (
        <p class="ok">
          <Icon name="check" /> {texts.siteReady}
        </p>
      ) : (
        <Button icon="globe" onClick={() => void open()}>
          {texts.siteOpen}
        </Button>
      )}
    </>
  );
}
