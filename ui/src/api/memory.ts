/** What is remembered of a person. */
import { call, get, post } from "./http";

export type Fact = {
  id: string;
  content: string;
  tier: "core" | "important" | "context";
  category: string;
  confidence: number;
  sources: string[];
  created: string;
  use_count: number;
  ended?: string | null;
  ending?: string | null;
};

export const CAPS = { core: 8, important: 12, context: 6 };
export const EXPORT = "/api/memory/export";
export const facts = () => get<Fact[]>("/api/memory");
export const history = () => get<Fact[]>("/api/memory/history");
export const add = (content: string) => post<unknown>("/api/memory", { content });
export const correct = (id: string, content: string) => call<Fact>("PATCH", `/api/memory/${id}`, { content });
export const remove = (id: string) => call<void>("DELETE", `/api/memory/${id}`);
