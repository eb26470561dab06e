/** Requests about secrets, logins, policy previews and audits. */
import { call, get, post } from "./http";
import type { components } from "./schema";

type All = components["schemas"];
export type Secret = All["SecretInfo"];
export type SiteLogin = All["SiteLogin"];
export type SupposedAction = Partial<All["SupposedAction"]>;
export type PolicyPreview = All["PolicyPreview"];
export type Audit = All["AuditReport"];

const secret = (name: string) => `/api/secrets/${encodeURIComponent(name)}`;

export const secrets = () => get<Secret[]>("/api/secrets");
export const keep = (name: string, value: string, origins: string[], kind: Secret["kind"]) =>
  call<Secret>("PUT", secret(name), { value, origins, kind });
export const drop = (name: string) => call<void>("DELETE", secret(name));
export const logins = () => get<SiteLogin[]>("/api/logins");
export const signIn = (url: string) => post<All["Conversation"]>("/api/logins", { url });
export const forget = (site: string) => call<void>("DELETE", `/api/logins/${encodeURIComponent(site)}`);
export const previewPolicy = (action: SupposedAction) => post<PolicyPreview>("/api/policy/test", action);
export const audit = (run: string) => get<Audit>(`/api/runs/${run}/audit`);
export const signed = (run: string) => `/api/runs/${run}/audit/export`;
