/** Signing in: the wallet signs, and the page's own server says who that is. */
import type { Modal, Session } from "./modal";
import { log, part } from "./page";

const OPTIONS = { siwx: { required: false, statement: "Sign in to the WalletModal demo." } };

type Verified = { account: string; expiresAt: string };

/** Sign in, and have the demo's server verify the token. */
export async function signIn(modal: Modal): Promise<void> {
  // Asked for here and not from the start: a page that wants sign-ins asks for them after every connection.
  await modal.updateOptions(OPTIONS);
  const session = await modal.signIn();
  show(session);
  const verified = await verify(session.token);
  part("session-server").textContent = `verified: ${shortened(verified.account)}, until ${clock(verified.expiresAt)}`;
  part("session-server").dataset.on = "true";
  log("signIn", "verified by the page's server", verified);
}

export async function signOut(modal: Modal): Promise<void> {
  await modal.signOut();
  show(null);
  log("signOut", "the wallet stays connected");
}

/** Show who is signed in as far as the page knows; tokens last for minutes, and the next one is fetched with getSession(). */
export function show(session: Session | null): void {
  part("session-status").textContent = session ? "signed in" : "signed out";
  part("session-status").dataset.on = String(session !== null);
  part("session-account").textContent = session?.address ?? "–";
  part("session-token").textContent = session ? `${session.token.slice(0, 24)}… until ${clock(session.expiresAt)}` : "–";
  part("session-server").textContent = "–";
  part("session-server").dataset.on = "false";
  part<HTMLButtonElement>("sign-out").disabled = session === null;
  part("step-sign").dataset.done = String(session !== null);
}

async function verify(token: string): Promise<Verified> {
  const response = await fetch("/demo/session", { method: "POST", headers: { authorization: `Bearer ${token}` } });
  const answer = await response.json();
  if (!response.ok) throw new Error(`The demo's server: ${answer.reasons[0].description}`);
  return answer;
}

const clock = (instant: string): string => new Date(instant).toLocaleTimeString("en-GB");

function shortened(account: string): string {
  const [namespace, reference, address = ""] = account.split(":");
  return `${namespace}:${reference?.slice(0, 8)}:${address.slice(0, 6)}…${address.slice(-4)}`;
}
