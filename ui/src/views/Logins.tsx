/** Sites whose logins are remembered: sign in once in the live view, see which sites there are, forget them. */
import { useState } from "preact/hooks";
import * as safety from "../api/safety";
import { Button } from "../parts/Button";
import { Entries } from "../parts/Entries";
import { RemovableEntry } from "../parts/RemovableEntry";
import { useLoaded } from "../state/loaded";
import { go } from "../state/route";
import { attempt } from "../state/session";
import { formatMoment, words } from "../words";

export function Logins() {
  const texts = words.value.logins;
  const [list, read] = useLoaded(safety.logins);
  return (
    <>
      <p class="about">{texts.about}</p>
      <Entries items={list.value} none={texts.none} draw={(each) => <Entry key={each.site} login={each} onChange={read} />} />
      <SignInTo />
    </>
  );
}

function Entry({ login, onChange }: { login: safety.SiteLogin; onChange: () => Promise<void> }) {
  const { forget, forgetHead, forgetText } = words.value.logins;
  return <RemovableEntry name={login.site} facts={formatMoment(login.saved)} label={forget} title={forgetHead(login.site)} text={forgetText} remove={() => safety.forget(login.site)} onChange={onChange} />;
}

function SignInTo() {
  const texts = words.value.logins;
  const [site, setSite] = useState("");
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    const talk = await attempt(() => safety.signIn(site.trim()));
    setOpening(false);
    if (talk) go(`/c/${talk.id}`);
  };
  return (
    <form
      class="secret"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void open();
      }}
    >
      <h2>{texts.add}</h2>
      <label>
        {texts.site}
        <input value={site} placeholder="shop.example" spellcheck={false} onInput={(event) => setSite(event.currentTarget.value)} />
      </label>
      <p class="about">{texts.hint}</p>
      <footer>
        <Button type="submit" class="primary" disabled={!site.trim() || opening}>
          {texts.open}
        </Button>
      </footer>
    </form>
  );
}
