/**
 * Finds the wallets of the page: EIP-6963, `window.ethereum`, Wallet Standard.
 *
 * Everything a wallet says about itself is hostile: sizes are capped, icons are images or dropped, and reading a property
 * may throw.
 */
import type { Namespace, WalletEntry } from "./protocol";

/** An EIP-1193 provider, before anything about it has been checked. */
export type WalletProvider = {
  request(args: { method: string; params?: unknown }): unknown;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
};

export type Found = WalletEntry & { _provider?: WalletProvider };

export type DiscoveryOptions = { enableWallets?: boolean; enableEIP6963?: boolean; enableInjected?: boolean };

export type Discovery = {
  /** What the visitor may choose from. */
  _list(): Found[];
  /** The wallet of a connector id, listed or not, if it can be asked. */
  _find(connector: unknown): Found | undefined;
};

const INJECTED = "injected";
const MAX_WALLETS = 40;
const MAX_NAME = 64;
const MAX_ICON = 65536;
/** All icons together must leave a snapshot below the size of a message. */
const MAX_ICONS = 196608;
/** How long announcements are awaited before `window.ethereum` counts as unannounced, in ms. */
const SETTLE = 300;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const RDNS = /^(?=.{3,128}$)[a-z\d-]+(\.[a-z\d-]+)+$/i;
const ICON = /^(data:image\/|https:\/\/)/i;
const STANDARD = { solana: /(^|,)solana:/, bip122: /(^|,)(bitcoin|bip122):/ };

/** Our own providers, which are announced to the page but never listed by us. */
export const ownProviders = new WeakSet<object>();

/** Starts to look; `changed` is called, never before this returns, for everything found until `life` ends. */
export function discover(options: DiscoveryOptions, life: AbortSignal, changed: () => void): Discovery {
  const found = new Map<string, Found>();
  const uuids = new Set<string>();
  let injected: Found | undefined;
  let icons = 0;

  function add(id: string, namespaces: string[], name: string, icon: string, rdns: string, provider?: WalletProvider) {
    icon += "";
    name = name.trim().slice(0, MAX_NAME);
    if (!name || found.has(id) || found.size >= MAX_WALLETS) return;
    if (!ICON.test(icon) || icon.length > MAX_ICON || (icons += icon.length) > MAX_ICONS) icon = "";
    found.set(id, { id, namespaces: namespaces as Namespace[], type: "ANNOUNCED", name, icon, rdns, _provider: provider });
    queueMicrotask(changed);
  }

  const usable = (provider: WalletProvider) => !ownProviders.has(provider) && typeof provider.request == "function";

  /** Calls `handler` with the event's detail; a wallet that throws or lacks what it must have is not listed. */
  function on(event: string, handler: (detail: any) => void) {
    addEventListener(
      event,
      (announcement) => {
        try {
          handler((announcement as CustomEvent).detail);
        } catch {
          // The wallet's own failure.
        }
      },
      { signal: life },
    );
  }

  function register(...wallets: any[]) {
    for (const { name, icon, chains } of wallets) {
      const namespaces = Object.entries(STANDARD).filter(([, pattern]) => pattern.test(chains));
      if (namespaces[0]) add(name, namespaces.map(([namespace]) => namespace), name, icon, "");
    }
    return () => {};
  }

  if (options.enableWallets !== false) {
    if (options.enableEIP6963 !== false) {
      on("eip6963:announceProvider", ({ info: { uuid, rdns, name, icon }, provider }) => {
        uuid += "";
        rdns += "";
        if (!usable(provider) || !UUID.test(uuid) || uuids.has(uuid) || uuids.size > MAX_WALLETS) return;
        if (!RDNS.test(rdns)) rdns = "";
        const namesake = found.get(rdns);
        if (namesake?._provider == provider) return;
        uuids.add(uuid);
        add(namesake || !rdns ? uuid : rdns, ["eip155"], name, icon, rdns, provider);
      });
      dispatchEvent(new Event("eip6963:requestProvider"));
    }
    on("wallet-standard:register-wallet", (callback) => callback({ register }));
    dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: { register } }));
    if (options.enableInjected !== false) {
      setTimeout(() => {
        try {
          const provider = (window as { ethereum?: WalletProvider }).ethereum!;
          if (!usable(provider)) return;
          injected = { id: INJECTED, namespaces: ["eip155"], type: "INJECTED", name: "Browser Wallet", icon: "", rdns: "", _provider: provider };
          changed();
        } catch {
          // None, or a trap in its place.
        }
      }, SETTLE);
    }
  }

  return {
    _list() {
      const announced = [...found.values()];
      // Whoever announces itself also sits in window.ethereum, often as another object, so one announcement decides.
      return injected && !announced.some((wallet) => wallet._provider) ? [...announced, injected] : announced;
    },
    _find(connector) {
      const wallet = connector == INJECTED ? injected : found.get(connector as string);
      return wallet?._provider && wallet;
    },
  };
}
