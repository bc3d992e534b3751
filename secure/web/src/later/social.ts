/**
 * Logins with an account elsewhere. They are finished in a window or an app that nobody here can look into: how one has ended is what the
 * server says of its attempt, however that window looks meanwhile.
 */
import { text, type DataObject } from "../clean";
import { invalid } from "../errors";
import type { Parts } from "../frame";
import { need } from "../protocol";
import { malformed } from "../user";
import { waitFor } from "./waiting";

/** 24 random bytes in base64url: of the modal, which has to name them in the click already, or of the server. */
const ATTEMPT = /^[\w-]{32}$/;

/** The attempt that was begun last, and the server's word on that. */
let begun: { attempt: string; told: Promise<unknown> } | null = null;

/** What the store has of the login behind the session. */
interface Known {
  attempt: string;
  user: string;
  provider: string;
  userName: string;
}

export function readAttempt(payload: DataObject): string {
  const attempt = need(payload, "attempt");
  if (!ATTEMPT.test(attempt)) throw invalid("attempt");
  return attempt;
}

/** Where the attempt is kept for which this page is left. */
const LEFT = "left";

/**
 * Begins a login at a provider: where a window has to go for it. The window may have gone there before. `back`: the host page, where that
 * goes there itself and comes back; "" for a window.
 */
export async function beginSocial(provider: string, attempt: string, back: string, { api, custody, store }: Parts): Promise<DataObject> {
  const told = api.call("/v1/oauth/start", { provider, attempt, ...(back && { back }) });
  begun = { attempt, told };
  if (back) await store.put(LEFT, { attempt, provider });
  custody.prepare();
  const { url } = await told;
  if (!text(url)) throw malformed();
  return { uri: url };
}

/** Tells which login this page was left for; nothing where it was for none. */
export async function returnedSocial({ store }: Parts): Promise<DataObject> {
  const { attempt, provider } = ((await store.get(LEFT)) ?? {}) as { attempt?: string; provider?: string };
  return attempt ? { attempt, provider } : {};
}

/** Begins a login with Farcaster: a link for the visitor's app, and the attempt to wait for. */
export async function beginFarcaster({ api, custody }: Parts): Promise<DataObject> {
  const { attempt, url, expiresAt } = await api.call("/v1/farcaster/start");
  if (!text(attempt) || !text(url)) throw malformed();
  custody.prepare();
  return { attempt, url, expiresAt };
}

/** Waits until a login has ended, however long that takes, and signs in with it; raises what the server says of one that failed. */
export async function connectSocial(kind: "oauth" | "farcaster", attempt: string, { api, login, store }: Parts): Promise<DataObject> {
  const known = (await store.get("social")) as Known | undefined;
  if (known?.attempt === attempt && api.session) {
    // The modal's page was loaded anew just after it: the server gives each result once.
    return tell(known, (await login.user()).email);
  }
  if (begun?.attempt === attempt) await begun.told;
  const answer = await waitFor({ api, login }, `/v1/${kind}/finish`, { attempt }, ({ pending }) => pending !== true);
  const { id, email } = await login.begun(answer);
  const made = { attempt, user: id, provider: text(answer["provider"], 20) ?? "", userName: text(answer["userName"], 100) ?? "" };
  await store.put("social", made);
  await store.delete(LEFT);
  return tell(made, email);
}

const tell = ({ provider, userName }: Known, email: string): DataObject => ({ provider, userName, email });
