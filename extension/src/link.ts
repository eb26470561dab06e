/** The line to the server: connects with the token of the pairing, again and again while there is one. */
import { signed } from "../../ui/src/api/http";
import type { Answer, Notice, Request } from "./protocol";

export type Pairing = { server: string; token: string };

export type Link = { tell(notice: Notice): void };

/** Messages on a WebSocket keep a service worker awake; Chrome ends it after 30 s without any. */
const BEAT = 20_000;
/** Milliseconds for the server to answer one; after a sleep or on another network a connection may be dead and not know. */
const PATIENCE = 10_000;
const SLOWEST = 15_000;
/** How our server says that a token is not good any more. */
const REFUSALS = ["no_token", "foreign_origin"];

export async function pairing(): Promise<Pairing | null> {
  const kept = await chrome.storage.local.get("pairing");
  return (kept["pairing"] as Pairing | undefined) ?? null;
}

/** Whether the server answers, and does not take the token any more. */
async function isRevoked({ server, token }: Pairing): Promise<boolean> {
  try {
    const answer = await fetch(`${server}/api/me`, signed(token));
    const said = answer.ok ? {} : ((await answer.json()) as { code?: string });
    return REFUSALS.includes(said.code ?? "");
  } catch {
    return false;
  }
}

/** `lost` is called when the connection ended. */
export function openLink(answer: (request: Request) => Promise<object>, lost: () => Promise<void>): Link {
  let socket: WebSocket | null = null;
  let pause = 500;
  let checkLine = () => {};

  async function connect(): Promise<void> {
    const paired = await pairing();
    if (!paired || socket) return;
    const line = new WebSocket(`${paired.server.replace(/^http/, "ws")}/ws/extension`, ["pilotfish", paired.token]);
    socket = line;
    let heard = false;
    const beat = setInterval(() => check(), BEAT);
    line.onopen = () => {
      pause = 500;
      tell({ type: "hello", version: chrome.runtime.getManifest().version, browser: navigator.userAgent });
    };
    line.onmessage = (event) => {
      heard = true;
      const request = JSON.parse(String(event.data)) as Partial<Request>;
      if (request.id !== undefined) void handle(line, request as Request);
    };
    line.onclose = end;
    checkLine = check;

    function check(): void {
      if (line.readyState !== WebSocket.OPEN) return;
      heard = false;
      line.send("{}");
      setTimeout(() => heard || end(), PATIENCE);
    }

    /** Closing a dead connection would wait for its other end. */
    function end(): void {
      clearInterval(beat);
      if (socket !== line) return;
      socket = null;
      line.onmessage = line.onclose = null;
      line.close();
      void lost();
      void again(paired!);
    }
  }

  /** A token that was revoked is forgotten; the panel asks for a new code then. */
  async function again(former: Pairing): Promise<void> {
    const now = await pairing();
    if (now?.token === former.token && (await isRevoked(former))) await chrome.storage.local.remove("pairing");
    setTimeout(() => void connect(), pause);
    pause = Math.min(pause * 2, SLOWEST);
  }

  async function handle(line: WebSocket, request: Request): Promise<void> {
    let reply: Answer;
    try {
      reply = { id: request.id, value: await answer(request) };
    } catch (error) {
      reply = { id: request.id, error: error instanceof Error ? error.message : String(error) };
    }
    if (line.readyState === WebSocket.OPEN) line.send(JSON.stringify(reply));
  }

  function tell(notice: Notice): void {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(notice));
  }

  chrome.alarms.create("connect", { periodInMinutes: 0.5 });
  chrome.alarms.onAlarm.addListener(() => void connect());
  addEventListener("online", () => (socket ? checkLine() : void connect()));
  chrome.storage.local.onChanged.addListener((changed) => "pairing" in changed && reconnect());

  function reconnect(): void {
    pause = 500;
    if (socket) socket.close();
    else void connect();
  }

  void connect();
  return { tell };
}
