/** What the host page knows: what the modal has told, before that what the wallets' sessions tell; and who listens. */
import { notify } from "./errors";
import { isRecord, type Account, type Namespace, type PublicState, type Session } from "./protocol";
import * as storage from "./storage";

/** An account as the elements show it; nobody is fetching the balance when it is undefined. */
export type KnownAccount = Pick<Account, "status" | "address" | "caipAddress"> & Partial<Account>;
export type KnownState = Omit<PublicState, "accounts"> & { accounts: Partial<Record<Namespace, KnownAccount>> };

export const NOTHING: KnownState = {
  open: false,
  loading: false,
  initialized: false,
  view: "",
  activeChain: null,
  selectedNetworkId: null,
  network: null,
  accounts: {},
};

/** What the wallets have granted, by namespace. */
export const sessions: Partial<Record<Namespace, Session>> = {};

const subscriptions = new Set<() => void>();
let told = NOTHING;

/** Takes a `state` message; false when it has not the shape of PublicState. */
export function tell(message: Record<string, unknown>): boolean {
  const { open, accounts, network } = message;
  const fits =
    typeof open == "boolean" && isRecord(accounts) && Object.values(accounts).every(isRecord) && (network === null || isRecord(network));
  if (fits) {
    told = message as PublicState;
    if (told.initialized && told.selectedNetworkId) storage.rememberNetwork(told.selectedNetworkId);
    publish();
  }
  return fits;
}

/** The state to show: the server's once it has looked at the wallets, else the wallets' own claims. */
export function state(): KnownState {
  if (told.initialized) return told;
  const claimed: KnownState = { ...told, selectedNetworkId: storage.read(storage.ACTIVE_NETWORK), accounts: {} };
  for (const namespace in sessions) {
    const { accounts, chain } = sessions[namespace as Namespace]!;
    claimed.activeChain = namespace as Namespace;
    claimed.selectedNetworkId = namespace + ":" + chain;
    claimed.accounts[namespace as Namespace] = {
      status: "connected",
      address: accounts[0]!,
      caipAddress: claimed.selectedNetworkId + ":" + accounts[0],
    };
  }
  return claimed;
}

/** The active network: its CAIP-2 id, and its own id, which is a number on eip155. */
export function activeNetwork() {
  const { network, selectedNetworkId } = state();
  const caipNetworkId = network?.caipNetworkId ?? selectedNetworkId ?? undefined;
  const [namespace, reference] = (caipNetworkId ?? "").split(":");
  return { caipNetwork: network ?? undefined, caipNetworkId, chainId: namespace == "eip155" ? Number(reference) : reference };
}

/** The account of a namespace; of the active one when none is named. */
export const accountOf = (namespace?: Namespace): KnownAccount | undefined => state().accounts[namespace || state().activeChain || "eip155"];

/** Calls back whenever the selected value has changed; returns what stops that. */
export function subscribe<T>(select: () => T, callback: (value: T) => void): () => void {
  let last = JSON.stringify(select());
  const check = () => {
    const value = select();
    const now = JSON.stringify(value);
    if (now != last) {
      last = now;
      notify(callback, value);
    }
  };
  subscriptions.add(check);
  return () => subscriptions.delete(check);
}

/** Tells the subscribers whose value has changed. */
export const publish = (): void => subscriptions.forEach((check) => check());

/** Forgets what the modal told and who listens. */
export function forget(): void {
  told = NOTHING;
  subscriptions.clear();
}
