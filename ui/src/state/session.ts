/** Who is here, whether the server answers, and how the person wants the page to look. */
import { computed, effect, signal } from "@preact/signals";
import * as server from "../api/server";
import { Failure, watch } from "../api/http";
import type { User } from "../api/types";
import { storedSignal } from "./stored";

export type Theme = "system" | "light" | "dark";
export type Reach = "unknown" | "online" | "offline" | "stranger";

export const me = signal<User | null>(null);
export const reach = signal<Reach>("unknown");
export const theme = storedSignal<Theme>("theme", "system");
export const language = storedSignal<"en" | "zh">("language", navigator.language?.startsWith("zh") ? "zh" : "en");
export const bell = storedSignal("bell", false);
export const sidebar = storedSignal("sidebar", true);
export const pane = storedSignal("pane", true);
/** On a narrow screen: what lies over the conversation. */
export const drawer = signal<"" | "menu" | "live">("");

/** A message at the edge of the screen; the latest one only. */
export const notice = signal<{ text: string; fix: string; bad: boolean; code?: string } | null>(null);

export const dark = computed(() => theme.value === "dark" || (theme.value === "system" && systemIsDark.value));

const night = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(night.matches);

export function say(text: string): void {
  notice.value = { text, fix: "", bad: false };
}

/** Shows a failure in its own words. The bar at the top shows being offline. */
export function showFailure(error: unknown): void {
  if (error instanceof Failure) {
    if (error.status !== 0 && error.status !== 401) notice.value = { text: error.message, fix: error.fix, bad: true, code: error.code };
  } else throw error;
}

/** Does something and tells what went wrong, if it did. */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    showFailure(error);
    return undefined;
  }
}

export function install(): void {
  night.addEventListener("change", () => (systemIsDark.value = night.matches));
  effect(() => {
    document.documentElement.dataset["theme"] = dark.value ? "dark" : "light";
    document.documentElement.lang = language.value;
  });
  watch((failure) => {
    if (failure === null) reach.value = "online";
    else if (failure.status === 0) reach.value = "offline";
    else if (failure.status === 401) reach.value = "stranger";
    else reach.value = "online";
  });
  // A server on this machine answers without a network too.
  for (const change of ["offline", "online"]) addEventListener(change, () => void server.health().catch(() => {}));
}

/** Finds out who this is; a token in the address is exchanged for a session and taken out of sight. */
export async function begin(): Promise<void> {
  const hash = new URLSearchParams(location.hash.slice(1) || location.search);
  const token = hash.get("token");
  try {
    if (token) history.replaceState(null, "", location.pathname);
    me.value = token ? await server.enter(token) : await server.me();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (token && error.status === 401) showFailure(new Failure(400, error.code, error.message, error.fix));
  }
}
