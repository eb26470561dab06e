/** How this browser shows the page. */
import { useSignal } from "@preact/signals";
import * as fish from "../api/fish";
import { Button } from "../parts/Button";
import { type Theme, attempt, bell, language, me, reach, theme } from "../state/session";
import { words } from "../words";

export function You() {
  const told = words.value.settings;
  const denied = useSignal(false);
  const ring = async (on: boolean) => {
    const allowed = !on || (typeof Notification !== "undefined" && (await Notification.requestPermission()) === "granted");
    denied.value = !allowed;
    bell.value = on && allowed;
  };
  const leave = async () => {
    await attempt(fish.leave);
    me.value = null;
    reach.value = "stranger";
  };
  return (
    <>
      <div class="setting">
        <label for="theme">{told.theme}</label>
        <select id="theme" value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
          <option value="system">{told.system}</option>
          <option value="light">{told.light}</option>
          <option value="dark">{told.dark}</option>
        </select>
      </div>
      <div class="setting">
        <label for="language">{told.language}</label>
        <select id="language" value={language.value} onChange={(event) => (language.value = event.currentTarget.value as "en" | "zh")}>
          <option value="en" lang="en">
            English
          </option>
          <option value="zh" lang="zh">
            中文
          </option>
        </select>
      </div>
      <div class="setting">
        <label for="bell">{told.bell}</label>
        <input id="bell" type="checkbox" class="switch" role="switch" checked={bell.value} onChange={(event) => void ring(event.currentTarget.checked)} />
        {denied.value && <p class="about">{told.bellDenied}</p>}
      </div>
      <p>
        <Button onClick={() => void leave()}>{told.leave}</Button>
      </p>
    </>
  );
}
