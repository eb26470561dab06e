/** The requests about shortcuts. */
import { call, get, post } from "./http";
import type { components } from "./schema";
import type { Run, Shortcut } from "./types";

export type Preview = components["schemas"]["ShortcutPreview"];

const shortcutPath = (name: string) => `/api/shortcuts/${name}`;

export const list = () => get<Shortcut[]>("/api/shortcuts");
export const use = (name: string, values: Record<string, string>, conversation: string) => post<Run>(`${shortcutPath(name)}/run`, { values, conversation });
export const preview = (run: string) => post<Preview>("/api/shortcuts/preview", { run });
export const save = (run: string, name: string, parameters: Record<string, string>) => post<Shortcut>("/api/shortcuts", { run, name, parameters });
export const importShortcut = (file: unknown) => post<Shortcut>("/api/shortcuts/import", file);
export const rename = (name: string, to: string) => call<Shortcut>("PATCH", shortcutPath(name), { name: to });
export const remove = (name: string) => call<void>("DELETE", shortcutPath(name));
export const file = (name: string) => `${shortcutPath(name)}/file`;
