/** What the modal has told the host page about itself, checked for shape; before that, what the wallets' sessions tell. */
import { isRecord, type Account, type Namespace, type PublicState, type Session } from "./protocol";

/** An account as the elements show it; nobody is fetching the balance when it is undefined. */
export type KnownAccount = Pick<Account, "status" | "address" | "caipAddress"> & Partial<Account>;
export type KnownState = Omit<PublicState, "accounts" | "view"> & { accounts: Partial<Record<Namespace, KnownAccount>> };

export const NOTHING: KnownState = {
  open: false,
  loading: false,
  initialized: false,
  activeChain: null,
  selectedNetworkId: null,
  network: null,
  accounts: {},
};

/** True when a `state` message has the shape of PublicState. */
export const isPublicState = ({ open, accounts, network }: Record<string, unknown>): boolean =>
  typeof open == "boolean" && isRecord(accounts) && Object.values(accounts).every(isRecord) && (network === null || isRecord(network));

/** The state to show: the server's once it has looked at the wallets, else the wallets' own claims. */
export function knownState(told: KnownState, sessions: Partial<Record<Namespace, Session>>, selectedNetworkId: string | null): KnownState {
  if (told.initialized) return told;
  const state: KnownState = { ...told, selectedNetworkId, accounts: {} };
  for (const [namespace, { accounts, chain }] of Object.entries(sessions) as [Namespace, Session][]) {
    const address = accounts[0]!;
    state.activeChain = namespace;
    state.selectedNetworkId = namespace + ":" + chain;
    state.accounts[namespace] = { status: "connected", address, caipAddress: state.selectedNetworkId + ":" + address };
  }
  return state;
}

/** The active network's CAIP-2 id. */
export const networkId = ({ network, selectedNetworkId }: KnownState): string | undefined =>
  network?.caipNetworkId ?? selectedNetworkId ?? undefined;

/** The connected account of a namespace; of the active one when none is named. */
export function accountOf(state: KnownState, namespace?: Namespace | null): KnownAccount | undefined {
  const account = state.accounts[namespace || state.activeChain || "eip155"];
  return account?.status == "connected" ? account : undefined;
}
