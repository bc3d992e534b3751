/**
 * The window of a login: opened in the click itself, before anybody was asked, because browsers block it later. Where none can be opened, as
 * in Telegram, the host page goes there itself, and comes back.
 */
import { leadPopup, openEmptyPopup, openPopup } from "../popup";
import { ask } from "./frame";
import { asSecureError, internalError, isRecord, text } from "./types";

const WIDTH = 600;
const HEIGHT = 800;
const ATTEMPT_BYTES = 24;
const MAX_URI = 4_096;

let current: Window | null = null;

export type Begun = { provider: string; attempt: string; opened: boolean; left?: boolean; error?: { code: number; message: string; reason: string } | null };

/** 24 random bytes in base64url. */
export function newAttempt(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ATTEMPT_BYTES));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/**
 * Opens the provider's window at the secure site, and has the frame begin the login meanwhile: the window waits for that.
 *
 * A `site` of AppKit's is "": it names the provider's address only then, and tells the window's opener how it has ended, so that window stays tied to us.
 */
export function beginSocial(site: string, provider: string): Begun {
  const attempt = newAttempt();
  closeWindow();
  const opened = site ? openPopup(`${site}/oauth/go/${provider}/${attempt}`, WIDTH, HEIGHT, true) : openEmptyPopup(WIDTH, HEIGHT);
  current = opened;
  // What goes wrong is told to whoever waits for the result.
  ask("GET_SOCIAL_REDIRECT_URI", { provider, attempt }).then(
    (answer) => !site && opened && isRecord(answer) && leadPopup(opened, text(answer.uri, MAX_URI), true),
    () => !site && opened?.close(),
  );
  return { provider, attempt, opened: opened !== null };
}

/** The window that was opened last, until it is closed by us. */
export function openedWindow(): Window | null {
  return current;
}

/** Has the host page go to the provider; it comes back to `back`. Tells how that went, if the page is still there to hear of it. */
export async function leaveForSocial(provider: string, back: string): Promise<Begun> {
  const attempt = newAttempt();
  const begun = { provider, attempt, opened: false, left: true };
  try {
    const answer = await ask("GET_SOCIAL_REDIRECT_URI", { provider, attempt, back });
    const href = isRecord(answer) ? text(answer.uri) : "";
    if (!href) throw internalError();
    window.__walletmodal.post("link", { href, target: "_self", deep: null, leaves: true });
    return { ...begun, error: null };
  } catch (error) {
    const { code, message, reason } = asSecureError(error);
    return { ...begun, error: { code, message, reason } };
  }
}

/** Whether the window is gone, as far as can be seen from here: a provider may cut it off from us while somebody types there. */
export function seemsClosed(): boolean {
  return current?.closed ?? false;
}

export function closeWindow(): void {
  if (current && !current.closed) current.close();
  current = null;
}
