/** Users of the server and their tokens. */
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import * as server from "../api/server";
import type { User } from "../api/types";
import { Button } from "../parts/Button";
import { Copy } from "../parts/Copy";
import { useLoaded } from "../state/loaded";
import { attempt, me } from "../state/session";
import { formatMoment, words } from "../words";

export function UsersAndTokens() {
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
      <OwnChrome />
      {me.value?.role === "admin" && <Users onIssue={(issued) => (token.value = issued)} />}
    </>
  );
}

function Tokens({ onIssue }: { onIssue: (token: string) => void }) {
  const texts = words.value.settings;
  const [name, setName] = useState("");
  const [list, read] = useLoaded(server.grants);
  const issue = async () => {
    const made = await attempt(() => server.grant(name.trim()));
    if (!made) return;
    setName("");
    onIssue(made.token);
    await read();
  };
  return (
    <section>
      <h2>{texts.tokens}</h2>
      <ul class="plainlist">
        {list.value?.map((each) => (
          <li key={each.id}>
            <strong class="clip">{each.name}</strong>
            <span class="facts">
              {texts[each.kind]} · {formatMoment(each.created ?? "")}
            </span>
            <Button aria-label={`${texts.revoke} ${each.name}`} onClick={() => void attempt(() => server.revoke(each.id)).then(read)}>
              {texts.revoke}
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
        <input aria-label={texts.tokenFor} placeholder={texts.tokenFor} value={name} maxLength={64} onInput={(event) => setName(event.currentTarget.value)} />
        <Button type="submit" disabled={!name.trim()}>
          {texts.issue}
        </Button>
      </form>
    </section>
  );
}

/** Connects the extension in the person's Chrome: a code to type into its panel. */
function OwnChrome() {
  const texts = words.value.settings.chrome;
  const code = useSignal("");
  const connected = useSignal<boolean | null>(null);
  useEffect(() => void attempt(server.extension).then((state) => (connected.value = state?.connected ?? null)), []);
  const show = async () => {
    code.value = (await attempt(server.pairingCode))?.code ?? "";
  };
  return (
    <section>
      <h2>{texts.head}</h2>
      <p class="facts">{connected.value ? texts.connected : texts.about}</p>
      {code.value ? (
        <div class="issued" role="status">
          <p>{texts.type}</p>
          <code>{code.value}</code>
          <Copy text={code.value} />
        </div>
      ) : (
        <p>
          <Button onClick={() => void show()}>{texts.show}</Button>
        </p>
      )}
    </section>
  );
}

function Users({ onIssue }: { onIssue: (token: string) => void }) {
  const texts = words.value.settings;
  const [name, setName] = useState("");
  const [role, setRole] = useState<User["role"]>("member");
  const [list, read] = useLoaded(server.users);
  const issue = async (user: User) => {
    const made = await attempt(() => server.issue(user.id, user.name));
    if (made) onIssue(made.token);
  };
  return (
    <section>
      <h2>{texts.people}</h2>
      <ul class="plainlist">
        {list.value?.map((each) => (
          <li key={each.id}>
            <strong class="clip">{each.name}</strong>
            <span class="facts">{texts[each.role]}</span>
            <Button aria-label={`${texts.issue}: ${each.name}`} onClick={() => void issue(each)}>
              {texts.issue}
            </Button>
            {each.id !== me.value?.id && (
              <Button aria-label={`${texts.remove} ${each.name}`} onClick={() => void attempt(() => server.dropUser(each.id)).then(read)}>
                {texts.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => server.addUser(name.trim(), role)).then(read);
          setName("");
        }}
      >
        <input aria-label={texts.personName} placeholder={texts.personName} value={name} maxLength={64} onInput={(event) => setName(event.currentTarget.value)} />
        <select aria-label={texts.role} value={role} onChange={(event) => setRole(event.currentTarget.value as User["role"])}>
          <option value="member">{texts.member}</option>
          <option value="admin">{texts.admin}</option>
        </select>
        <Button type="submit" disabled={!name.trim()}>
          {texts.add}
        </Button>
      </form>
    </section>
  );
}
