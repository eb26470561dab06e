/** The sign-in page for people without a token. */
import { useState } from "preact/hooks";
import * as server from "../api/server";
import { Failure } from "../api/http";
import { EntryForm } from "../parts/EntryForm";
import { me } from "../state/session";
import { words } from "../words";

export function SignIn() {
  const texts = words.value.signIn;
  const [token, setToken] = useState("");
  const [wrong, setWrong] = useState("");
  const enter = async () => {
    try {
      me.value = await server.enter(token.trim());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      setWrong(`${error.message} ${error.fix}`.trim());
    }
  };
  return (
    <EntryForm head={texts.head} text={texts.text} button={texts.go} ready={!!token.trim()} wrong={wrong} onSubmit={() => void enter()}>
      <input type="password" autocomplete="current-password" aria-label={texts.token} placeholder={texts.token} value={token} onInput={(event) => setToken(event.currentTarget.value)} />
    </EntryForm>
  );
}
