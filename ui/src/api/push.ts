/** Browsers that get notices also while no page is open. */
import { call, get, post } from "./http";
import type { components } from "./schema";

type All = components["schemas"];

export type PushBrowser = All["PushBrowser"];
export type PushState = All["PushState"];
export type PushTarget = All["PushTarget"];

export const read = () => get<PushState>("/api/push");
export const add = (target: PushTarget) => post<PushBrowser>("/api/push", target);
export const drop = (id: string) => call<void>("DELETE", `/api/push/${id}`);
export const sendTest = () => post<void>("/api/push/try");
