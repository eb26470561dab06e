/** The switch for notices of this browser while no page is open, and the other browsers that get them. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import * as api from "../api/push";
import { Button, IconButton } from "../parts/Button";
import { type Refusal, pushId, turnOff, turnOn } from "../state/push";
import { attempt, say } from "../state/session";
import { formatMoment, words } from "../words";

export function PushSwitch() {
  const texts = words.value.push;
  const refused = useSignal<Refusal | "">("");
  const busy = useSignal(false);
  const browsers = useSignal<api.PushBrowser[]>([]);
  const read = async () => {
    browsers.value = (await attempt(api.read))?.browsers ?? [];
  };
  const change = async (on: boolean) => {
    busy.value = true;
    refused.value = (await attempt(() => (on ? turnOn() : turnOff().then(() => "" as const)))) ?? "";
    busy.value = false;
    await read();
  };
  useEffect(() => void read(), []);
  const others = browsers.value.filter((each) => each.id !== pushId.value);
  return (
    <section class="pushswitch" aria-label={texts.label}>
      <div class="setting">
        <label for="push">{texts.label}</label>
        <input id="push" type="checkbox" class="switch" role="switch" checked={!!pushId.value} disabled={busy.value} onChange={(event) => void change(event.currentTarget.checked)} />
        <p class="about" role={refused.value ? "alert" : undefined}>
          {refused.value ? texts.refused[refused.value] : texts.about}
        </p>
      </div>
      {pushId.value && (
        <Button onClick={() => void attempt(() => api.sendTest().then(() => say(texts.sent)))}>
          {texts.test}
        </Button>
      )}
      {!!others.length && (
        <ul class="plainlist">
          {others.map((each) => (
            <li key={each.id}>
              <strong>{each.name || texts.other}</strong>
              <span class="facts">
                {each.service} · {texts.since(formatMoment(each.since))}
              </span>
              <span class="ends">
                <IconButton icon="trash" label={`${texts.drop}: ${each.name || texts.other}`} onClick={() => void attempt(() => api.drop(each.id)).then(read)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
