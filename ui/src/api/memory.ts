/** What is remembered of a person. */
import { settings } from "./server";
import { call, get, post } from "./http";
import type { components } from "./schema";

export type Fact = components["schemas"]["Fact"];
export type Caps = Record<Fact["tier"], number>;

export const EXPORT = "/api/memory/export";
export const facts = () => get<Fact[]>("/api/memory");
export const history = () => get<Fact[]>("/api/memory/history");
export const add = (content: string, tier: Fact["tier"]) => post<Fact[]>("/api/memory", { content, tier });
export const undo = (id: string) => post<Fact>(`/api/memory/${id}/undo`, {});
export const correct = (id: string, content: string) => call<Fact>("PATCH", `/api/memory/${id}`, { content });
export const remove = (id: string, conversations: "keep" | "delete") => call<void>("DELETE", `/api/memory/${id}?conversations=${conversations}`);
export const deleteAllFacts = () => call<void>("DELETE", "/api/memory");

/** The facts that made way for new ones. */
export async function listReplaced(added: Fact[]): Promise<Fact[]> {
  const ids = new Set(added.map((fact) => fact.id));
  return (await history()).filter((fact) => ids.has(fact.successor ?? "") && RETURNING.has(fact.ending ?? ""));
}

/** Endings that can be undone. */
export const RETURNING = new Set(["replaced", "refined", "corrected", "evicted", "expired"]);

/** How much each tier may hold; only an admin may read it. */
export async function readCaps(): Promise<Partial<Caps>> {
  const lines = await settings();
  const of = (tier: string) => Number(lines.find((line) => line.path === `memory.${tier}`)?.value ?? 0);
  return { core: of("core"), important: of("important"), context: of("context") };
}
