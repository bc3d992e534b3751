/** The EIP-1193 provider that the host's own libraries use; every question goes through the modal. */
import { ownProviders } from "./discovery";
import { fail, GONE, notify } from "./errors";

type Listener = (value: unknown) => void;

export type ProviderContext = {
  /** The connected address, or "". */
  _address(): string;
  /** The chain as a number, or 0 while unknown. */
  _chain(): number;
  _request(method: string, params: unknown): Promise<unknown>;
};

const hex = (chain: number) => "0x" + chain.toString(16);

export function createProvider(context: ProviderContext) {
  const listeners: Record<string, Set<Listener>> = {};
  let address = "";
  let chain = 0;
  const accounts = () => [context._address()].filter(Boolean);
  const emit = (event: string, value: unknown) => listeners[event]?.forEach((listener) => notify(listener, value));

  const provider = {
    /** Answers what is known at once; asks the server, and through it the wallet, for the rest. */
    async request({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> {
      if (method == "eth_accounts") return accounts();
      return method == "eth_chainId" && context._chain() ? hex(context._chain()) : context._request(method, params);
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
  function changed() {
    const before = address;
    const chainBefore = chain;
    address = context._address();
    chain = context._chain();
    if (address && !before) emit("connect", { chainId: hex(chain) });
    if (chain && chain != chainBefore) emit("chainChanged", hex(chain));
    if (address != before) emit("accountsChanged", accounts());
    if (!address && before) emit("disconnect", fail(GONE, "The Provider is disconnected from all chains."));
  }

  return { _provider: provider, _changed: changed };
}

/** Announces a provider by EIP-6963 now and whenever a page asks, until `life` ends. */
export function announce(provider: object, uuid: string, life: AbortSignal): void {
  const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Ccircle r='999' fill='%235773ff'/%3E%3C/svg%3E";
  const detail = Object.freeze({ info: Object.freeze({ uuid, name: "WalletModal", icon, rdns: "org.walletmodal" }), provider });
  const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", tell, { signal: life });
  tell();
}
