/** A wallet on a phone, reached by the WalletConnect SDK in the frame: one connector, in as many namespaces as it approves. */
import { fail, GONE, ORPHANED, plainError, UNSUPPORTED } from "../errors";
import { isRecord, PAIRING, type Namespace, type RecentWallet, type Result, type Session, type Sessions, type Unchecked } from "../protocol";
import { NAMESPACES } from "../storage";
import { safeIcon } from "./found";
import { SILENT, within, type Adapter } from "./line";
import { page } from "./page";
import { interruptible, rememberDeepLink, rememberedConnector, rememberWallet } from "./records";
import { changed, coming } from "./snapshot";
import { checkGrant, checkSettled, endSession, forgetInterrupted, isAwaited, pairing, startSession } from "./sessions";

const CHAIN_ID = /^[a-z\d-]{3,8}:[-\w]{1,32}$/;
const MAX_CHAINS = 200;
const MAX_NAME = 64;
const MAX_ICON = 8192;

/** What the server wants of a pairing; the frame reads the rest. `ahead`: nobody has chosen yet, the code is only made ready. */
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

/** Reads what the frame says of one namespace; undefined for what makes no sense. */
function readSession(adapter: Adapter, raw: unknown): Session | undefined {
  try {
    const { accounts, chain, approved, peer, said } = raw as Session;
    const grant = checkGrant(adapter, { accounts, chain });
    const chains = Array.isArray(approved) ? approved.slice(0, MAX_CHAINS).filter((id) => CHAIN_ID.test(id)) : null;
    const known = isRecord(peer) ? { name: String(peer.name ?? "").slice(0, MAX_NAME), icon: safeIcon(peer.icon, MAX_ICON) } : null;
    return grant.accounts[0] ? { connector: PAIRING, ...grant, approved: chains, peer: known, said } : undefined;
  } catch {
    return undefined;
  }
}

const isPaired = (namespace: Namespace) => (page.sessions[namespace]?.connector ?? rememberedConnector(namespace)) == PAIRING;

/** Makes the page hold what the pairing holds; `all`: also where another wallet is connected. Returns what was taken. */
function hold(adapters: Adapter[], raw: unknown, all: boolean): Sessions {
  const taken: Sessions = {};
  const asker = coming._interrupted;
  for (const adapter of adapters) {
    const namespace = adapter._namespace;
    const session = readSession(adapter, (raw as Sessions | null)?.[namespace]);
    const known = isPaired(namespace);
    const mayTake = all || known || (!page.sessions[namespace] && !isAwaited(namespace));
    if (session && mayTake) {
      // The wallet that the page before was waiting for has approved.
      if (!known && asker?.connector == PAIRING && asker.wallet) rememberWallet(asker.wallet);
      startSession(namespace, session);
      taken[namespace] = session;
    } else if (!session && isPaired(namespace)) endSession(namespace, PAIRING, true);
  }
  changed();
  return taken;
}

/** Takes what the frame tells by itself: the phone has changed accounts or chain, or has ended its session. */
export function onSessions(adapters: Adapter[], { sessions }: Record<string, unknown>): boolean {
  return isRecord(sessions) && !!hold(adapters, sessions, false);
}

/** A frame has its port: what the one before was asked is lost, and the phone may have ended its session meanwhile. */
export function recallPairing(adapters: Adapter[]): void {
  for (const { _reject } of questions.values()) _reject(fail(ORPHANED, "orphaned"));
  questions.clear();
  if (!pairing._awaited && !NAMESPACES.some(isPaired)) return;
  askFrame("sessions", {}).then(
    (value) => {
      if (isRecord(value)) onSessions(adapters, value);
      pairing._awaited = false;
      checkSettled();
    },
    ({ code }) => {
      // Of a frame that was reloaded the next is asked. Otherwise nothing is known, and the next visit may ask again.
      if (code == ORPHANED) return;
      pairing._awaited = false;
      checkSettled();
    },
  );
}

/** Shows a code and waits for the phone; what it approves is a session even when the answer comes too late for the caller. */
export async function pair(adapters: Adapter[], params: PairParams, timeout: number): Promise<{ sessions: Sessions; cacaos: unknown }> {
  const { wallet = null, ahead } = params;
  if (!ahead) forgetInterrupted();
  const done = ahead ? () => {} : interruptible({ namespace: "", connector: PAIRING, wallet });
  const answer = async () => {
    const value = await askFrame("connect", params);
    const sessions = hold(adapters, value?.sessions, true);
    if (!Object.keys(sessions)[0]) throw fail(UNSUPPORTED, "The wallet has approved nothing that is known here");
    if (wallet?.id) rememberWallet(wallet);
    return { sessions, cacaos: value.cacaos };
  };
  try {
    return await within(timeout, answer);
  } finally {
    done();
    pairing._awaited = false;
    checkSettled();
  }
}

/** Asks the phone. */
export function requestPaired(namespace: Namespace, chain: string, method: string, params: unknown): Promise<unknown> {
  if (page.sessions[namespace]?.connector != PAIRING) throw fail(GONE, "No such wallet");
  return askFrame("request", { namespace, chain, method, params });
}

/** Ends the pairing, in every namespace. */
export async function unpair(): Promise<void> {
  pairing._awaited = false;
  NAMESPACES.forEach((namespace) => endSession(namespace, PAIRING, true));
  rememberDeepLink(null);
  checkSettled();
  await within(SILENT, () => askFrame("disconnect", {})).catch(() => {});
}
