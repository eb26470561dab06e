/** Copies a text, and says that it did. */
import { useState } from "preact/hooks";
import { words } from "../words";
import { IconButton } from "./Button";

export function Copy({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  const label = done ? words.value.conversation.copied : words.value.conversation.copy;
  return <IconButton icon={done ? "check" : "copy"} label={label} onClick={() => void copy()} />;
}
