/** The requests to the server, one line each. */
import { call, get, post, query } from "./http";
import type {
  Change,
  Costs,
  Event,
  AttachedFile,
  Grant,
  How,
  Issued,
  Model,
  Run,
  Setting,
  Start,
  Tab,
  Thread,
  Tool,
  User,
} from "./types";

type Filter = { state?: string; conversation?: string; text?: string; before?: string; limit?: number };
export type Page = { items: Run[]; next?: string | null };
type Verb = "stop" | "pause" | "resume" | "approve" | "deny";

const PART = 1000;
const thread = (id: string) => `/api/conversations/${id}`;

export const me = () => get<User>("/api/me");
export const enter = (token: string) => post<User>("/api/session", { token });
export const leave = () => call<void>("DELETE", "/api/session");
export const health = () => get<{ status: string; version: string }>("/api/health");

export const threads = (text = "") => get<Thread[]>(`/api/conversations${query({ text, limit: 200 })}`);
export const readThread = (id: string) => get<Thread>(thread(id));
export const open = (title: string) => post<Thread>("/api/conversations", { title });
export const attachFile = (id: string, file: File) => post<AttachedFile>(`${thread(id)}/files${query({ name: file.name })}`, file);
export const rename = (id: string, title: string) => call<Thread>("PATCH", thread(id), { title });
export const forget = (id: string) => call<void>("DELETE", thread(id));

export const runs = (filter: Filter) => get<Page>(`/api/runs${query(filter)}`);
export const run = (id: string) => get<Run>(`/api/runs/${id}`);

/** All events so far; a long journal comes in several parts. */
export async function journal(id: string): Promise<Event[]> {
  const all: Event[] = [];
  for (;;) {
    const part = await get<Event[]>(`/api/runs/${id}/journal${query({ after: all.at(-1)?.seq ?? 0 })}`);
    all.push(...part);
    if (part.length < PART || all.at(-1)?.type === "run_finished") return all;
  }
}

export const start = (what: Start) => post<Run>("/api/runs", what);
export const forkRun = (id: string, how: How = {}) => post<Run>(`/api/runs/${id}/fork`, { attended: true, ...how });
export const repeat = (id: string) => post<Run>(`/api/runs/${id}/replay`);
export const tell = (id: string, verb: Verb) => post<Run>(`/api/runs/${id}/${verb}`);
export const sayTo = (id: string, text: string) => post<Run>(`/api/runs/${id}/say`, { text });
export const answer = (id: string, text: string, request: string) =>
  post<Run>(`/api/runs/${id}/answer`, { text, request });
export const remove = (id: string) => call<void>("DELETE", `/api/runs/${id}`);
export const exportAddress = (id: string, format: "json" | "markdown" | "script" | "jsonl" | "csv" | "xlsx", places = false) => `/api/runs/${id}/export?format=${format}${places ? "&places=true" : ""}`;
export const file = (id: string, name: string) => `/api/runs/${id}/files/${name.split("/").map(encodeURIComponent).join("/")}`;

export const tabs = (id: string) => get<Tab[]>(`${thread(id)}/tabs`);
export const openTab = (id: string, url: string) => post<Tab>(`${thread(id)}/tabs`, { url });
export const selectTab = (id: string, tab: number) => post<Tab>(`${thread(id)}/tabs/${tab}/select`);
export const moveTab = (id: string, tab: number, to: string) => post<Tab>(`${thread(id)}/tabs/${tab}/go`, { to });
export const warm = (id: string, tabs: number[], model: string) => post<void>(`${thread(id)}/warm`, { tabs, model });
export const icon = (id: string, tab: number, site: string) => `${thread(id)}/tabs/${tab}/icon${query({ site })}`;
export const closeTab = (id: string, tab: number) => call<void>("DELETE", `${thread(id)}/tabs/${tab}`);

export const practice = () => post<{ url: string }>("/api/practice");

export const models = () => get<Model[]>("/api/models");
export const loops = () => get<string[]>("/api/loops");
export const tools = () => get<Tool[]>("/api/tools");

export const settings = () => get<Setting[]>("/api/settings");
export const set = (path: string, value: unknown) => call<Change>("PUT", "/api/settings", { path, value });
export const changes = (path = "") => get<Change[]>(`/api/settings/history${query({ path })}`);
export const schema = () => get<Record<string, unknown>>("/api/settings/schema");

export const users = () => get<User[]>("/api/users");
export const addUser = (name: string, role: User["role"]) => post<User>("/api/users", { name, role });
export const dropUser = (id: string) => call<void>("DELETE", `/api/users/${id}`);
export const issue = (id: string, name: string) => post<Issued>(`/api/users/${id}/tokens`, { name });
export const grants = () => get<Grant[]>("/api/tokens");
export const grant = (name: string) => post<Issued>("/api/tokens", { name });
export const extension = () => get<{ connected: boolean }>("/api/extension");
export const pairingCode = () => post<{ code: string }>("/api/extension/code");
export const revoke = (id: string) => call<void>("DELETE", `/api/tokens/${id}`);

export const costs = (since: string) => get<Costs>(`/api/costs${query({ since })}`);
