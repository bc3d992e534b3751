/**
 * Connectors in the frame, each in as many namespaces as it approves: a wallet on a phone, reached by the WalletConnect SDK, and the
 * embedded wallet, reached through the secure site's frame.
 */
import { fail, GONE, ORPHANED, plainError, UNSUPPORTED } from "../errors";
import { AUTH, isFramed, isRecord, PAIRING, type Namespace, type RecentWallet, type Result, type Session, type Sessions, type Unchecked } from "../protocol";
import { NAMESPACES } from "../storage";
import { safeIcon } from "./found";
import { SILENT, within, type Adapter } from "./line";
import { page } from "./page";
import { interruptible, rememberDeepLink, rememberedConnector, rememberedLogin, rememberWallet } from "./records";
import { changed, coming } from "./snapshot";
import { awaited, checkGrant, checkSettled, endSession, forgetInterrupted, isAwaited, startSession } from "./sessions";
import { tellEnded } from "./tabs";

const CHAIN_ID = /^[a-z\d-]{3,8}:[-\w]{1,32}$/;
const MAX_CHAINS = 200;
const MAX_NAME = 64;
const MAX_ICON = 8192;
const MAX_EMAIL = 320;

/** What the server wants of a connector; the frame reads the rest. `ahead`: nobody has chosen yet, the code is only made ready. */
export type PairParams = { wallet?: RecentWallet | null; ahead?: boolean };

type Question = { _resolve(value: Unchecked): void; _reject(error: Error): void };

const questions = new Map<string, Question>();
let counter = 0;

function askFrame(method: string, params: object): Promise<Unchecked> {
  const id = "p" + ++counter;
  return new Promise((_resolve, _reject) => {
    questions.set(id, { _resolve, _reject });
    page.post("pairing", { method, params }, id);
  });
}

/** Takes the frame's answer; false when nobody waits for it. */
export function answered(id: string, { ok, value, error }: Result): boolean {
  const { code, message } = plainError(error);
  const question = questions.get(id);
  if (ok) question?._resolve(value);
  else question?._reject(fail(code, message));
  return questions.delete(id);
}

const words = (given: unknown, limit = MAX_NAME) => String(given ?? "").slice(0, limit);

/** Reads what the frame says of one namespace; undefined for what makes no sense. */
function readSession(adapter: Adapter, connector: string, raw: unknown): Session | undefined {
  try {
    const { accounts, chain, approved, peer, said, user } = raw as Session;
    const grant = checkGrant(adapter, { accounts, chain });
    const chains = Array.isArray(approved) ? approved.slice(0, MAX_CHAINS).filter((id) => CHAIN_ID.test(id)) : null;
    const known = isRecord(peer) ? { name: words(peer.name), icon: safeIcon(peer.icon, MAX_ICON) } : null;
    const person = connector == AUTH && isRecord(user) && {
      user: { email: words(user.email, MAX_EMAIL), name: words(user.name) || undefined, provider: words(user.provider) || undefined },
    };
    return grant.accounts[0] ? { connector, ...grant, approved: chains, peer: known, said, ...person } : undefined;
  } catch {
    return undefined;
  }
}

const isHeldBy = (connector: string, namespace: Namespace) => (page.sessions[namespace]?.connector ?? rememberedConnector(namespace)) == connector;

/** Makes the page hold what a connector holds; `all`: also where another wallet is connected. Returns what was taken. */
function hold(adapters: Adapter[], connector: string, raw: unknown, all: boolean): Sessions {
  const taken: Sessions = {};
  const asker = coming._interrupted;
  for (const adapter of adapters) {
    const namespace = adapter._namespace;
    const session = readSession(adapter, connector, (raw as Sessions | null)?.[namespace]);
    const known = isHeldBy(connector, namespace);
    const mayTake = all || known || (!page.sessions[namespace] && !isAwaited(namespace));
    if (session && mayTake) {
      // The wallet that the page before was waiting for has approved.
      if (!known && asker?.connector == connector && asker.wallet) rememberWallet(asker.wallet);
      startSession(namespace, session);
      taken[namespace] = session;
    } else if (!session && known) endSession(namespace, connector, true);
  }
  changed();
  return taken;
}

/**
 * Takes up the accounts that the embedded wallet had on the last visit, until its frame confirms or ends them. They are claims like every other:
 * the frame signs nothing for who is not logged in there.
 */
export function recallLogin(adapters: Adapter[]): void {
  for (const adapter of adapters) {
    const session = readSession(adapter, AUTH, rememberedLogin(adapter._namespace));
    if (session) page.sessions[adapter._namespace] ??= session;
  }
}

/** Takes what the frame tells by itself: the wallet has changed accounts or chain, or has ended its session. */
export function onSessions(adapters: Adapter[], { sessions, connector = PAIRING }: Record<string, unknown>): boolean {
  return isRecord(sessions) && isFramed(connector) && !!hold(adapters, connector, sessions, false);
}

/** A frame has its port: what the one before was asked is lost, and its wallets may have ended their sessions meanwhile. */
export function recallPairing(adapters: Adapter[]): void {
  for (const { _reject } of questions.values()) _reject(fail(ORPHANED, "orphaned"));
  questions.clear();
  for (const connector of [PAIRING, AUTH]) {
    if (!awaited.has(connector) && !NAMESPACES.some((namespace) => isHeldBy(connector, namespace))) continue;
    askFrame("sessions", { connector }).then(
      (value) => {
        if (isRecord(value)) onSessions(adapters, { ...value, connector });
        noMoreAwaited(connector);
      },
      // Of a frame that was reloaded the next is asked. Otherwise nothing is known, and the next visit may ask again.
      ({ code }) => code == ORPHANED || noMoreAwaited(connector),
    );
  }
}

function noMoreAwaited(connector: string) {
  awaited.delete(connector);
  checkSettled();
}

/** Has the frame connect, and waits for the phone; what is approved is a session even when the answer comes too late for the caller. */
export async function pair(adapters: Adapter[], connector: string, params: PairParams, timeout: number): Promise<{ sessions: Sessions; cacaos: unknown }> {
  const { wallet = null, ahead } = params;
  if (!ahead) forgetInterrupted();
  const done = ahead ? () => {} : interruptible({ namespace: "", connector, wallet });
  const answer = async () => {
    const value = await askFrame("connect", { ...params, connector });
    const sessions = hold(adapters, connector, value?.sessions, true);
    if (!Object.keys(sessions)[0]) throw fail(UNSUPPORTED, "The wallet has approved nothing that is known here");
    if (wallet?.id) rememberWallet(wallet);
    return { sessions, cacaos: value.cacaos };
  };
  try {
    return await within(timeout, answer);
  } finally {
    done();
    noMoreAwaited(connector);
  }
}

/** Asks the wallet that the frame reaches. */
export function requestPaired(connector: string, namespace: Namespace, params: object): Promise<unknown> {
  if (page.sessions[namespace]?.connector != connector) throw fail(GONE, "No such wallet");
  return askFrame("request", { namespace, connector, ...params });
}

/** Ends what a connector of the frame holds, in every namespace. */
export async function unpair(connector: string): Promise<void> {
  for (const namespace of NAMESPACES) {
    // A login is the browser's, of all tabs; each tab may have a pairing of its own.
    if (connector == AUTH && isHeldBy(connector, namespace)) tellEnded(namespace, connector);
    endSession(namespace, connector, true);
  }
  if (connector == PAIRING) rememberDeepLink(null);
  noMoreAwaited(connector);
  await within(SILENT, () => askFrame("disconnect", { connector })).catch(() => {});
}
