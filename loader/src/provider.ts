/** The EIP-1193 provider that the host's own libraries use; every question goes through the modal. */
import { ownProviders } from "./discovery";
import { fail, GONE, notify } from "./errors";
import { ask } from "./frame";
import { accountOf, activeNetwork } from "./state";

type Listener = (value: unknown) => void;

const listeners: Record<string, Set<Listener>> = { __proto__: null as never };
let address: string | undefined;
let chain: string | undefined;

const known = () => {
  const account = accountOf("eip155");
  const { chainId } = activeNetwork();
  return [account?.status == "connected" ? account.address : "", typeof chainId == "number" ? "0x" + chainId.toString(16) : ""] as const;
};
const accounts = () => [known()[0]].filter(Boolean);
const emit = (event: string, value: unknown) => listeners[event]?.forEach((listener) => notify(listener, value));

export const provider = {
  /** Answers what is known at once; asks the server, and through it the wallet, for the rest. */
  async request({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> {
    if (method == "eth_accounts") return accounts();
    return (method == "eth_chainId" && known()[1]) || ask("request", { namespace: "eip155", method, params });
  },
  on(event: string, listener: Listener) {
    (listeners[event] ??= new Set()).add(listener);
    return provider;
  },
  removeListener(event: string, listener: Listener) {
    listeners[event]?.delete(listener);
    return provider;
  },
};
ownProviders.add(provider);

/** Tells the listeners what has changed since the last call. */
export function emitChanges(): void {
  const before = address;
  const chainBefore = chain;
  [address, chain] = known();
  if (address && !before) emit("connect", { chainId: chain });
  if (chain && chain != chainBefore) emit("chainChanged", chain);
  if (address != before) emit("accountsChanged", accounts());
  if (!address && before) emit("disconnect", fail(GONE, "The Provider is disconnected from all chains."));
}

/** Announces the provider by EIP-6963 now and whenever a page asks, until `life` ends. */
export function announce(uuid: string, life: AbortSignal): void {
  const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
  const detail = Object.freeze({ info: Object.freeze({ uuid, name: "WalletModal", icon, rdns: "org.walletmodal" }), provider });
  const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", tell, { signal: life });
  tell();
}
