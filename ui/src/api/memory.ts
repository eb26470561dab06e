/** What is remembered of a person. */
import { settings } from "./fish";
import { call, get, post } from "./http";
import type { components } from "./schema";

export type Fact = components["schemas"]["Fact"];
export type Caps = Record<Fact["tier"], number>;

export const EXPORT = "/api/memory/export";
export const facts = () => get<Fact[]>("/api/memory");
export const history = () => get<Fact[]>("/api/memory/history");
export const add = (content: string) => post<Fact[]>("/api/memory", { content });
export const correct = (id: string, content: string) => call<Fact>("PATCH", `/api/memory/${id}`, { content });
export const remove = (id: string) => call<void>("DELETE", `/api/memory/${id}`);
export const wipe = () => call<void>("DELETE", "/api/memory");

/** How much each tier may hold; only an admin may read it. */
export async function caps(): Promise<Partial<Caps>> {
  const lines = await settings();
  const of = (tier: string) => Number(lines.find((line) => line.path === `memory.${tier}`)?.value ?? 0);
  return { core: of("core"), important: of("important"), context: of("context") };
}
