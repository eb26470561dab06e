/** Secrets without their values, what the policy would say, and what a run was allowed and refused. */
import { call, get, post } from "./http";
import type { components } from "./schema";

type All = components["schemas"];
export type Secret = All["Listed"];
export type Supposed = Partial<All["Supposed"]>;
export type Told = All["Told"];
export type Audit = All["Audit"];

const secret = (name: string) => `/api/secrets/${encodeURIComponent(name)}`;

export const secrets = () => get<Secret[]>("/api/secrets");
export const keep = (name: string, value: string, origins: string[], kind: Secret["kind"]) =>
  call<Secret>("PUT", secret(name), { value, origins, kind });
export const drop = (name: string) => call<void>("DELETE", secret(name));
export const suppose = (deed: Supposed) => post<Told>("/api/policy/test", deed);
export const audit = (run: string) => get<Audit>(`/api/runs/${run}/audit`);
export const signed = (run: string) => `/api/runs/${run}/audit/export`;
