/** What the modal has told the host page about itself, what the wallets have granted, and who listens. */
import { notify } from "./errors";
import { isRecord, type Account, type Namespace, type PublicState, type Sessions } from "./protocol";
import { rememberNetwork } from "./storage";

export const NOTHING: PublicState = {
  open: false,
  loading: false,
  initialized: false,
  view: "",
  activeChain: null,
  selectedNetworkId: null,
  network: null,
  accounts: {},
};

/** What the server tells; it believes a wallet only after having looked at it, so the page does not run ahead of it. */
export let state = NOTHING;

/** What the wallets have granted, by namespace. */
export const sessions: Sessions = {};

const subscriptions = new Set<() => void>();

/** Takes a `state` message; false when it has not the shape of PublicState. What is said before the server has spoken ends with that. */
export function tell(message: Record<string, unknown>): boolean {
  const { open, accounts, network } = message;
  const fits =
    (message["initialized"] || !state.initialized) &&
    typeof open == "boolean" && isRecord(accounts) && Object.values(accounts).every(isRecord) && (network === null || isRecord(network));
  if (fits) {
    state = message as PublicState;
    if (state.initialized && state.selectedNetworkId) rememberNetwork(state.selectedNetworkId);
    publish();
  }
  return fits;
}

/** The active network: its CAIP-2 id, and its own id, which is a number on eip155. */
export function activeNetwork() {
  const { network, selectedNetworkId } = state;
  const caipNetworkId = network?.caipNetworkId ?? selectedNetworkId ?? undefined;
  const [namespace, reference] = (caipNetworkId ?? "").split(":");
  return { caipNetwork: network ?? undefined, caipNetworkId, chainId: namespace == "eip155" ? +reference! : reference };
}

/** The account of a namespace; of the active one when none is named. */
export const accountOf = (namespace?: Namespace): Account | undefined => state.accounts[namespace || state.activeChain || "eip155"];

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
  state = NOTHING;
  subscriptions.clear();
}
