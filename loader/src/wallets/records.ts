/** What is remembered of connections, under the keys that the field's products share. */
import { AUTH, isFramed, isRecord, type Namespace, type RecentWallet, type Snapshot, type Unchecked } from "../protocol";
import { CONNECTED, connectorKey, INTERRUPTED, NAMESPACES, RECENT, STATUS } from "../storage";
import { page } from "./page";

type Interrupted = Snapshot["storage"]["interrupted"];

const LOGIN = "walletmodal:login:";
const DEEP_LINK = "WALLETCONNECT_DEEPLINK_CHOICE";
/** Longer than any name or id that is known to the server. */
const MAX_TEXT = 200;

/** A text of the storage, in which others may have written, cut to what a message has room for. */
export const cut = (text: unknown): string | null => (text && typeof text == "string" ? text.slice(0, MAX_TEXT) : null);

/** What is known of a wallet there; other products keep more of it under the same key. */
function wallet(stored: Unchecked): RecentWallet | null {
  const id = cut(stored?.id);
  return id === null ? null : { id, name: cut(stored.name) ?? "", rdns: cut(stored.rdns) ?? "" };
}

function readJson(key: string): Unchecked {
  try {
    return JSON.parse(page.read(key)!);
  } catch {
    return null;
  }
}

/** The connector that was connected when the page was last left, if any. */
export const rememberedConnector = (namespace: Namespace): string | null => cut(page.read(connectorKey(namespace)));

/** All of them. */
export function rememberedConnectors(): Partial<Record<Namespace, string>> {
  const all = NAMESPACES.map((namespace) => [namespace, rememberedConnector(namespace)]);
  return Object.fromEntries(all.filter(([, connector]) => connector));
}

/** Remembers a connection, or with `connector` null its end. */
export function rememberConnection(namespace: Namespace, connector: string | null): void {
  const connected = Object.keys(page.sessions);
  const { accounts, chain, peer } = page.sessions[namespace] ?? {};
  page.write(connectorKey(namespace), connector);
  page.write(LOGIN + namespace, connector == AUTH ? JSON.stringify({ accounts, chain, peer }) : null);
  page.write(CONNECTED, connected.join());
  page.write(STATUS, connected[0] ? "connected" : "disconnected");
}

/** The accounts that the embedded wallet had in a namespace, unchecked: its frame takes longer to say so than a visitor should wait. */
export const rememberedLogin = (namespace: Namespace): unknown => rememberedConnector(namespace) == AUTH && readJson(LOGIN + namespace);

/** Forgets a connection, unless another connector has taken its place. */
export function forgetConnection(namespace: Namespace, connector: string): void {
  if (rememberedConnector(namespace) == connector) rememberConnection(namespace, null);
}

/** Forgets all that no session of this page holds. */
export const forgetConnections = (): void => NAMESPACES.forEach((namespace) => page.sessions[namespace] ?? rememberConnection(namespace, null));

/** The wallets used last, most recent first, at most two. The server checks them once more. */
export function recentWallets(): RecentWallet[] {
  const stored = readJson(RECENT);
  return (Array.isArray(stored) ? stored : []).flatMap((entry) => wallet(entry) ?? []).slice(0, 2);
}

/** Puts a wallet first among the recent ones. */
export function rememberWallet({ id, name, rdns }: RecentWallet): void {
  const others = recentWallets().filter((wallet) => wallet.id != id);
  page.write(RECENT, JSON.stringify([{ id, name, rdns }, ...others].slice(0, 2)));
}

let latest: object;

/** Remembers whom the visitor is being asked by, in case the page goes away meanwhile; returns what is called at the end. */
export function interruptible(question: Interrupted): () => void {
  const own = (latest = {});
  page.write(INTERRUPTED, JSON.stringify(question));
  // Somebody else may be asking by then.
  return () => own == latest && page.write(INTERRUPTED, null);
}

/** Who was asking when the page went away; told once. */
export function takeInterrupted(): Interrupted {
  const stored = readJson(INTERRUPTED);
  page.write(INTERRUPTED, null);
  if (!isRecord(stored) || typeof stored.connector != "string") return null;
  const namespace = stored.namespace as Namespace;
  const connector = stored.connector.slice(0, MAX_TEXT);
  if (isFramed(connector)) return { namespace: "", connector, wallet: wallet(stored.wallet) };
  return NAMESPACES.includes(namespace) ? { namespace, connector, wallet: null } : null;
}

/** The visitor has turned to something else: a page that goes away now interrupts nobody. */
export const withdrawQuestion = (): void => page.write(INTERRUPTED, null);

/** Remembers which app a pairing was opened in, where its SDK looks for it; null forgets it. */
export const rememberDeepLink = (deep: { href: string; name: string } | null): void => page.write(DEEP_LINK, deep && JSON.stringify(deep));
