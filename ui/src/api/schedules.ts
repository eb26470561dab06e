/** Schedules and watches, what became of them, and what they told. */
import { call, get, post, query } from "./http";
import type { components } from "./schema";

type All = components["schemas"];

export type Schedule = All["Schedule"] & { created: string };
export type Fire = All["ScheduleFire"];
export type Plan = Partial<All["NewSchedule"]> & { task: string; when: string };
export type Preview = All["SchedulePreview"];
export type Entry = All["CalendarEntry"];
export type Notice = All["Notice"] & { at: string };

export const list = () => get<Schedule[]>("/api/schedules");
export const create = (plan: Plan) => post<Schedule>("/api/schedules", plan);
export const edit = (id: string, plan: Plan) => call<Schedule>("PUT", `/api/schedules/${id}`, plan);
export const preview = (plan: Plan) => post<Preview>("/api/schedules/preview", plan);
export const readTime = (when: string, zone: string) => post<All["PlainWhen"]>("/api/schedules/read", { when, zone });
export const history = (id: string) => get<Fire[]>(`/api/schedules/${id}/history`);
export const pause = (id: string) => post<Schedule>(`/api/schedules/${id}/pause`);
export const resume = (id: string) => post<Schedule>(`/api/schedules/${id}/resume`);
export const runNow = (id: string) => post<Fire>(`/api/schedules/${id}/run`);
export const remove = (id: string) => call<void>("DELETE", `/api/schedules/${id}`);
export const calendar = (since: Date, until: Date) =>
  get<{ entries: Entry[] }>(`/api/schedules/calendar${query({ since: since.toISOString(), until: until.toISOString() })}`);
export const notices = (state = "") => get<Notice[]>(`/api/notices${query({ state, limit: 50 })}`);
export const markRead = (id: string) => post<Notice>(`/api/notices/${id}/read`);
export const retry = (id: string) => post<Notice>(`/api/notices/${id}/retry`);
