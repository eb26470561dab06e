/** What schedules told on this page: read again every while, and shown by the browser too if the person wants that. */
import { computed, signal } from "@preact/signals";
import * as api from "../api/schedules";
import { Failure } from "../api/http";
import { pushId, refresh } from "./push";
import { attempt, bell, me, say } from "./session";

const PAUSE = 15_000;

export const notices = signal<api.Notice[]>([]);
export const unread = computed(() => notices.value.filter((each) => each.channel === "page" && !each.read).length);

let known: Set<string> | null = null;

/** Reads the notices; those that are new since the last time are shown. */
export async function readNotices(): Promise<void> {
  if (!me.value) return;
  try {
    notices.value = await api.notices();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return;
  }
  const fresh = notices.value.filter((each) => each.channel === "page" && !each.read && known && !known.has(each.id));
  known = new Set(notices.value.map((each) => each.id));
  for (const each of fresh) show(each);
}

function show(notice: api.Notice): void {
  const text = `${notice.title}: ${notice.text}`.slice(0, 300);
  say(text);
  // A browser that is sent notices shows them itself.
  if (bell.value && !pushId.value && "Notification" in window && Notification.permission === "granted") new Notification(notice.title, { body: notice.text, tag: notice.id });
}

export async function markRead(notice: api.Notice): Promise<void> {
  const read = await api.markRead(notice.id);
  notices.value = notices.value.map((each) => (each.id === read.id ? { ...each, read: true } : each));
}

export function install(): void {
  void readNotices();
  if (me.value) void attempt(refresh);
  setInterval(() => void readNotices(), PAUSE);
}
