/**
 * Finds the wallets of the page: EIP-6963, `window.ethereum`, Wallet Standard.
 *
 * Everything a wallet says about itself is hostile: sizes are capped, icons are images or dropped, and reading a property
 * may throw.
 */
import { quietly } from "./errors";
import type { Namespace, WalletEntry } from "./protocol";

/** An EIP-1193 provider, before anything about it has been checked. */
export type WalletProvider = {
  request(args: { method: string; params?: unknown }): unknown;
  on?(event: string, listener: (value: unknown) => void): unknown;
  removeListener?(event: string, listener: (value: unknown) => void): unknown;
};

export type Found = WalletEntry & { _provider?: WalletProvider };

export type DiscoveryOptions = { enableWallets?: boolean; enableEIP6963?: boolean; enableInjected?: boolean };

const INJECTED = "injected";
const MAX_WALLETS = 40;
const MAX_NAME = 64;
const MAX_ICON = 65536;
/** All icons together must leave a snapshot below the size of a message. */
const MAX_ICONS = 98304;
/** How long announcements are awaited before `window.ethereum` counts as unannounced, in ms. */
const SETTLE = 300;

const UUID = /^[\da-f-]{36}$/i;
const RDNS = /^(?=.{1,128}$)[\w-]+(\.[\w-]+)+$/;
/** Plain ASCII: what else an icon may hold would grow on its way, or could not be sent at all. */
const ICON = /^(data:image\/|https:\/\/)[ -~]*$/i;

/** Our own providers, which are announced to the page but never listed by us. */
export const ownProviders = new WeakSet<object>();

const found = new Map<string, Found>();
const uuids = new Set<string>();
let injected: Found | undefined;
let icons = 0;

/** What the visitor may choose from. */
export function listWallets(): Found[] {
  const announced = [...found.values()];
  // Whoever announces itself also sits in window.ethereum, often as another object, so one announcement decides.
  return injected && !announced.some((wallet) => wallet._provider) ? [...announced, injected] : announced;
}

/** The wallet of a connector id, listed or not, if it can be asked. */
export function findWallet(connector: unknown): Found | undefined {
  const wallet = connector == INJECTED ? injected : found.get(connector as string);
  return wallet?._provider && wallet;
}

/** A wallet without what only we may call. */
export const entryOf = ({ _provider, ...entry }: Found): WalletEntry => entry;

/** Looks until `life` ends; `changed` is called for everything found, never before this returns. */
export function discover(options: DiscoveryOptions, life: AbortSignal, changed: () => void): void {
  function add(id: string, namespaces: Namespace[], name: string, icon: string, rdns: string, provider?: WalletProvider) {
    icon += "";
    name = name.trim().slice(0, MAX_NAME);
    if (!name || id.length > 128 || found.has(id) || found.size >= MAX_WALLETS) return;
    if (!ICON.test(icon) || icon.length > MAX_ICON || (icons += icon.length) > MAX_ICONS) icon = "";
    found.set(id, { id, namespaces, type: "ANNOUNCED", name, icon, rdns, _provider: provider });
    queueMicrotask(changed);
  }

  const usable = (provider: WalletProvider) => !ownProviders.has(provider) && typeof provider.request == "function";

  const on = (event: string, handler: (detail: any) => void) =>
    addEventListener(event, quietly((announcement: Event) => handler((announcement as CustomEvent).detail)), { signal: life });

  function register(...wallets: any[]) {
    for (const { name, icon, chains } of wallets) {
      const namespaces = [/solana:/.test(chains) && "solana", /bitcoin:|bip122:/.test(chains) && "bip122"].filter(Boolean) as Namespace[];
      if (namespaces[0]) add(name, namespaces, name, icon, "");
    }
    return () => {};
  }

  if (options.enableWallets !== false) {
    if (options.enableEIP6963 !== false) {
      on("eip6963:announceProvider", ({ info: { uuid, rdns, name, icon }, provider }) => {
        uuid += "";
        rdns += "";
        if (!usable(provider) || !UUID.test(uuid) || uuids.has(uuid)) return;
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
      const look = () => {
        const provider = (window as { ethereum?: WalletProvider }).ethereum!;
        if (!usable(provider)) return;
        injected = { id: INJECTED, namespaces: ["eip155"], type: "INJECTED", name: "Browser Wallet", icon: "", rdns: "", _provider: provider };
        changed();
      };
      setTimeout(quietly(look), SETTLE);
    }
  }
}
