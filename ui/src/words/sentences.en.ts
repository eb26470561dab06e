/** The server writes English sentences, which are shown unchanged. Here are only the words that the page shows instead. */
import type { DoneAction } from "../compute/doneActions";
import type { Effect } from "../compute/effects";

type Details = Record<string, unknown>;

export const doneActions: Record<string, (doneAction: DoneAction) => string> = {};

export const notes: Record<string, (details: Details, text: string, loop: (name: string) => string) => string> = {
  loop: (details, text, loop) => text.replace(`Using ${details["loop"]}`, `Using “${loop(String(details["loop"]))}”`),
};

export const effects: Record<string, string> = {};
export const effectList = (_asked: Effect[]): string => "";

/** What a permission would allow: the short question above the details. */
const effectPhrases: Record<string, string> = {
  submit: "send a form on",
  use: "use a tool that may change something:",
  send: "send a message on",
  publish: "publish something on",
  buy: "buy or pay on",
  delete: "delete something on",
  account: "change an account or its security on",
  upload: "upload a file to",
  download: "keep a program from",
  personal: "give personal details to",
  secret: "use a password or code on",
  carry: "carry what was read elsewhere to",
  leave: "leave the sites of the task for",
  remember: "remember something that you did not say,",
};
export const failureTitles: Record<string, string> = {};
export const outcomes: Record<string, string> = {};
const describeEffect = ({ effect, site, receiver }: Effect): string =>
  `${effectPhrases[effect]} ${site}${receiver && receiver !== site && effect !== "leave" ? ` (received by ${receiver})` : ""}`;

/** The question that names every effect; empty where one of them has no words here. */
export const permission = (asked: Effect[]): string =>
  asked.length && asked.every(({ effect, site }) => effectPhrases[effect] && site) ? `May it ${[...new Set(asked.map(describeEffect))].join(", and ")}?` : "";
export const spent = (_of: string, _spent: string, _limit: string): string => "";
