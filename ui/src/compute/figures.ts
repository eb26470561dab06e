/** Numbers as people read them. Unknown reads "unknown", an estimate reads "about"; both words come from outside. */
import type { Usage } from "../api/types";

export type Terms = { unknown: string; about: (what: string) => string; atLeast: (what: string) => string };

/** Money in cents below a dollar, else in dollars. */
export function money(dollars: number): string {
  const cents = dollars * 100;
  if (cents === 0) return "0 ¢";
  if (cents < 0.01) return "< 0.01 ¢";
  if (cents < 1) return `${cents.toFixed(2)} ¢`;
  return cents < 100 ? `${cents.toFixed(1)} ¢` : `$${dollars.toFixed(2)}`;
}

export function formatCost(usage: Usage, terms: Terms): string {
  if (!usage.priced) return usage.cost > 0 ? terms.atLeast(money(usage.cost)) : terms.unknown;
  return usage.estimated && usage.cost > 0 ? terms.about(money(usage.cost)) : money(usage.cost);
}

export type Units = { s: string; min: string; h: string };

export function formatSpan(seconds: number, { s, min, h }: Units = { s: "s", min: "min", h: "h" }): string {
  if (seconds < 9.95) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} ${s}`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} ${s}`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} ${min} ${whole % 60} ${s}` : `${Math.floor(minutes / 60)} ${h} ${minutes % 60} ${min}`;
}

export function count(number: number): string {
  if (number < 1000) return String(number);
  if (number < 10_000) return `${(number / 1000).toFixed(1)}k`;
  return number < 1_000_000 ? `${Math.round(number / 1000)}k` : `${(number / 1_000_000).toFixed(1)}M`;
}

export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`;
  if (size < 1_000_000) return `${Math.round(size / 1000)} KB`;
  return size < 1e9 ? `${(size / 1e6).toFixed(1)} MB` : `${(size / 1e9).toFixed(2)} GB`;
}

/** The day an entry belongs to, as a key: today, yesterday, week, older. */
export function ageGroup(at: string, now: Date = new Date()): "today" | "yesterday" | "week" | "older" {
  const start = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((start(now) - start(new Date(at))) / 86_400_000);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : days < 7 ? "week" : "older";
}
