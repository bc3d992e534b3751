/**
 * What must survive a reload, in the host page's localStorage.
 *
 * Storage may be denied, full, or edited by anyone: every access is guarded, what cannot be stored is kept in memory for
 * as long as the page lives, and what is read back is checked.
 */
import type { Namespace } from "./protocol";

const PREFIX = "@appkit/";
export const ACTIVE_NETWORK = PREFIX + "active_caip_network_id";
export const ACTIVE_NAMESPACE = PREFIX + "active_namespace";
export const INTERRUPTED = "walletmodal:interrupted";
export const STATUS = PREFIX + "connection_status";
export const CONNECTED = PREFIX + "connected_namespaces";
export const RECENT = PREFIX + "recent_wallets";

export const NAMESPACES = ["eip155", "solana", "bip122", "polkadot"] as const;

export const connectorKey = (namespace: Namespace) => PREFIX + namespace + ":connected_connector_id";

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

/** The names of all that is stored. */
export function keys(): string[] {
  try {
    return [...new Set([...memory.keys(), ...Object.keys(localStorage)])];
  } catch {
    return [...memory.keys()];
  }
}

/** Remembers the active network: a CAIP-2 id, or null for none. */
export function rememberNetwork(caipNetworkId: string | null): void {
  write(ACTIVE_NETWORK, caipNetworkId);
  write(ACTIVE_NAMESPACE, caipNetworkId && caipNetworkId.split(":")[0]!);
}

/** Whether the last visit left a wallet to come back to. */
export const isRemembered = (): boolean => NAMESPACES.some((namespace) => read(connectorKey(namespace))) || !!read(INTERRUPTED);
