/** The dialog that makes a shortcut of a run: its name, and which words of it become parameters. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../api/shortcuts";
import type { Run } from "../api/types";
import { NAME, makeShortcutName } from "../compute/shortcuts";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Skeleton } from "../parts/Skeleton";
import { attempt, say } from "../state/session";
import { runToSave } from "../state/shortcuts";
import { words } from "../words";

export function SaveShortcut() {
  return runToSave.value && <Form key={runToSave.value.id} run={runToSave.value} />;
}

function Form({ run }: { run: Run }) {
  const texts = words.value.saved;
  const preview = useSignal<api.Preview | null>(null);
  const name = useSignal("");
  /** The name of the parameter that each ticked word becomes. */
  const chosen = useSignal<Record<string, string>>({});
  const close = () => (runToSave.value = null);
  useEffect(() => void attempt(() => api.preview(run.id)).then((found) => (found ? (preview.value = found) : close())), []);
  const fits = new RegExp(`^${NAME}$`);
  const names = Object.values(chosen.value);
  const ready = fits.test(name.value) && names.every((each) => fits.test(each)) && new Set(names).size === names.length;
  const save = async () => {
    const parameters = Object.fromEntries(Object.entries(chosen.value).map(([word, parameter]) => [parameter, word]));
    if (!(await attempt(() => api.save(run.id, name.value, parameters)))) return;
    close();
    say(texts.savedAs(name.value));
  };
  const tick = (word: string, on: boolean) => {
    const { [word]: _, ...rest } = chosen.value;
    chosen.value = on ? { ...rest, [word]: makeShortcutName(word).slice(0, 20) || "word" } : rest;
  };
  return (
    <Dialog title={texts.save} onClose={close} wide>
      {!preview.value && <Skeleton />}
      {preview.value && (
        <form
          class="scheduleform"
          autocomplete="off"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <label class="field">
            {texts.name}
            <input autofocus required pattern={NAME} maxLength={40} spellcheck={false} value={name.value} placeholder={texts.nameHint} onInput={(event) => (name.value = event.currentTarget.value)} />
          </label>
          <fieldset>
            <legend>{texts.parameters}</legend>
            <p class="about">{preview.value.words.length ? texts.parametersAbout : texts.noWords}</p>
            {preview.value.words.map((word) => (
              <div key={word} class="pairrow">
                <label class="tick">
                  <input type="checkbox" checked={word in chosen.value} onChange={(event) => tick(word, event.currentTarget.checked)} />
                  <span>{word}</span>
                </label>
                {word in chosen.value && (
                  <input aria-label={texts.called(word)} required pattern={NAME} maxLength={40} spellcheck={false} value={chosen.value[word]} onInput={(event) => (chosen.value = { ...chosen.value, [word]: event.currentTarget.value })} />
                )}
              </div>
            ))}
          </fieldset>
          <details>
            <summary>{texts.does}</summary>
            <ol>
              {preview.value.steps.map((step, at) => (
                <li key={at}>{step}</li>
              ))}
            </ol>
          </details>
          <footer>
            <Button onClick={close}>{words.value.edge.cancel}</Button>
            <Button type="submit" class="primary" disabled={!ready}>
              {words.value.edge.save}
            </Button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}
