/** What a view shows of the server: read when the view appears, and again when it is asked for. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { attempt } from "./session";

/** The value, null until it is there, and the function that reads it again. A failure is shown and leaves it as it is. */
export function useLoaded<T>(load: () => Promise<T>): [Signal<T | null>, () => Promise<void>] {
  const value = useSignal<T | null>(null);
  const read = async () => {
    value.value = (await attempt(load)) ?? value.value;
  };
  useEffect(() => void read(), []);
  return [value, read];
}
