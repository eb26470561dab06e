/** Previews the policy's decision about a described action: allow, ask or deny, and why. */
import { useState } from "preact/hooks";
import * as safety from "../api/safety";
import { Button } from "../parts/Button";
import { Icon, type Name } from "../parts/Icon";
import { attempt } from "../state/session";
import { words } from "../words";
import { describeDecision } from "../words/sentences";

const ACTIONS = ["click", "type", "select", "upload", "navigate", "press_key"] as const;
const ICONS: Record<string, Name> = { allow: "check", ask: "hand", deny: "cross" };

export function PolicyTester() {
  const texts = words.value.policyTester;
  const [action, setAction] = useState<(typeof ACTIONS)[number]>("click");
  const [page, setPage] = useState("https://shop.example/cart");
  const [name, setName] = useState(texts.example);
  const [detail, setDetail] = useState("");
  const [result, setResult] = useState<safety.PolicyPreview | null>(null);
  const goes = action === "navigate";
  const ask = async () => {
    const doneAction: safety.SupposedAction = { action, page, ...(goes ? { to: detail } : { element: element(action, name), text: detail }) };
    setResult((await attempt(() => safety.previewPolicy(doneAction))) ?? null);
  };
  return (
    <section class="tester" aria-label={texts.head}>
      <h2>{texts.head}</h2>
      <form
        class="secret"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <label>
          {texts.action}
          <select value={action} onChange={(event) => setAction(event.currentTarget.value as typeof action)}>
            {ACTIONS.map((each) => (
              <option key={each} value={each}>
                {texts.actions[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {texts.page}
          <input value={page} spellcheck={false} onInput={(event) => setPage(event.currentTarget.value)} />
        </label>
        {!goes && (
          <label>
            {texts.element}
            <input value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
        )}
        {action !== "click" && action !== "upload" && (
          <label>
            {goes ? texts.to : texts.text}
            <input value={detail} spellcheck={false} onInput={(event) => setDetail(event.currentTarget.value)} />
          </label>
        )}
        <footer>
          <Button type="submit">{texts.ask}</Button>
        </footer>
      </form>
      <div role="status">
        {result && (
          <p class={`decision ${result.decision.decision}`}>
            <Icon name={ICONS[result.decision.decision] ?? "ask"} />
            <span>{describeDecision(result.decision.decision, result.decision.effect) || result.words}</span>
          </p>
        )}
      </div>
    </section>
  );
}

/** The kind of element that an action is done to. */
function element(action: string, name: string): NonNullable<safety.SupposedAction["element"]> {
  const [role, tag, type] =
    action === "click" ? ["button", "button", "submit"] : action === "select" ? ["combobox", "select", ""] : action === "upload" ? ["button", "input", "file"] : ["textbox", "input", "text"];
  return { role, tag, type, name, submits: action === "click" } as NonNullable<safety.SupposedAction["element"]>;
}
