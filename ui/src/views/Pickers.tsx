/** How the next run goes about its task: mode, model, pages, limits. */
import { useState } from "preact/hooks";
import { host } from "../fold/rows";
import { Button } from "../parts/Button";
import { Favicon } from "../parts/Favicon";
import { Choice, Menu } from "../parts/Menu";
import { look, tabs } from "../state/live";
import * as wish from "../state/wish";
import { loopName, modelled, words } from "../words";

const ORDER = ["auto", "chat", "horizon", "pilot", "react", "strict"];

export function ModePicker() {
  const told = words.value;
  const known = wish.loops.value.length ? wish.loops.value : ["auto"];
  const sorted = [...known].sort((one, two) => rank(one) - rank(two));
  return (
    <Menu label={told.compose.mode} icon="dial" text={loopName(wish.mode.value)}>
      {(close) =>
        sorted.map((name) => (
          <Choice
            key={name}
            on={name === wish.mode.value}
            title={loopName(name)}
            about={told.loops[name]?.[1] ?? ""}
            onPick={() => {
              wish.mode.value = name;
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
  const told = words.value.compose;
  const all = wish.models.value;
  const pick = (name: string, close: () => void) => {
    wish.model.value = name;
    close();
  };
  const ready = all.filter((model) => !model.missing);
  const lacking = all.filter((model) => model.missing);
  const short = wish.model.value ? (wish.model.value.split(/[:/]/).at(-1) ?? "") : told.own;
  return (
    <Menu label={told.model} icon="star" text={short} class="models">
      {(close) => (
        <>
          <Choice on={!wish.model.value} title={told.own} about={ready[0]?.name ?? ""} onPick={() => pick("", close)} />
          {ready.length > 0 && <p class="group">{told.ready}</p>}
          {ready.map((model) => (
            <Choice key={model.name} on={model.name === wish.model.value} title={model.name} about={modelled(model)} onPick={() => pick(model.name, close)} />
          ))}
          {lacking.length > 0 && <p class="group">{told.lacking}</p>}
          {lacking.map((model) => (
            <div class="choice lacking" key={model.name}>
              <span class="tick" />
              <span>
                <span class="title">{model.name}</span>
                {model.kind === "embedded" ? (
                  <a class="about" href="/welcome">
                    {modelled(model)}
                  </a>
                ) : (
                  <span class="about">{modelled(model)}</span>
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
  const told = words.value;
  const [url, setUrl] = useState("");
  const open = tabs.value;
  const chosen = wish.chosen.value.filter((id) => open.some((tab) => tab.id === id));
  const toggle = (id: number) =>
    (wish.chosen.value = chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <Menu label={told.compose.tabsHead} icon="globe" text={told.compose.tabs(chosen.length + wish.addresses.value.length)} class="tabs">
      {(close) => (
        <>
          <p class="group">{told.compose.tabsHead}</p>
          {!open.length && <p class="hint">{told.compose.noTabs}</p>}
          {open.length > 1 && (
            <label class="choice">
              <input
                type="checkbox"
                checked={chosen.length === open.length}
                onChange={(event) => (wish.chosen.value = event.currentTarget.checked ? open.map((tab) => tab.id) : [])}
              />
              <span class="title">{told.compose.allTabs}</span>
            </label>
          )}
          {open.map((tab) => (
            <label class="choice" key={tab.id}>
              <input type="checkbox" checked={chosen.includes(tab.id)} onChange={() => toggle(tab.id)} />
              <Favicon tab={tab} />
              <span>
                <span class="title clip">{tab.title || told.live.blank}</span>
                <span class="about clip">{host(tab.url)}</span>
              </span>
            </label>
          ))}
          <div class="adding">
            <input
              type="url"
              aria-label={told.compose.address}
              placeholder={told.compose.address}
              value={url}
              onInput={(event) => setUrl(event.currentTarget.value)}
              onFocus={() => void look()}
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
              {told.compose.add}
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
  wish.addresses.value = [...new Set([...wish.addresses.value, whole])];
}

export function LimitPicker() {
  const told = words.value.compose;
  const number = (text: string) => (text === "" || Number.isNaN(Number(text)) ? null : Number(text));
  return (
    <Menu label={told.limits} icon="clock" class="limits">
      {() => (
        <>
          <label class="field">
            {told.steps}
            <input
              type="number"
              min={1}
              max={500}
              placeholder={told.asSet}
              value={wish.steps.value ?? ""}
              onInput={(event) => (wish.steps.value = number(event.currentTarget.value))}
            />
          </label>
          <label class="field">
            {told.budget}
            <input
              type="number"
              min={0}
              step="any"
              placeholder={told.asSet}
              value={wish.budget.value ?? ""}
              onInput={(event) => (wish.budget.value = number(event.currentTarget.value))}
            />
          </label>
        </>
      )}
    </Menu>
  );
}
