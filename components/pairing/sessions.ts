/**
 * What a session of the SDK means: accounts, chain and peer by namespace (CAIP-2, CAIP-10).
 *
 * All of it comes from a phone or from the host page's storage: what is not well-formed is left out.
 */
import { NAMESPACES, type Namespace, type PairedSession, type Sessions } from "./types";

const CHAIN = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;
const ADDRESS = /^[-.%a-zA-Z0-9]{1,128}$/;
const ICON = /^(https:\/\/|data:image\/|http:\/\/(localhost|127\.0\.0\.1)[:/])/;
const MAX_ICON = 8_192;
const MAX_NAME = 100;
const MAX_ACCOUNTS = 100;
const MAX_CHAINS = 200;
/** It accepts every network, and says so by nothing but its name. */
const ANY_NETWORK = "MetaMask Wallet";

/** A session as far as it is read here. */
export type HeldSession = {
  topic: string;
  /** Seconds since the epoch. */
  expiry: number;
  namespaces: Record<string, { accounts: string[]; chains?: string[]; methods: string[]; events: string[] }>;
  /** What was proposed: ours, whatever the phone says. */
  optionalNamespaces?: Record<string, unknown>;
  peer: { metadata: { name: string; icons: string[] } };
};

/** What the phone said since: the chain (CAIP-2 reference), how often it has named one, and the account in use, by namespace. */
export type Chosen = {
  chains: Partial<Record<Namespace, string>>;
  accounts: Partial<Record<Namespace, string>>;
  said?: Partial<Record<Namespace, number>>;
};

/** Whether a value is a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a stored value is a session of today's shape; an older SDK's or anything else is none. */
export function isHeldSession(value: unknown): value is HeldSession {
  if (!isRecord(value) || typeof value.topic !== "string" || typeof value.expiry !== "number") return false;
  const { namespaces, peer } = value;
  const metadata = isRecord(peer) ? peer.metadata : null;
  return (
    isRecord(metadata) &&
    isRecord(namespaces) &&
    Object.values(namespaces).every(
      (held) =>
        isRecord(held) &&
        isTexts(held.accounts) &&
        isTexts(held.methods) &&
        isTexts(held.events) &&
        (held.chains === undefined || isTexts(held.chains)),
    )
  );
}

/** The parts of a session that belong to a namespace; a wallet may list them chain by chain. */
function held(session: HeldSession, namespace: Namespace): HeldSession["namespaces"][string][] {
  return Object.entries(session.namespaces)
    .filter(([key]) => key.split(":")[0] === namespace)
    .map(([, value]) => value);
}

/** The CAIP-2 ids that a session holds in a namespace. */
export function approvedChains(session: HeldSession, namespace: Namespace): string[] {
  const chains = held(session, namespace).flatMap((part) => [
    ...(isTexts(part.chains) ? part.chains : []),
    ...part.accounts.map((account) => account.slice(0, account.lastIndexOf(":"))),
  ]);
  const ours = chains.filter((chain) => CHAIN.test(chain) && chain.startsWith(`${namespace}:`));
  return [...new Set(ours)].slice(0, MAX_CHAINS);
}

/** Whether the phone may be asked this. */
export function isApprovedMethod(session: HeldSession, namespace: Namespace, method: string): boolean {
  return held(session, namespace).some((part) => part.methods.includes(method));
}

/** Addresses of a namespace: those on the chain in use first, and of these the account in use. */
function addresses(session: HeldSession, namespace: Namespace, chain: string, chosen: string | undefined): string[] {
  const all = held(session, namespace).flatMap((part) => part.accounts);
  const sound = all.flatMap((account) => {
    const [name, reference, address, ...rest] = account.split(":");
    const fits = name === namespace && address !== undefined && rest.length === 0 && ADDRESS.test(address);
    return fits ? [{ reference, address }] : [];
  });
  const here = sound.filter(({ reference }) => reference === chain);
  const ordered = [...new Set([...here, ...sound].map(({ address }) => address))];
  const first = ordered.find((address) => address === chosen);
  return (first === undefined ? ordered : [first, ...ordered.filter((address) => address !== first)]).slice(
    0,
    MAX_ACCOUNTS,
  );
}

/** What the wallet says of itself; the SDK passes on whatever that is. */
function description({ peer }: { peer?: unknown }): Record<string, unknown> {
  const metadata = isRecord(peer) ? peer.metadata : null;
  return isRecord(metadata) ? metadata : {};
}

function inOneNamespace(session: HeldSession, namespace: Namespace, chosen: Chosen): PairedSession | null {
  const chains = approvedChains(session, namespace);
  const named = chosen.chains[namespace];
  const { name, icons } = description(session);
  const anywhere = namespace === "eip155" && name === ANY_NETWORK;
  const chain = named !== undefined && (anywhere || chains.includes(`${namespace}:${named}`)) ? named : firstWithAccount();
  const accounts = addresses(session, namespace, chain, chosen.accounts[namespace]);
  if (!chain || !accounts.length) return null;
  const icon = isTexts(icons) ? icons.find((one) => ICON.test(one) && one.length <= MAX_ICON) : undefined;
  return {
    connector: "walletConnect",
    accounts,
    chain,
    approved: anywhere ? null : chains,
    said: chosen.said?.[namespace] ?? 0,
    peer: { name: typeof name === "string" ? name.slice(0, MAX_NAME) : "", icon: icon ?? "" },
  };

  function firstWithAccount(): string {
    const holding = held(session, namespace).flatMap((part) => part.accounts.map((account) => account.split(":")[1]));
    return holding.find((one) => chains.includes(`${namespace}:${one}`)) ?? "";
  }
}

/** All that a session holds, by namespace; one that nobody asked for would be an account that the host does not offer. */
export function describeSession(session: HeldSession | undefined, chosen: Chosen): Sessions {
  const found: Sessions = {};
  const proposed = session?.optionalNamespaces;
  for (const namespace of session ? NAMESPACES : []) {
    if (proposed && !Object.hasOwn(proposed, namespace)) continue;
    const one = inOneNamespace(session!, namespace, chosen);
    if (one) found[namespace] = one;
  }
  return found;
}

/** The namespace of a CAIP-2 id, if it is one of ours. */
export function namespaceOf(chain: string): Namespace | null {
  return NAMESPACES.find((namespace) => chain.startsWith(`${namespace}:`)) ?? null;
}

/** The CAIP-2 reference that a `chainChanged` names: as a number, in hexadecimal, decimal, or with its namespace. */
export function chainReference(data: unknown, fallback: string): string {
  if (typeof data === "number" && Number.isSafeInteger(data) && data > 0) return String(data);
  if (typeof data !== "string") return fallback;
  if (/^0x[\da-f]{1,12}$/i.test(data)) return String(Number.parseInt(data, 16));
  const reference = data.slice(data.indexOf(":") + 1);
  return /^[-_a-zA-Z0-9]{1,32}$/.test(reference) ? reference : fallback;
}
