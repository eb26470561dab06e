/** Who may come in, and the tokens by which they are known. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import * as fish from "../api/fish";
import type { Grant, User } from "../api/types";
import { Button } from "../parts/Button";
import { Copy } from "../parts/Copy";
import { attempt, me } from "../state/session";
import { when, words } from "../words";

export function People() {
  const token = useSignal("");
  return (
    <>
      {token.value && (
        <div class="issued" role="status">
          <p>{words.value.settings.once}</p>
          <code>{token.value}</code>
          <Copy text={token.value} />
        </div>
      )}
      <Tokens onIssue={(issued) => (token.value = issued)} />
      {me.value?.role === "admin" && <Users onIssue={(issued) => (token.value = issued)} />}
    </>
  );
}

function Tokens({ onIssue }: { onIssue: (token: string) => void }) {
  const told = words.value.settings;
  const [name, setName] = useState("");
  const list = useSignal<Grant[]>([]);
  const read = async () => {
    list.value = (await attempt(fish.grants)) ?? [];
  };
  useEffect(() => void read(), []);
  const issue = async () => {
    const made = await attempt(() => fish.grant(name.trim()));
    if (!made) return;
    setName("");
    onIssue(made.token);
    await read();
  };
  return (
    <section>
      <h2>{told.tokens}</h2>
      <ul class="plainlist">
        {list.value.map((each) => (
          <li key={each.id}>
            <strong class="clip">{each.name}</strong>
            <span class="facts">
              {told[each.kind]} · {when(each.created ?? "")}
            </span>
            <Button aria-label={`${told.revoke} ${each.name}`} onClick={() => void attempt(() => fish.revoke(each.id)).then(read)}>
              {told.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void issue();
        }}
      >
        <input aria-label={told.tokenFor} placeholder={told.tokenFor} value={name} maxLength={64} onInput={(event) => setName(event.currentTarget.value)} />
        <Button type="submit" disabled={!name.trim()}>
          {told.issue}
        </Button>
      </form>
    </section>
  );
}

function Users({ onIssue }: { onIssue: (token: string) => void }) {
  const told = words.value.settings;
  const [name, setName] = useState("");
  const [role, setRole] = useState<User["role"]>("member");
  const list = useSignal<User[]>([]);
  const read = async () => {
    list.value = (await attempt(fish.users)) ?? [];
  };
  useEffect(() => void read(), []);
  const issue = async (user: User) => {
    const made = await attempt(() => fish.issue(user.id, user.name));
    if (made) onIssue(made.token);
  };
  return (
    <section>
      <h2>{told.people}</h2>
      <ul class="plainlist">
        {list.value.map((each) => (
          <li key={each.id}>
            <strong class="clip">{each.name}</strong>
            <span class="facts">{told[each.role]}</span>
            <Button aria-label={`${told.issue}: ${each.name}`} onClick={() => void issue(each)}>
              {told.issue}
            </Button>
            {each.id !== me.value?.id && (
              <Button aria-label={`${told.remove} ${each.name}`} onClick={() => void attempt(() => fish.dropUser(each.id)).then(read)}>
                {told.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => fish.addUser(name.trim(), role)).then(read);
          setName("");
        }}
      >
        <input aria-label={told.personName} placeholder={told.personName} value={name} maxLength={64} onInput={(event) => setName(event.currentTarget.value)} />
        <select aria-label={told.role} value={role} onChange={(event) => setRole(event.currentTarget.value as User["role"])}>
          <option value="member">{told.member}</option>
          <option value="admin">{told.admin}</option>
        </select>
        <Button type="submit" disabled={!name.trim()}>
          {told.add}
        </Button>
      </form>
    </section>
  );
}
