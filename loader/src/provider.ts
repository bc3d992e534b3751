/** The providers that the host's own libraries use, one for each namespace; every question goes through the modal. */
import { fail, GONE, notify } from "./errors";
import { ask } from "./frame";
import type { Namespace } from "./protocol";
import { accountOf, activeNetwork } from "./state";
import { NAMESPACES } from "./storage";

type Listener = (value: unknown) => void;

/** Our own providers, which are announced to the page but never listed by us. */
export const ownProviders = new WeakSet<object>();

/** That of eip155 is an EIP-1193 provider; the others have its shape, with the methods of the WalletConnect namespaces. */
function createProvider(namespace: Namespace) {
  const evm = namespace == "eip155";
  const listeners: Record<string, Set<Listener>> = { __proto__: null as never };
  let address: string | undefined;
  let chain: string | undefined;

  const known = () => {
    const account = accountOf(namespace);
    const { caipNetworkId, chainId } = activeNetwork();
    const ours = caipNetworkId?.startsWith(namespace + ":");
    return [account?.status == "connected" ? account.address : "", ours ? (evm ? "0x" + chainId!.toString(16) : chainId as string) : ""] as const;
  };
  const accounts = () => [known()[0]].filter(Boolean);
  const emit = (event: string, value: unknown) => listeners[event]?.forEach((listener) => notify(listener, value));

  const provider = {
    /** Answers what is known at once; asks the server, and through it the wallet, for the rest. */
    async request({ method, params = evm ? [] : {} }: { method: string; params?: unknown }): Promise<unknown> {
      if (evm && method == "eth_accounts") return accounts();
      return (evm && method == "eth_chainId" && known()[1]) || ask("request", { namespace, method, params });
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

  /** Tells the listeners what has changed since the last call. */
  function emitChanges() {
    const before = address;
    const chainBefore = chain;
    const now = known();
    address = now[0];
    // The visitor may be looking at another namespace; this one's chain is then the last that was active.
    chain = now[1] || chainBefore;
    if (address && !before) emit("connect", { chainId: chain });
    if (chain && chain != chainBefore) emit("chainChanged", chain);
    if (address != before) emit("accountsChanged", accounts());
    if (!address && before) emit("disconnect", fail(GONE, "The Provider is disconnected from all chains."));
  }

  ownProviders.add(provider);
  return { provider, emitChanges };
}

const made = NAMESPACES.map((namespace) => [namespace, createProvider(namespace)] as const);

/** The provider of a namespace; undefined for one that there is not. */
export const providerOf = (namespace: Namespace) => made.find(([name]) => name == namespace)?.[1].provider;

/** Tells the listeners of all providers what has changed since the last call. */
export const emitChanges = (): void => made.forEach(([, { emitChanges }]) => emitChanges());

/** Announces the provider of eip155 by EIP-6963 now and whenever a page asks, until `life` ends. */
export function announce(uuid: string, life: AbortSignal): void {
  const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
  const provider = providerOf("eip155");
  const detail = Object.freeze({ info: Object.freeze({ uuid, name: "WalletModal", icon, rdns: "org.walletmodal" }), provider });
  const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", tell, { signal: life });
  tell();
}
