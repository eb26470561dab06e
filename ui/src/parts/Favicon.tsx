/** A tab's icon, passed on by the server so that the page's host sees no request; else the site's first letter. */
import { useState } from "preact/hooks";
import { isElsewhere } from "../api/http";
import { icon } from "../api/server";
import type { Tab } from "../api/types";
import { opened } from "../state/conversations";
import { Monogram } from "./Monogram";

export function Favicon({ tab }: { tab: Tab }) {
  const [bare, setBare] = useState("");
  const from = URL.canParse(tab.url) ? new URL(tab.url) : null;
  // An extension cannot show a picture that needs its token.
  if (isElsewhere() || !opened.value || !from?.protocol.startsWith("http") || bare === from.origin) return <Monogram url={tab.url} />;
  return <img class="favicon" alt="" width={18} height={18} src={icon(opened.value, tab.id, from.host)} onError={() => setBare(from.origin)} />;
}
