/** The form that connects the panel with a server by a code. */
import { useState } from "preact/hooks";
import { EntryForm } from "../../ui/src/parts/EntryForm";
import { panelWords } from "./words";

const HOME = "http://127.0.0.1:8417";

export function Pair({ onPaired, revoked }: { onPaired: () => Promise<void>; revoked: boolean }) {
  const texts = panelWords.value;
  const [address, setAddress] = useState(HOME);
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");
  const pair = async () => {
    const typed = address.trim().replace(/\/+$/, "");
    const to = /^https?:\/\//.test(typed) ? typed : `http://${typed}`;
    setWrong("");
    try {
      const answer = await fetch(`${to}/api/extension/pair`, {
        method: "POST",
        credentials: "omit",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      });
      const reply = (await answer.json()) as { token?: string; detail?: string; fix?: string };
      if (!answer.ok || !reply.token) return setWrong(`${reply.detail ?? ""} ${reply.fix ?? ""}`.trim() || texts.unheard(to));
      await chrome.storage.local.set({ pairing: { server: to, token: reply.token } });
      await onPaired();
    } catch {
      setWrong(texts.unheard(to));
    }
  };
  return (
    <EntryForm head={texts.pairHead} text={revoked ? texts.revoked : texts.pairText} button={texts.connect} ready={!!code.trim()} wrong={wrong} onSubmit={() => void pair()}>
      <label>
        {texts.code}
        <input placeholder="ABCD-EFGH" autocomplete="off" autocapitalize="characters" spellcheck={false} value={code} onInput={(event) => setCode(event.currentTarget.value)} />
      </label>
      <label>
        {texts.server}
        <input inputMode="url" spellcheck={false} value={address} onInput={(event) => setAddress(event.currentTarget.value)} />
      </label>
    </EntryForm>
  );
}
