/** Secrets: stored by name, bound to sites, never shown to a model. A value can be written and never read. */
import { useState } from "preact/hooks";
import * as safety from "../api/safety";
import { Button } from "../parts/Button";
import { Entries } from "../parts/Entries";
import { RemovableEntry } from "../parts/RemovableEntry";
import { useLoaded } from "../state/loaded";
import { attempt, say } from "../state/session";
import { words } from "../words";

const KINDS: safety.Secret["kind"][] = ["password", "text", "totp"];

export function Secrets() {
  const texts = words.value.secrets;
  const [list, read] = useLoaded(safety.secrets);
  return (
    <>
      <p class="about">{texts.about}</p>
      <Entries items={list.value} none={texts.none} draw={(each) => <Entry key={each.name} secret={each} onChange={read} />} />
      <Adding taken={(list.value ?? []).map((each) => each.name)} onChange={read} />
    </>
  );
}

function Entry({ secret, onChange }: { secret: safety.Secret; onChange: () => Promise<void> }) {
  const { kinds, remove, removeHead, removeText } = words.value.secrets;
  const facts = `${kinds[secret.kind]} · ${secret.origins.join(", ")}`;
  return <RemovableEntry name={secret.name} facts={facts} label={remove} title={removeHead(secret.name)} text={removeText} remove={() => safety.drop(secret.name)} onChange={onChange} />;
}

function Adding({ taken, onChange }: { taken: string[]; onChange: () => Promise<void> }) {
  const texts = words.value.secrets;
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [sites, setSites] = useState("");
  const [kind, setKind] = useState<safety.Secret["kind"]>("password");
  const origins = sites.split(/[\s,]+/).filter(Boolean).map((site) => (site.includes("://") ? site : `https://${site}`));
  const keep = async () => {
    if (!(await attempt(() => safety.keep(name.trim(), value, origins, kind)))) return;
    say(texts.kept);
    setName("");
    setValue("");
    setSites("");
    await onChange();
  };
  return (
    <form
      class="secret"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void keep();
      }}
    >
      <h2>{taken.includes(name.trim()) ? texts.replace : texts.add}</h2>
      <label>
        {texts.name}
        <input value={name} pattern="[A-Za-z0-9_.\-]{1,64}" title={texts.nameHint} placeholder="shop-password" onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label>
        {texts.kind}
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as safety.Secret["kind"])}>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {texts.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {kind === "totp" ? texts.seed : texts.value}
        <input type="password" autocomplete="new-password" minLength={4} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
      </label>
      <label>
        {texts.sites}
        <input value={sites} placeholder="shop.example" spellcheck={false} onInput={(event) => setSites(event.currentTarget.value)} />
      </label>
      <p class="about">{kind === "totp" ? texts.seedHint : texts.sitesHint}</p>
      <footer>
        <Button type="submit" class="primary" disabled={!name.trim() || value.length < 4 || !origins.length}>
          {texts.save}
        </Button>
      </footer>
    </form>
  );
}
