/** What the frame's components show of the pairing: one store, whatever asks for the code. */
import { useSyncExternalStore } from "react";
import type { ProtocolError } from "./types";

export type Shown = {
  phase: "idle" | "starting" | "ready" | "failed";
  uri: string;
  /** When this code ends, ms since the epoch; 0 without a code. */
  expires: number;
  error: ProtocolError | null;
};

/** How long a code is good for, ms. */
export const LIFETIME = 240_000;
/** How long before its end a fresh code takes its place, ms. */
export const RENEW_BEFORE = 10_000;

export const IDLE: Shown = { phase: "idle", uri: "", expires: 0, error: null };

let shown = IDLE;
const listeners = new Set<() => void>();
let wanted: () => void = () => undefined;

export function showPairing(next: Shown): void {
  shown = next;
  for (const listener of [...listeners]) listener();
}

export function pairingShown(): Shown {
  return shown;
}

/** Whether a component shows the code: one that nobody sees is not renewed. */
export function isWatched(): boolean {
  return listeners.size > 0;
}

/** Called when a component begins to show the code. */
export function onWatched(run: () => void): void {
  wanted = run;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  wanted();
  return () => listeners.delete(listener);
}

export function usePairing(): Shown {
  return useSyncExternalStore(subscribe, pairingShown, () => IDLE);
}
