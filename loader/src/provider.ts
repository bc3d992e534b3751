/** The providers that the host's own libraries use, one for each namespace; every question goes through the modal. */
import { BUNDLE_TOO_LARGE, fail, GONE, INVALID_REQUEST, notify } from "./errors";
import { ask } from "./frame";
import { isRecord, type Namespace } from "./protocol";
import { accountOf, activeNetwork } from "./state";
import { NAMESPACES } from "./storage";

type Listener = (value: unknown) => void;

/** The modal's mark. */
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#5773ff"/><path fill="none" stroke="#fff" stroke-width="2.6" d="M8 11.5h17v12H8zl12-3.2v3.2m.6 5v2"/></svg>';

const NOBODY = { address: "", caipAddress: "" };

/** Our own providers, which are announced to the page but never listed by us. */
export const ownProviders = new WeakSet<object>();

/** That of eip155 is an EIP-1193 provider; the others have its shape, with the methods of the WalletConnect namespaces. */
function createProvider(namespace: Namespace) {
  const evm = namespace == "eip155";
  const listeners: Record<string, Set<Listener>> = { __proto__: null as never };
  let address = "";
  let chain: string | undefined;

  const known = () => {
    const account = accountOf(namespace);
    const { caipNetworkId } = activeNetwork();
    const { address, caipAddress } = account?.status == "connected" ? account : NOBODY;
    // The visitor may be looking at another namespace.
    const [, chain] = (caipNetworkId?.startsWith(namespace + ":") ? caipNetworkId : caipAddress).split(":");
    return [address, chain && evm ? "0x" + (+chain).toString(16) : chain] as const;
  };
  const accounts = () => [known()[0]].filter(Boolean);
  const emit = (event: string, value: unknown) => listeners[event]?.forEach((listener) => notify(listener, value));

  const provider = {
    /** Answers what is known at once; asks the server, and through it the wallet, for the rest. */
    async request(asked: { method: string; params?: unknown }): Promise<unknown> {
      if (!isRecord(asked) || typeof asked.method != "string") throw fail(INVALID_REQUEST, "JSON is not a valid request object.");
      const { method, params = evm ? [] : {} } = asked;
      if (evm && method == "eth_accounts") return accounts();
      // So many may be more than a message carries: the server, whose limit is lower, would not hear of them.
      if (method == "wallet_sendCalls" && Array.isArray(params) && params[0]?.calls?.length > 1000) {
        throw fail(BUNDLE_TOO_LARGE, "The call bundle is too large for the Wallet to process.");
      }
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
  if (namespace == "solana") {
    // The rest of what its hosts expect needs bytes as texts, so it comes with the second script: nobody is connected before.
    Object.assign(provider, {
      publicKey: null,
      // The answer is our own server's, whose shape docs/protocol.md §6 has.
      connect: async () => ((await ask("request", { namespace, method: "solana_requestAccounts", params: {} })) as [{ pubkey: string }])[0].pubkey,
      disconnect: () => ask("call", { method: "disconnect", params: { namespace } }),
    });
  }

  /** Tells the listeners what has changed since the last call. */
  function emitChanges() {
    const before = address;
    const chainBefore = chain;
    const now = known();
    address = now[0];
    chain = now[1] || chainBefore;
    if (address && !before) emit("connect", { chainId: chain });
    // What was not known has not changed: hosts reload their page at this event, and would do so at each load.
    if (chain != chainBefore && (chainBefore || before)) emit("chainChanged", chain);
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
  // Percent-encoded: in an attribute of a wallet list's page, quotes or a fragment's `#` would end it.
  const icon = "data:image/svg+xml," + encodeURIComponent(MARK);
  const provider = providerOf("eip155");
  const detail = Object.freeze({ info: Object.freeze({ uuid, name: "WalletModal", icon, rdns: "org.walletmodal" }), provider });
  const tell = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", tell, { signal: life });
  tell();
}
