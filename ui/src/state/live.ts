/** The browser of the open conversation as a person sees it: its tabs, its pictures, and whose turn it is. */
import { batch, computed, effect, signal } from "@preact/signals";
import * as server from "../api/server";
import { Failure } from "../api/http";
import type { Tab } from "../api/types";
import { attempt, me } from "./session";
import { opened } from "./conversations";

export type LiveConnection = "none" | "connecting" | "live" | "lost";
export type Gesture =
  | { type: "mouse"; action: "move" | "down" | "up" | "click" | "double"; x: number; y: number; button?: string }
  | { type: "wheel"; x: number; y: number; dx: number; dy: number }
  | { type: "key"; action: "down" | "up" | "press"; key: string }
  | { type: "paste"; text: string };

/** What the agent is about to touch, in pixels of the page. */
export type Aim = { tab: number; point: [number, number]; box: [number, number, number, number] };

export const tabs = signal<Tab[]>([]);
export const connection = signal<LiveConnection>("none");
export const size = signal({ width: 1280, height: 800 });
export const personDrives = signal(false);
export const frozen = signal(false);
export const problem = signal("");
export const shown = signal(0);
export const agentTarget = signal<Aim | null>(null);
export const front = computed(() => tabs.value.find((tab) => tab.active) ?? tabs.value[0] ?? null);

/** Where the latest picture goes; the view sets it. */
export const screen: { draw: (picture: Blob) => void } = { draw: () => {} };

let socket: WebSocket | null = null;
let served = "";
let pause = 300;

export function send(what: Gesture | { type: "take_over" | "hand_back" }): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(what));
}

function connect(id: string): void {
  served = id;
  connection.value = "connecting";
  const line = new WebSocket(`${location.origin.replace(/^http/, "ws")}/api/conversations/${id}/live`);
  line.binaryType = "blob";
  socket = line;
  line.onmessage = (message) => {
    if (line !== socket) return;
    if (message.data instanceof Blob) {
      connection.value = "live";
      pause = 300;
      if (!frozen.value) screen.draw(message.data);
    } else receive(JSON.parse(String(message.data)));
  };
  line.onclose = () => {
    if (line !== socket) return;
    socket = null;
    connection.value = tabs.value.length ? "lost" : "none";
    personDrives.value = false;
    setTimeout(() => served === id && opened.value === id && !socket && tabs.value.length && connect(id), pause);
    pause = Math.min(pause * 2, 8000);
  };
}

type ServerMessage =
  | { type: "frame"; tab: number; width: number; height: number }
  | { type: "turn"; yours: boolean }
  | { type: "error"; message: string }
  | (Aim & { type: "aim" });

function receive(message: ServerMessage): void {
  switch (message.type) {
    case "frame":
      size.value = { width: message.width, height: message.height };
      shown.value = message.tab;
      break;
    case "turn":
      personDrives.value = message.yours;
      break;
    case "error":
      problem.value = message.message;
      break;
    case "aim":
      agentTarget.value = message;
  }
}

function closeSocket(): void {
  const line = socket;
  socket = null;
  served = "";
  line?.close();
  batch(() => {
    connection.value = "none";
    personDrives.value = false;
    frozen.value = false;
    problem.value = "";
    agentTarget.value = null;
  });
}

/** Reads the list of tabs; the first one there is brings the picture. */
export async function readTabs(): Promise<void> {
  const id = opened.value;
  if (!id || !me.value || document.hidden) return;
  try {
    const found = await server.tabs(id);
    if (opened.value !== id) return;
    if (JSON.stringify(found) !== JSON.stringify(tabs.value)) tabs.value = found;
    if (found.length && !socket && served !== id) connect(id);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

export async function openAt(url: string): Promise<void> {
  const id = opened.value;
  if (id) await attempt(() => server.openTab(id, url));
  await readTabs();
  // A browser begins with a blank tab that nobody asked for.
  const blank = tabs.value.find((tab) => tab.url === "about:blank" && !tab.active);
  if (blank) await closeTab(blank.id);
}

export async function move(to: string): Promise<void> {
  const tab = front.value;
  const id = opened.value;
  if (!tab || !id) return openAt(to);
  await attempt(() => server.moveTab(id, tab.id, to));
  return readTabs();
}

export async function select(tab: number): Promise<void> {
  await attempt(() => server.selectTab(opened.value, tab));
  await readTabs();
}

export async function closeTab(tab: number): Promise<void> {
  await attempt(() => server.closeTab(opened.value, tab));
  await readTabs();
}

export function install(): void {
  effect(() => {
    const id = opened.value;
    closeSocket();
    tabs.value = [];
    if (id) void readTabs();
  });
  setInterval(() => void readTabs(), 1500);
}
