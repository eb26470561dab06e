/** The messages between the extension and the server, as JSON over one WebSocket. */

/** What the server asks for; each is answered by a message with the same id. */
export type Request = { id: number } & (
  | { kind: "version" }
  | { kind: "attach"; tab: number; group: string }
  | { kind: "open"; url: string; group: string }
  | { kind: "close"; tab: number }
  | { kind: "release"; tab: number }
  | { kind: "command"; tab: number; session: string; method: string; params: object }
);

export type Answer = { id: number; value?: object; error?: string };

/** What the extension tells without being asked. */
export type Notice =
  | { type: "event"; tab: number; session: string; method: string; params: object }
  | { type: "opened"; tab: number; target: string; title: string; url: string; opener: number }
  | { type: "detached"; tab: number; reason: string }
  | { type: "touched"; tab: number }
  | { type: "hello"; version: string; browser: string };

/** A tab as the server hears of it. */
export type TabFacts = { tab: number; target: string; title: string; url: string };
