/** Exports of a finished run, and the replay of its actions without a model. */
import * as server from "../api/server";
import type { Run } from "../api/types";
import { hasActions } from "../compute/rows";
import type { RunState } from "../compute/runState";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { go } from "../state/route";
import { attempt } from "../state/session";
import { runToSave } from "../state/shortcuts";
import { addStartedRun } from "../state/conversations";
import { words } from "../words";

/** Entries for a menu. A replay is offered only if the run did something in the browser. */
export function RunExports({ run, runState, close }: { run: Run; runState: RunState; close: () => void }) {
  const texts = words.value.runs;
  const repeatable = hasActions(runState.rows);
  return (
    <>
      {repeatable && (
        <Button icon="play" title={texts.repeatAbout} onClick={() => (close(), void repeat(run))}>
          {texts.repeat}
        </Button>
      )}
      {repeatable && run.outcome === "completed" && (
        <Button icon="plus" title={words.value.saved.saveAbout} onClick={() => (close(), (runToSave.value = run))}>
          {words.value.saved.save}
        </Button>
      )}
      {repeatable && <Save href={server.exportAddress(run.id, "script")} text={texts.script} close={close} />}
      <Save href={server.exportAddress(run.id, "markdown")} text={texts.markdown} close={close} />
      <Save href={server.exportAddress(run.id, "json")} text={texts.json} close={close} />
    </>
  );
}

function Save({ href, text, close }: { href: string; text: string; close: () => void }) {
  return (
    <a class="button" download href={href} onClick={close}>
      <Icon name="save" /> <span>{text}</span>
    </a>
  );
}

/** Goes on in the conversation, where the browser can be watched. */
async function repeat(run: Run): Promise<void> {
  const next = await attempt(() => server.repeat(run.id));
  if (!next) return;
  go(`/c/${next.conversation}`);
  addStartedRun(next);
}
