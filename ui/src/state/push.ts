/** Whether this browser gets notices also while no page is open, and turning that on and off. */
import * as api from "../api/push";
import { Failure } from "../api/http";
import { storedSignal } from "./stored";

/** The server's name for this browser; empty if it gets none. */
export const pushId = storedSignal("push", "");

export type Refusal = "unable" | "denied" | "service";

export const canPush = () => isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** Asks the person and the browser's push service; says why not, or nothing if it is on. */
export async function turnOn(): Promise<Refusal | ""> {
  if (!canPush()) return "unable";
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await navigator.serviceWorker.register("/push.js");
  const worker = await navigator.serviceWorker.ready;
  const { key } = await api.read();
  try {
    // A subscription for another key would never be delivered to.
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await keep(made);
    return "";
  } catch (error) {
    if (error instanceof Failure) throw error;
    return "service";
  }
}

export async function turnOff(): Promise<void> {
  const id = pushId.value;
  pushId.value = "";
  const worker = await navigator.serviceWorker?.getRegistration("/push.js");
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  await worker?.unregister();
  if (id) await api.drop(id);
}

async function keep(made: PushSubscription): Promise<void> {
  const { endpoint = "", keys = {} } = made.toJSON();
  pushId.value = (await api.add({ endpoint, p256dh: keys["p256dh"] ?? "", auth: keys["auth"] ?? "", name: name() })).id;
}

/** What a person knows this browser by, such as “Firefox, Linux”. */
function name(): string {
  const agent = navigator.userAgent;
  const known = (names: string[][]) => names.find(([sign]) => agent.includes(sign ?? ""))?.[1] ?? "";
  const browser = known([["Edg/", "Edge"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]]);
  const system = known([["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS", "Mac"], ["Linux", "Linux"]]);
  return [browser, system].filter(Boolean).join(", ");
}

/** Tells the server again where this browser gets its notices, as its push service may have moved it. */
export async function refresh(): Promise<void> {
  if (!pushId.value || !canPush()) return;
  const worker = await navigator.serviceWorker.getRegistration("/push.js");
  const made = await worker?.pushManager.getSubscription();
  if (!made) pushId.value = "";
  else await keep(made);
}
