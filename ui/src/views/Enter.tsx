/** For those who came without a token. */
import { useState } from "preact/hooks";
import * as fish from "../api/fish";
import { Failure } from "../api/http";
import { Button } from "../parts/Button";
import { Icon } from "../parts/Icon";
import { me } from "../state/session";
import { words } from "../words";

export function Enter() {
  const told = words.value.enter;
  const [token, setToken] = useState("");
  const [wrong, setWrong] = useState("");
  const enter = async () => {
    try {
      me.value = await fish.enter(token.trim());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      setWrong(`${error.message} ${error.fix}`.trim());
    }
  };
  return (
    <main class="enter" id="main">
      <span class="fish">
        <Icon name="wave" size={28} />
      </span>
      <h1>{told.head}</h1>
      <p>{told.text}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <input type="password" autocomplete="current-password" aria-label={told.token} placeholder={told.token} value={token} onInput={(event) => setToken(event.currentTarget.value)} />
        <Button type="submit" class="primary" disabled={!token.trim()}>
          {told.go}
        </Button>
      </form>
      {wrong && (
        <p class="bad" role="alert">
          {wrong}
        </p>
      )}
    </main>
  );
}
