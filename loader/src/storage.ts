/**
 * What must survive a reload, in the host page's localStorage.
 *
 * Storage may be denied, full, or edited by anyone: every access is guarded, what cannot be stored is kept in memory for
 * as long as the page lives, and what is read back is checked.
 */
import type { Namespace, RecentWallet } from "./protocol";

const PREFIX = "@appkit/";
export const ACTIVE_NETWORK = PREFIX + "active_caip_network_id";
export const ACTIVE_NAMESPACE = PREFIX + "active_namespace";
export const INTERRUPTED = "walletmodal:interrupted";
const STATUS = PREFIX + "connection_status";
const CONNECTED = PREFIX + "connected_namespaces";
const RECENT = PREFIX + "recent_wallets";

const connectorKey = (namespace: Namespace) => PREFIX + namespace + ":connected_connector_id";

const memory = new Map<string, string>();

/** The stored text, or null when there is none (an empty text counts as none). */
export function read(key: string): string | null {
  try {
    return (memory.get(key) ?? localStorage.getItem(key)) || null;
  } catch {
    return null;
  }
}

/** Stores a text; null forgets it. */
export function write(key: string, value: string | null): void {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
    memory.delete(key);
  } catch {
    memory.set(key, value || "");
  }
}

/** The connector that was connected when the page was last left, if any. */
export const rememberedConnector = (namespace: Namespace): string | null => read(connectorKey(namespace));

/** Remembers the active network: a CAIP-2 id, or null for none. */
export function rememberNetwork(caipNetworkId: string | null): void {
  write(ACTIVE_NETWORK, caipNetworkId);
  write(ACTIVE_NAMESPACE, caipNetworkId && caipNetworkId.split(":")[0]!);
}

/** Remembers a connection, or with `connector` null its end, and the namespaces that are connected now. */
export function rememberConnection(namespace: Namespace, connector: string | null, connected: string[]): void {
  write(connectorKey(namespace), connector);
  write(CONNECTED, connected.join());
  write(STATUS, connected[0] ? "connected" : "disconnected");
}

/** The wallets used last, most recent first, at most two. The server checks them once more. */
export function recentWallets(): RecentWallet[] {
  try {
    return (JSON.parse(read(RECENT)!) as RecentWallet[]).filter((wallet) => wallet?.id).slice(0, 2);
  } catch {
    return [];
  }
}

/** Puts a wallet first among the recent ones. */
export function rememberWallet({ id, name, rdns }: RecentWallet): void {
  const others = recentWallets().filter((wallet) => wallet.id != id);
  write(RECENT, JSON.stringify([{ id, name, rdns }, ...others].slice(0, 2)));
}
