/** The options of the next run: mode, model, pages, limits. */
import { useState } from "preact/hooks";
import { host } from "../compute/rows";
import { Button } from "../parts/Button";
import { Favicon } from "../parts/Favicon";
import { Choice, Menu } from "../parts/Menu";
import { readTabs, tabs } from "../state/live";
import * as composer from "../state/composer";
import { loopName, describeModel, words } from "../words";

const ORDER = ["auto", "chat", "horizon", "pilot", "react", "strict"];

export function ModePicker() {
  const texts = words.value;
  const known = composer.loops.value.length ? composer.loops.value : ["auto"];
  const sorted = [...known].sort((one, two) => rank(one) - rank(two));
  return (
    <Menu label={texts.compose.mode} icon="dial" text={loopName(composer.mode.value)}>
      {(close) =>
        sorted.map((name) => (
          <Choice
            key={name}
            on={name === composer.mode.value}
            title={loopName(name)}
            about={texts.loops[name]?.[1] ?? ""}
            onPick={() => {
              composer.mode.value = name;
              close();
            }}
          />
        ))
      }
    </Menu>
  );
}

const rank = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

export function ModelPicker() {
  const texts = words.value.compose;
  const all = composer.models.value;
  const pick = (name: string, close: () => void) => {
    composer.model.value = name;
    close();
  };
  const ready = all.filter((model) => !model.missing);
  const lacking = all.filter((model) => model.missing);
  const short = composer.model.value ? (composer.model.value.split(/[:/]/).at(-1) ?? "") : texts.own;
  return (
    <Menu label={texts.model} icon="star" text={short} class="models">
      {(close) => (
        <>
          <Choice on={!composer.model.value} title={texts.own} about={ready[0]?.name ?? ""} onPick={() => pick("", close)} />
          {ready.length > 0 && <p class="group">{texts.ready}</p>}
          {ready.map((model) => (
            <Choice key={model.name} on={model.name === composer.model.value} title={model.name} about={describeModel(model)} onPick={() => pick(model.name, close)} />
          ))}
          {lacking.length > 0 && <p class="group">{texts.lacking}</p>}
          {lacking.map((model) => (
            <div class="choice lacking" key={model.name}>
              <span class="tick" />
              <span>
                <span class="title">{model.name}</span>
                {model.kind === "embedded" ? (
                  <a class="about" href="/welcome">
                    {describeModel(model)}
                  </a>
                ) : (
                  <span class="about">{describeModel(model)}</span>
                )}
              </span>
            </div>
          ))}
        </>
      )}
    </Menu>
  );
}

export function TabPicker() {
  const texts = words.value;
  const [url, setUrl] = useState("");
  const open = tabs.value;
  const chosen = composer.chosen.value.filter((id) => open.some((tab) => tab.id === id));
  const toggle = (id: number) =>
    (composer.chosen.value = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <Menu label={texts.compose.tabsHead} icon="globe" text={texts.compose.tabs(chosen.length + composer.addresses.value.length)} class="tabs">
      {(close) => (
        <>
          <p class="group">{texts.compose.tabsHead}</p>
          {!open.length && <p class="hint">{texts.compose.noTabs}</p>}
          {open.length > 1 && (
            <label class="choice">
              <input
                type="checkbox"
                checked={chosen.length === open.length}
                onChange={(event) => (composer.chosen.value = event.currentTarget.checked ? open.map((tab) => tab.id) : [])}
              />
              <span class="title">{texts.compose.allTabs}</span>
            </label>
          )}
          {open.map((tab) => (
            <label class="choice" key={tab.id}>
              <input type="checkbox" checked={chosen.includes(tab.id)} onChange={() => toggle(tab.id)} />
              <Favicon tab={tab} />
              <span>
                <span class="title clip">{tab.title || texts.live.blank}</span>
                <span class="about clip">{host(tab.url)}</span>
              </span>
            </label>
          ))}
          <div class="adding">
            <input
              type="url"
              aria-label={texts.compose.address}
              placeholder={texts.compose.address}
              value={url}
              onInput={(event) => setUrl(event.currentTarget.value)}
              onFocus={() => void readTabs()}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                event.preventDefault();
                add(url);
                setUrl("");
                close();
              }}
            />
            <Button
              disabled={!url.trim()}
              onClick={() => {
                add(url);
                setUrl("");
                close();
              }}
            >
              {texts.compose.add}
            </Button>
          </div>
        </>
      )}
    </Menu>
  );
}

function add(url: string): void {
  const plain = url.trim();
  if (!plain) return;
  const whole = /^[a-z]+:/i.test(plain) && !/^[\w.-]+:\d/.test(plain) ? plain : `${/^(localhost|127\.|\[)/.test(plain) ? "http" : "https"}://${plain}`;
  composer.addresses.value = [...new Set([...composer.addresses.value, whole])];
}

export function LimitPicker() {
  const texts = words.value.compose;
  const number = (text: string) => (text === "" || Number.isNaN(Number(text)) ? null : Number(text));
  return (
    <Menu label={texts.limits} icon="clock" class="limits">
      {() => (
        <>
          <label class="field">
            {texts.steps}
            <input
              type="number"
              min={1}
              max={500}
              placeholder={texts.asSet}
              value={composer.steps.value ?? ""}
              onInput={(event) => (composer.steps.value = number(event.currentTarget.value))}
            />
          </label>
          <label class="field">
            {texts.budget}
            <input
              type="number"
              min={0}
              step="any"
              placeholder={texts.asSet}
              value={composer.budget.value ?? ""}
              onInput={(event) => (composer.budget.value = number(event.currentTarget.value))}
            />
          </label>
          <label class="field">
            {texts.logins}
            <select value={composer.profile.value} onChange={(event) => (composer.profile.value = event.currentTarget.value as typeof composer.profile.value)}>
              <option value="">{texts.asSet}</option>
              {Object.entries(texts.profiles).map(([name, title]) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
    </Menu>
  );
}
