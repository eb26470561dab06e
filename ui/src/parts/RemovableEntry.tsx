/** An entry of a list with a button that removes it, after a question. */
import { useState } from "preact/hooks";
import { attempt } from "../state/session";
import { IconButton } from "./Button";
import { Confirm } from "./Dialog";

type Props = { name: string; facts: string; label: string; title: string; text: string; remove: () => Promise<unknown>; onChange: () => Promise<void> };

export function RemovableEntry({ name, facts, label, title, text, remove, onChange }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <li>
      <strong class="clip">{name}</strong>
      <span class="facts">{facts}</span>
      <span class="ends">
        <IconButton icon="trash" label={`${label} ${name}`} onClick={() => setAsking(true)} />
      </span>
      {asking && <Confirm title={title} text={text} onYes={() => void attempt(remove).then(onChange)} onClose={() => setAsking(false)} />}
    </li>
  );
}
