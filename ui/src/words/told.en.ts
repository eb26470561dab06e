/** What the server tells in English sentences stays as it is told; only names that people know otherwise are put in. */
import type { Deed } from "../fold/deeds";

type Details = Record<string, unknown>;

export const deeds: Record<string, (deed: Deed) => string> = {};

export const notes: Record<string, (details: Details, text: string, loop: (name: string) => string) => string> = {
  loop: (details, text, loop) => text.replace(`Using ${details["loop"]}`, `Using “${loop(String(details["loop"]))}”`),
};

export const effects: Record<string, string> = {};

/** What a permission is for, where it is asked for: a short question above the particulars. */
const wants: Record<string, string> = {
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
export const troubles: Record<string, string> = {};
export const outcomes: Record<string, string> = {};
export const permission = (effect: string, site: string): string =>
  wants[effect] && site ? `May it ${wants[effect]} ${site}?` : "";
export const spent = (_of: string, _spent: string, _limit: string): string => "";
