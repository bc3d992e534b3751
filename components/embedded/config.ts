/** What the server says of the embedded wallet. It comes with the first scripts, all else when somebody needs it. */
import type { SecureConfig } from "./types";

/** The connector of the embedded wallet. */
export const AUTH = "ID_AUTH";

/** What the server has said, null before. */
export let config: SecureConfig | null = null;
let abort: () => void = () => undefined;
const unready: ((config: SecureConfig) => void)[] = [];

/**
 * What the deployment has; until it is known, questions wait. `confirming`: a view holds the frame for the requests that wait in it;
 * what is not seen any more is not asked any more.
 */
export function configureSecure(next: SecureConfig, confirming?: boolean): void {
  config = next;
  unready.splice(0).forEach((run) => run(next));
  if (!confirming) abort();
}

/** The same, once the server has said it. */
export function configured(): Promise<SecureConfig> {
  return new Promise((resolve) => (config ? resolve(config) : unready.push(resolve)));
}

/** Called when no view holds the frame for a request any more. */
export function onAbort(run: () => void): void {
  abort = run;
}
