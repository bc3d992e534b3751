/** Bitcoin wallets of three conventions: Wallet Standard, `window.btc_providers`, and objects like `window.unisat`. */
import { quietly } from "../errors";
import type { Unchecked } from "../protocol";
import { injectedWallet } from "./bitcoin_injected";
import { ADDRESS, bitcoinLine } from "./bitcoin_line";
import { rpcWallet } from "./bitcoin_rpc";
import { CHAINS, standardWallet } from "./bitcoin_standard";
import { repeatedly } from "./discovery";
import { add } from "./found";
import type { Adapter, Line } from "./line";
import { has } from "./standard";

const MAX_PROVIDERS = 20;
/** Wallets of the third convention, and where in the window they lie. */
const INJECTED = [
  { id: "unisat", path: "unisat", name: "UniSat" },
  { id: "okxwallet.bitcoin", path: "okxwallet.bitcoin", name: "OKX Wallet" },
];

const lines = new WeakMap<object, Line | undefined>();

/** The object at a path of the window; undefined when there is none. */
const at = (path: string): Unchecked => path.split(".").reduce((object: Unchecked, name) => object?.[name], window);

function lineOf(provider: Unchecked): Line | undefined {
  if (provider.features) {
    // Some wallets of the standard carry the fuller convention inside.
    const inner = provider.features["sats-connect:"]?.provider;
    if (typeof inner?.request == "function") return bitcoinLine(rpcWallet(inner));
    return has(provider, "bitcoin:connect") || has(provider, "standard:connect") ? bitcoinLine(standardWallet(provider)) : undefined;
  }
  if (typeof provider.requestAccounts == "function") return bitcoinLine(injectedWallet(provider));
  return typeof provider.request == "function" ? bitcoinLine(rpcWallet(provider)) : undefined;
}

/** A provider keeps its line, and with it what that knows, however often it is looked at. */
function lineFor(provider: Unchecked): Line | undefined {
  if (!lines.has(provider)) lines.set(provider, lineOf(provider));
  return lines.get(provider);
}

function list({ id, path = id, name, icon }: { id: string; path?: string; name: string; icon?: unknown }) {
  const provider = at(path);
  if (provider) add("bip122", provider, { id, name, icon }, lineFor(provider));
}

export const bip122: Adapter = {
  _namespace: "bip122",
  _address: ADDRESS,
  _chains: CHAINS,
  _line: lineFor,
  _discover() {
    repeatedly(() => {
      const announced: unknown = (window as { btc_providers?: unknown }).btc_providers;
      (Array.isArray(announced) ? announced : []).slice(0, MAX_PROVIDERS).forEach(quietly(({ id, name, icon }) => list({ id, name, icon })));
      INJECTED.forEach(quietly(list));
    });
  },
};
