/** What can be made of a run that is over: its files to take away, and its actions done again without a model. */
import * as fish from "../api/fish";
import type { Run } from "../api/types";
import { acted } from "../fold/rows";
import type { Story } from "../fold/story";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { go } from "../state/place";
import { attempt } from "../state/session";
import { begun } from "../state/talks";
import { words } from "../words";

/** Entries for a menu. What nobody could do again, because nothing was done, is not offered. */
export function Taking({ run, story, close }: { run: Run; story: Story; close: () => void }) {
  const told = words.value.runs;
  const repeatable = acted(story.rows);
  return (
    <>
      {repeatable && (
        <Button icon="play" title={told.repeatAbout} onClick={() => (close(), void repeat(run))}>
          {told.repeat}
        </Button>
      )}
      {repeatable && <Save href={fish.exported(run.id, "script")} text={told.script} close={close} />}
      <Save href={fish.exported(run.id, "markdown")} text={told.markdown} close={close} />
      <Save href={fish.exported(run.id, "json")} text={told.json} close={close} />
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
  const next = await attempt(() => fish.repeat(run.id));
  if (!next) return;
  go(`/c/${next.conversation}`);
  begun(next);
}
