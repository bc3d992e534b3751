/**
 * The messages between the host page (loader) and the frame (bridge): docs/protocol.md.
 *
 * Both sides import this file, so it depends on nothing but types. `walletmodal/core/protocol/messages.py` is its twin.
 */
import type { NAMESPACES } from "./storage";

export const VERSION = 1;
/** A payload longer than this many characters of JSON is ignored. */
export const MAX_PAYLOAD = 256 * 1024;
/** What nodes say may be longer: a block with all its transactions, a thousand logs. So may all requests together that wait for a wallet. */
const MAX_RESULT = 8 * 1024 * 1024;
export const READY = "walletmodal:ready";
export const PORT = "walletmodal:port";

export type Namespace = (typeof NAMESPACES)[number];

/** The connector that reaches a phone, over the WalletConnect SDK in the frame. */
export const PAIRING = "walletConnect";

/** The connector of the embedded wallet, whose keys are in the secure site's frame inside ours. */
export const AUTH = "ID_AUTH";

/** Whether a connector is reached through the frame, in all its namespaces together. */
export const isFramed = (connector: unknown): connector is string => connector == PAIRING || connector == AUTH;

export type ProtocolError = { code: number; message: string };

export type Envelope = { v: typeof VERSION; id: string; type: string; payload: Record<string, unknown> };

export type WalletEntry = {
  id: string;
  namespaces: Namespace[];
  type: "ANNOUNCED" | "INJECTED" | "EXTERNAL";
  name: string;
  icon: string;
  rdns: string;
};

export type Session = {
  connector: string;
  accounts: string[];
  /** A CAIP-2 reference: "1" for eip155:1. */
  chain: string;
  /** CAIP-2 ids that the wallet approved; null: any network. */
  approved: string[] | null;
  /** The phone's wallet, where a pairing reaches it. */
  peer: { name: string; icon: string } | null;
  /** Who has logged in, of the embedded wallet. */
  user?: { email: string; name?: string; provider?: string };
  /** How often the phone's wallet has named its chain: it may name the one that it named before, after the host has chosen another. */
  said?: number;
};

export type Sessions = Partial<Record<Namespace, Session>>;

export type RecentWallet = { id: string; name: string; rdns: string };

export type Snapshot = {
  epoch: string;
  rev: number;
  settled: boolean;
  wallets: WalletEntry[];
  sessions: Sessions;
  /** What wallets have left in the page for others to know them by. */
  marks: string[];
  /** The page has a `window.ethereum`. */
  injected: boolean;
  storage: {
    activeNetworkId: string | null;
    activeNamespace: string | null;
    recent: RecentWallet[];
    /** `namespace` is "" for what the frame reaches; `wallet`: the one that a pairing was meant for. */
    interrupted: { namespace: Namespace | ""; connector: string; wallet: RecentWallet | null } | null;
    connectors: Partial<Record<Namespace, string>>;
  };
};

export type NewsItem = { number: number; event: string; properties: Record<string, unknown> };
export type News = { epoch: string; items: NewsItem[] };
export type Command = { id: string; epoch: string; replay: boolean; method: string; params: Record<string, unknown> };

export type Reply = { id: string; epoch: string; ok: boolean; value: unknown; error: ProtocolError | null };

/** Answers a `call`, a `request`, a `pairing` or a `store` under its envelope id. `data`: why a contract has refused, as the node says it. */
export type Result = { ok: boolean; value: unknown; error: (ProtocolError & { data?: unknown }) | null };

/** Of the native coin: `formatted` in whole units, never grouped ("9999.999"), `value` in base units. */
export type NativeBalance = { formatted: string; value: string; symbol: string; decimals: number; usd?: string };

export type Account = {
  status: "disconnected" | "connecting" | "connected";
  caipAddress: string;
  address: string;
  /** Whole units as a decimal string; null while unknown. */
  balance: string | null;
  balanceSymbol: string;
  balanceState: "loading" | "known" | "unavailable";
  nativeBalance: NativeBalance | null;
  profileName: string | null;
  profileImage: string | null;
};

export type Network = {
  caipNetworkId: string;
  id: number | string;
  name: string;
  chainNamespace: Namespace;
  symbol: string;
  image: string;
  unsupported: boolean;
};

export type PublicState = {
  open: boolean;
  loading: boolean;
  initialized: boolean;
  view: string;
  activeChain: Namespace | null;
  selectedNetworkId: string | null;
  network: Network | null;
  accounts: Partial<Record<Namespace, Account>>;
};

export type Theme = { mode: "dark" | "light" | null; variables: Record<string, string | number> };

export type Host = {
  origin: string;
  url: string;
  title: string;
  description: string;
  icon: string;
  standalone: boolean;
  mobile: boolean;
  telegram: boolean;
  /** The bridge fills it in. */
  system: "ios" | "android" | "mac" | "";
};

export type Init = { epoch: string; host: Host; options: Record<string, unknown>; theme: Theme; snapshot: Snapshot };

/** What the loader sends, by type. */
export type ToFrame = {
  init: Init;
  snapshot: Snapshot;
  reply: Reply;
  call: { method: string; params: Record<string, unknown> };
  request: { namespace: Namespace; method: string; params: unknown };
  theme: Theme;
  pairing: { method: "connect" | "request" | "disconnect" | "sessions"; params: Record<string, unknown> };
  stored: Result;
};

/** What the frame sends, by type. */
export type ToLoader = {
  commands: { commands: Command[] };
  sync: Record<string, never>;
  state: PublicState;
  shown: { visible: boolean };
  size: { height: number };
  result: Result;
  event: { event: string; properties: Record<string, unknown> };
  warn: { level: "warn" | "error"; message: string };
  paired: Result;
  /** `connector`: whose they are; a phone's where it is missing. */
  /** `now`: answered with a snapshot at once. */
  sessions: { sessions: Sessions; connector?: string; now?: boolean };
  store: { method: "entries" | "get" | "set" | "remove"; key?: string; value?: string };
  link: { href: string; target: "_self" | "_blank"; deep: { href: string; name: string } | null };
};

/**
 * What nobody has looked at yet: a wallet's object or answer, parameters, a stored text. It is `any`, because whatever is read of it is
 * checked where it is read, or may throw where that is caught; `unknown` would ask for a cast at each step, which checks nothing.
 */
export type Unchecked = any;

/** True for an object that is neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value == "object" && !!value && !Array.isArray(value);
}

/** Returns the message if it is a well-formed envelope of this version and size, else null. Never throws. */
export function parseEnvelope(data: unknown): Envelope | null {
  try {
    return isRecord(data) &&
      data.v === VERSION &&
      typeof data.id == "string" &&
      typeof data.type == "string" &&
      isRecord(data.payload) &&
      JSON.stringify(data.payload).length <= (data.type == "result" || data.type == "commands" ? MAX_RESULT : MAX_PAYLOAD)
      ? (data as Envelope)
      : null;
  } catch {
    return null;
  }
}

/** Makes an envelope. */
export function envelope(id: string, type: string, payload: object): Envelope {
  return { v: VERSION, id, type, payload: payload as Record<string, unknown> };
}
