/** Display settings of this browser. */
import { useSignal } from "@preact/signals";
import * as server from "../api/server";
import { Button } from "../parts/Button";
import { type Theme, attempt, bell, language, me, reach, theme } from "../state/session";
import { words } from "../words";

export function DisplaySettings() {
  const texts = words.value.settings;
  const denied = useSignal(false);
  const ring = async (on: boolean) => {
    const allowed = !on || (typeof Notification !== "undefined" && (await Notification.requestPermission()) === "granted");
    denied.value = !allowed;
    bell.value = on && allowed;
  };
  const leave = async () => {
    await attempt(server.leave);
    me.value = null;
    reach.value = "stranger";
  };
  return (
    <>
      <div class="setting">
        <label for="theme">{texts.theme}</label>
        <select id="theme" value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
          <option value="system">{texts.system}</option>
          <option value="light">{texts.light}</option>
          <option value="dark">{texts.dark}</option>
        </select>
      </div>
      <div class="setting">
        <label for="language">{texts.language}</label>
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
        <label for="bell">{texts.bell}</label>
        <input id="bell" type="checkbox" class="switch" role="switch" checked={bell.value} onChange={(event) => void ring(event.currentTarget.checked)} />
        {denied.value && <p class="about">{texts.bellDenied}</p>}
      </div>
      <p>
        <Button onClick={() => void leave()}>{texts.leave}</Button>
      </p>
    </>
  );
}
