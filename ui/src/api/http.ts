/** Requests to the server: JSON in, JSON out, errors as sentences. */
import type { Problem } from "./types";

/** What went wrong, in words for people, none where the server had none; `fix` is the one thing to do next. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fix = "",
  ) {
    super(message);
  }
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Watcher = (failure: Failure | null) => void;

let watcher: Watcher = () => {};
let base = "";
let token = "";

/** Speaks to another server than the one that the page came from, with a token instead of its cookie. */
export function connectTo(server: string, key: string): void {
  base = server;
  token = key;
}

export const isElsewhere = () => base !== "";

/** The same request, as this page may send it. */
export function request(path: string, init: RequestInit): Promise<Response> {
  if (!base) return fetch(path, { credentials: "same-origin", ...init });
  return fetch(`${base}${path}`, signed(token, init));
}

/** A request of an extension, with its token. Chrome names its origin only where something is posted. */
export function signed(token: string, init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  const reads = (init.method ?? "GET") === "GET";
  if (reads) headers.set("x-pilotfish-method", "GET");
  return { ...init, method: reads ? "POST" : init.method, credentials: "omit", headers };
}

/** Called with null after every answer and with the error after every failure, so that the page can show "offline". */
export function watch(listener: Watcher): void {
  watcher = listener;
}

export async function readFailure(response: Response): Promise<Failure> {
  const texts = (await response.json().catch(() => ({}))) as Partial<Problem>;
  return new Failure(response.status, texts.code ?? "unknown", texts.detail ?? "", texts.fix ?? "");
}

export async function call<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method };
  const raw = body instanceof Blob;
  if (body !== undefined) {
    init.body = raw ? body : JSON.stringify(body);
    init.headers = { "content-type": raw ? "application/octet-stream" : "application/json" };
  }
  let response: Response;
  try {
    response = await request(path, init);
  } catch {
    const failure = new Failure(0, "offline", "");
    watcher(failure);
    throw failure;
  }
  if (!response.ok) {
    const failure = await readFailure(response);
    watcher(failure);
    throw failure;
  }
  watcher(null);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

export const get = <T>(path: string) => call<T>("GET", path);
export const post = <T>(path: string, body: unknown = {}) => call<T>("POST", path, body);

export function query(values: Record<string, string | number | null | undefined>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== "" && value != null);
  return pairs.length ? `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}` : "";
}
