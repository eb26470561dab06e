/** A tab's icon. Our server hands it on, so the page's host never hears of who looks; else the site's first letter. */
import { useState } from "preact/hooks";
import { icon } from "../api/fish";
import type { Tab } from "../api/types";
import { opened } from "../state/talks";
import { Monogram } from "./Monogram";

export function Favicon({ tab }: { tab: Tab }) {
  const [bare, setBare] = useState("");
  const from = URL.canParse(tab.url) ? new URL(tab.url) : null;
  if (!opened.value || !from?.protocol.startsWith("http") || bare === from.origin) return <Monogram url={tab.url} />;
  return <img class="favicon" alt="" width={18} height={18} src={icon(opened.value, tab.id, from.host)} onError={() => setBare(from.origin)} />;
}
