/** The messages between the extension and the server, as JSON over one WebSocket. */

/** What the server asks for; each is answered by a message with the same id. `group` is a conversation. */
export type Request = { id: number } & (
  | { kind: "version" }
  | { kind: "attach"; tab: number; group: string }
  | { kind: "detach"; tab: number }
  | { kind: "open"; url: string; group: string }
  | { kind: "close"; tab: number }
  | { kind: "release"; tab: number }
  | ({ kind: "limit"; group: string } & HostLimits)
  | ({ kind: "command"; tab: number; session: string } & Command)
  | { kind: "inputs"; tab: number; session: string; inputs: Command[]; then?: Command }
);

/** A command of the DevTools protocol. */
export type Command = { method: string; params: object };

/** Where the tabs of a conversation may go: into every list of `allowed`, and to nothing of `blocked`. */
export type HostLimits = { allowed: string[][]; blocked: string[] };

export type Answer = { id: number; value?: object; error?: string };

/** What the extension tells without being asked. */
export type Notice =
  | { type: "event"; tab: number; session: string; method: string; params: object }
  | { type: "opened"; tab: number; target: string; title: string; url: string; opener: number }
  | ({ type: "renewed" } & TabFacts)
  | { type: "detached"; tab: number; reason: string }
  | { type: "touched"; tab: number }
  | { type: "hello"; version: string; browser: string };

/** A tab as the server hears of it. */
export type TabFacts = { tab: number; target: string; title: string; url: string };

/** What the panel and driven pages tell the service worker. */
export type Message =
  | { type: "touched"; touches: Touch[] }
  | { type: "hand-over"; tab: number }
  | { type: "new-tab"; windowId: number }
  | { type: "wake" };

/** One input that a page heard. Places in frames of a page are not those of the page itself. */
export type Touch = { kind: "pointer" | "key" | "wheel"; x: number; y: number; key: string; top: boolean };
