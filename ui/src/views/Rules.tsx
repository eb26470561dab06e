/** The policy's rules: one line each, the first that fits decides. */
import { useState } from "preact/hooks";
import { Button, IconButton } from "../parts/Button";
import { words } from "../words";

type Rule = Record<string, string>;
type Props = { id: string; rules: Rule[]; fields: Record<string, string[]>; onChange: (rules: Rule[]) => void };

export function Rules({ id, rules, fields, onChange }: Props) {
  const texts = words.value.settings;
  const names = Object.keys(fields);
  const empty = Object.fromEntries(names.map((name) => [name, fields[name]?.[0] ?? "*"]));
  const [fresh, setFresh] = useState<Rule>(empty);
  const word = (name: string) => texts.rule[name] ?? name;
  return (
    <div class="rules" id={id}>
      {rules.map((rule, at) => (
        <div class="rule" key={at}>
          <span>{names.map((name) => rule[name]).join(" · ")}</span>
          <IconButton icon="cross" label={`${texts.remove} ${at + 1}`} onClick={() => onChange(rules.filter((_, index) => index !== at))} />
        </div>
      ))}
      <div class="rule">
        {names.map((name) =>
          fields[name]?.length ? (
            <label key={name} class="small">
              {word(name)}
              <select value={fresh[name]} onChange={(event) => setFresh({ ...fresh, [name]: event.currentTarget.value })}>
                {fields[name]?.map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </select>
            </label>
          ) : (
            <label key={name} class="small">
              {word(name)}
              <input value={fresh[name]} onInput={(event) => setFresh({ ...fresh, [name]: event.currentTarget.value })} />
            </label>
          ),
        )}
        <Button icon="plus" onClick={() => onChange([...rules, fresh])}>
          {texts.addRule}
        </Button>
      </div>
    </div>
  );
}
