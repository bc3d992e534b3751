/**
 * What the wallets have granted, by namespace: made by a click, kept true by asking, brought back silently after a reload.
 *
 * It lives as long as the host page. A connection is believed only from the wallet's own answer, and never asked for with a
 * prompt unless the server says that the visitor has clicked.
 */
import { asJson, plainError, quietly, REJECTED, unexpected } from "../errors";
import { isFramed, type Namespace, type Session } from "../protocol";
import { ACTIVE_NETWORK, NAMESPACES } from "../storage";
import { findWallet, type Found } from "./found";
import { SILENT, within, type Adapter, type Grant, type Line } from "./line";
import { page } from "./page";
import { forgetConnection, interruptible, rememberConnection, rememberedConnector, rememberWallet, takeInterrupted } from "./records";
import { changed, coming, sendSnapshot } from "./snapshot";
import { tellEnded } from "./tabs";

/** As many as the server takes. */
const MAX_ACCOUNTS = 50;
const REFERENCE = /^[-\w]{1,32}$/;
/** Events that come together are followed by one question, this much later, in ms. */
const TOGETHER = 5;

/** A wallet in one namespace. */
export type Wallet = { _adapter: Adapter; _found: Found; _line: Line };

const asked = new Set<string>();
const heard = new Set<string>();
/** Remembered connectors that have not been found yet. */
const missing = new Map<Namespace, string>();
let restoring = 0;
let given: Adapter[];
/** Connectors of the frame that are remembered, and have not told yet what they hold. */
export const awaited = new Set<string>();

const keyOf = (namespace: Namespace, connector: string) => namespace + " " + connector;

/** The wallet of a connector in a namespace, if it can be asked there. */
export function walletOf(namespace: Namespace, connector: unknown): Wallet | undefined {
  const found = findWallet(connector);
  const line = found?._lines[namespace];
  return line && { _adapter: given.find(({ _namespace }) => _namespace == namespace)!, _found: found!, _line: line };
}

/** Returns a grant that has the form it must have; raises for nonsense. */
export function checkGrant({ _address }: Adapter, grant: Grant): Grant {
  // A wallet behind a membrane answers with what looks like a list, and cannot be sent.
  const { accounts, chain } = asJson(grant, unexpected()) ?? {};
  const list = Array.isArray(accounts) ? accounts.slice(0, MAX_ACCOUNTS).map(String) : [""];
  if (!list.every((account) => _address.test(account)) || typeof chain != "string" || !REFERENCE.test(chain)) throw unexpected();
  return { accounts: list, chain };
}

/** The network that is meant in a namespace: the active one, else the one that the wallet was on. */
function wantedChain(namespace: Namespace): string {
  const [active, reference] = (page.read(ACTIVE_NETWORK) ?? "").split(":");
  return (active == namespace && reference) || page.sessions[namespace]?.chain || "";
}

/** Notes that a wallet may or may not have answered; when all have, the page has settled. */
export function checkSettled(): void {
  const settles = !coming._settled && !missing.size && !restoring && !awaited.size;
  if (settles) coming._settled = true;
  changed();
  // The visitor waits for this one, and it comes once.
  if (settles) sendSnapshot();
}

/** Begins anew: what the last visit left is awaited. */
export function recallSessions(adapters: Adapter[]): void {
  given = adapters;
  heard.clear();
  missing.clear();
  coming._interrupted = takeInterrupted();
  const { namespace: asking, connector: asker } = coming._interrupted ?? {};
  awaited.clear();
  if (isFramed(asker)) awaited.add(asker);
  for (const namespace of NAMESPACES) {
    if (page.sessions[namespace]) continue;
    // A wallet that was being asked may have agreed while the page was away.
    const connector = rememberedConnector(namespace) || (asking == namespace && asker);
    if (isFramed(connector)) awaited.add(connector);
    else if (connector) missing.set(namespace, connector);
  }
  coming._settled = !missing.size && !awaited.size;
  const life = page.life;
  setTimeout(() => {
    if (life.aborted) return;
    // Who is not here by now is not here; who comes late is taken all the same, but the next visit does not wait for it.
    missing.forEach((connector, namespace) => forgetConnection(namespace, connector));
    coming._settled = true;
    changed();
  }, SILENT);
}

/** True while a namespace belongs to a remembered connector that may still come. */
export const isAwaited = (namespace: Namespace): boolean => !coming._settled && missing.has(namespace);

/** Takes a session of any connector. */
export function startSession(namespace: Namespace, session: Session): void {
  page.sessions[namespace] = session;
  missing.delete(namespace);
  // Those who were asked before and have not answered are late now.
  for (const key of asked) if (key.startsWith(namespace + " ")) asked.delete(key);
  rememberConnection(namespace, session.connector);
}

/** Ends the session of a connector, if it has one there; `forget`: the next visit is not to ask it either. */
export function endSession(namespace: Namespace, connector: string, forget: boolean): void {
  if (page.sessions[namespace]?.connector == connector) delete page.sessions[namespace];
  if (forget) forgetConnection(namespace, connector);
  changed();
}

function begin({ _adapter, _found }: Wallet, { accounts, chain }: Grant, isNew: boolean) {
  startSession(_adapter._namespace, { connector: _found.id, accounts, chain, approved: null, peer: null });
  asked.add(keyOf(_adapter._namespace, _found.id));
  if (isNew) rememberWallet(_found);
  changed();
}

/** Believes what a wallet says without a prompt: its session, or a new one if it was asked and there is none. */
async function believe(wallet: Wallet, say: () => Promise<Grant | null>, isNew: boolean) {
  const { _adapter, _found } = wallet;
  const namespace = _adapter._namespace;
  try {
    const said = await within(SILENT, say);
    const grant = said && checkGrant(_adapter, said);
    const session = page.sessions[namespace];
    if (!grant?.accounts[0]) endSession(namespace, _found.id, true);
    else if (session ? session.connector == _found.id : asked.has(keyOf(namespace, _found.id))) begin(wallet, grant, isNew && !session);
  } catch {
    // Nonsense or silence changes nothing.
  }
}

/** Asks a wallet what it grants now, which some change without telling. */
export const follow = (wallet: Wallet): Promise<void> =>
  believe(wallet, () => wallet._line._now(wantedChain(wallet._adapter._namespace)), true);

function listen(wallet: Wallet) {
  const namespace = wallet._adapter._namespace;
  const key = keyOf(namespace, wallet._found.id);
  let timer: ReturnType<typeof setTimeout>;
  asked.add(key);
  if (heard.has(key)) return;
  heard.add(key);
  const life = page.life;
  const hear = () => {
    clearTimeout(timer);
    // Events only say that something has changed; the wallet is asked what.
    if (!life.aborted) timer = setTimeout(follow, TOGETHER, wallet);
  };
  // A wallet without events still answers commands.
  quietly(() => wallet._line._listen(hear, () => life.aborted || endSession(namespace, wallet._found.id, false)))(0);
}

/** Asks each remembered connector that is there by now what it holds, without a prompt. */
export function restoreFound(): void {
  for (const [namespace, connector] of missing) {
    const wallet = walletOf(namespace, connector);
    if (!wallet) continue;
    missing.delete(namespace);
    restoring++;
    listen(wallet);
    void believe(wallet, () => wallet._line._recall(wantedChain(namespace)), false).then(() => {
      restoring--;
      checkSettled();
    });
  }
}

/** The visitor has clicked: nobody else is waited for in these namespaces. */
export function forgetInterrupted(...namespaces: Namespace[]): void {
  coming._interrupted = null;
  namespaces.forEach((namespace) => missing.delete(namespace));
}

/** Asks a wallet, with its prompt; what it grants is a session even when the answer comes too late for the caller. */
export async function connect(wallet: Wallet, chain: string, timeout: number): Promise<Grant> {
  const { _adapter, _found, _line } = wallet;
  const namespace = _adapter._namespace;
  const key = keyOf(namespace, _found.id);
  forgetInterrupted(namespace);
  const answered = interruptible({ namespace, connector: _found.id, wallet: null });
  listen(wallet);
  const answer = async () => {
    try {
      const grant = checkGrant(_adapter, await _line._connect(chain || wantedChain(namespace)));
      // Meanwhile another wallet may have been connected, or this one disconnected.
      if (!grant.accounts[0] || !asked.has(key)) throw unexpected();
      begin(wallet, grant, true);
      return grant;
    } catch (error) {
      // A refusal withdraws the question; after anything else the visitor may still approve.
      if (plainError(error).code == REJECTED) asked.delete(key);
      throw error;
    }
  };
  try {
    return await within(timeout, answer);
  } finally {
    answered();
    checkSettled();
  }
}

function end(namespace: Namespace, connector: string, forget: boolean) {
  asked.delete(keyOf(namespace, connector));
  if (missing.get(namespace) == connector) missing.delete(namespace);
  endSession(namespace, connector, forget);
  checkSettled();
}

/** Another tab has ended a connection. What is stored is that tab's: it may hold the next connection already. */
export const endedElsewhere = (namespace: Namespace, connector: string): void => end(namespace, connector, false);

/** Ends what a wallet was granted in one namespace. */
export async function disconnect(namespace: Namespace, connector: string): Promise<void> {
  const wallet = walletOf(namespace, connector);
  end(namespace, connector, true);
  tellEnded(namespace, connector);
  // One wallet may hold several namespaces under one grant, which the others still need.
  const shared = Object.values(page.sessions).some((session) => session.connector == connector);
  if (wallet && !shared) await within(SILENT, () => wallet._line._disconnect()).catch(() => {});
}
