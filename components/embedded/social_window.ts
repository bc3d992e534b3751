/** The window of a login: opened in the click itself, before anybody was asked, because browsers block it later. */
import { openPopup } from "../popup";
import { ask } from "./frame";

const WIDTH = 600;
const HEIGHT = 800;
const ATTEMPT_BYTES = 24;

let current: Window | null = null;

export type Begun = { provider: string; attempt: string; opened: boolean };

/** 24 random bytes in base64url. */
function newAttempt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ATTEMPT_BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** Opens the provider's window at the secure site, and has the frame begin the login meanwhile: the window waits for that. */
export function beginSocial(site: string, provider: string): Begun {
  const attempt = newAttempt();
  closeWindow();
  current = openPopup(`${site}/oauth/go/${provider}/${attempt}`, WIDTH, HEIGHT);
  // What goes wrong is told to whoever waits for the result.
  ask("GET_SOCIAL_REDIRECT_URI", { provider, attempt }).catch(() => undefined);
  return { provider, attempt, opened: current !== null };
}

/** Whether the window is gone, as far as can be seen from here: a provider may cut it off from us while somebody types there. */
export function seemsClosed(): boolean {
  return current?.closed ?? false;
}

export function closeWindow(): void {
  if (current && !current.closed) current.close();
  current = null;
}
