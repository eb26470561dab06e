/** The server's values under short names. */
import type { components } from "./schema";

type All = components["schemas"];

export type Usage = All["Usage"];
export type Run = All["RunRecord"] & { created: string; updated: string };
export type Thread = All["Conversation"] & { created: string; updated: string };
export type User = All["User"];
export type Grant = All["TokenRecord"];
export type Issued = All["IssuedToken"];
export type AttachedFile = All["AttachedFile"];
export type Tab = All["TabInfo"];
export type Shortcut = All["Shortcut"];
export type Model = All["ModelChoice"];
export type Tool = All["ToolInfo"];
export type Setting = All["SettingInfo"];
export type Change = All["SettingVersion"];
export type Costs = All["CostReport"];
export type Spent = All["UsageTotal"];
export type Start = Partial<All["RunStart"]> & { task: string };
export type How = Partial<All["RunFork"]>;
export type Message = All["Message"];
export type Picture = { data: string; media: string };
export type Problem = All["Problem"];
export type InputRequest = All["InputRequested"];
export type State = Run["state"];
export type Outcome = NonNullable<Run["outcome"]>;

export type Event =
  | All["RunStarted"]
  | All["StateChanged"]
  | All["Progressed"]
  | All["MessageAdded"]
  | All["ModelAsked"]
  | All["ModelReplied"]
  | All["ModelFailed"]
  | All["Reasoned"]
  | All["PageSeen"]
  | All["ToolStarted"]
  | All["ToolFinished"]
  | All["Planned"]
  | All["InputRequested"]
  | All["InputReceived"]
  | All["InputTimedOut"]
  | All["FileSaved"]
  | All["Noted"]
  | All["RunFinished"];

/** A piece of text while it is written; it has no number and is never journalled. */
export type Delta = { type: "delta"; run: string; call: string; text: string; kind: "content" | "reasoning" };

export type Live = Event | Delta;
