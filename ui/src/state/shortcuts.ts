/** The run that is about to become a shortcut; null while none is. */
import { signal } from "@preact/signals";
import type { Run } from "../api/types";

export const runToSave = signal<Run | null>(null);
