/** The page before the app: a heading, a form of a few fields with one button, and what went wrong. */
import type { ComponentChildren } from "preact";
import { Button } from "./Button";
import { Icon } from "./Icon";
import { Plain } from "./Plain";

type Entry = { head: string; text: string; button: string; ready: boolean; wrong: string; onSubmit: () => void; children: ComponentChildren };

export function EntryForm({ head, text, button, ready, wrong, onSubmit, children }: Entry) {
  return (
    <main class="enter" id="main">
      <span class="fish">
        <Icon name="wave" size={28} />
      </span>
      <h1>{head}</h1>
      <p>{text}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <Button type="submit" class="primary" disabled={!ready}>
          {button}
        </Button>
      </form>
      {wrong && (
        <p class="bad" role="alert">
          <Plain text={wrong} />
        </p>
      )}
    </main>
  );
}
