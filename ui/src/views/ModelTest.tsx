/** Tests a model with one short question, and shows how long it took. */
import { useSignal } from "@preact/signals";
import { post, Failure } from "../api/http";
import { Button } from "../parts/Button";
import { models } from "../state/composer";
import { formatDuration, describeModel, words } from "../words";

export function ModelTest() {
  const texts = words.value.settings;
  return (
    <div class="tests">
      <datalist id="models">
        {models.value.map((model) => (
          <option key={model.name} value={model.name} />
        ))}
      </datalist>
      <ul class="plainlist">
        {models.value.map((model) => (
          <li key={model.name}>
            <strong class="clip">{model.name}</strong>
            <span class="facts">{describeModel(model)}</span>
            {!model.missing && <Trial name={model.name} label={texts.test} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Trial({ name, label }: { name: string; label: string }) {
  const texts = words.value.settings;
  const state = useSignal("");
  const trying = useSignal(false);
  const run = async () => {
    trying.value = true;
    state.value = texts.testing;
    try {
      const found = await post<{ seconds: number }>("/api/models/test", { name });
      state.value = texts.tested(formatDuration(found.seconds));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      state.value = `${error.message} ${error.fix}`.trim();
    }
    trying.value = false;
  };
  return (
    <span class="trial">
      <span class="facts" role="status">
        {state.value}
      </span>
      <Button disabled={trying.value} aria-label={`${label} ${name}`} onClick={() => void run()}>
        {label}
      </Button>
    </span>
  );
}
