/** The provider of `window.btc_providers` (WBIP004), with the methods that wallets of that convention share. */
import { base64, hex } from "@scure/base";
import { ProviderRpcError, invalidParams, userRejected } from "../errors";
import { ICON, NAME } from "../icon";
import type { Purse } from "../purse";
import { askMessage } from "../question";
import { type JsonObject, isObject, text } from "../shapes";
import type { BitcoinAccount } from "./accounts";
import { isIndexes } from "./features";
import { openedBoth, openedFor } from "./keys";
import { messageHash, protocolName, protocolOf, signMessage } from "./messages";
import { askPsbt, readPsbt, signPsbt } from "./psbt";

type Method = (purse: Purse<BitcoinAccount>, params: JsonObject) => Promise<unknown>;

/** Where the object lies: a path of properties of `window`. */
const ID = "SandboxWallet.bitcoin";

const REJECTED = -32000;
const DENIED = -32002;
const NOT_FOUND = -32601;

const METHODS: Readonly<Record<string, Method>> = {
  getInfo: async () => ({ version: "1", platform: "web", methods: Object.keys(METHODS), supports: ["WBIP004"] }),
  getAccounts: async (purse, params) => addresses(await purse.connect(), params.purposes),
  getAddresses: async (purse, params) => ({ addresses: addresses(await purse.connect(), params.purposes) }),
  wallet_connect: async (purse, params) => ({
    id: NAME,
    addresses: addresses(await purse.connect(), params.addresses),
    walletType: "software",
  }),
  wallet_getAccount: async (purse) => ({
    id: NAME,
    addresses: addresses(purse.permitted(purse.chosen.address), undefined),
    walletType: "software",
  }),
  wallet_disconnect: async (purse) => {
    purse.disconnect();
    return null;
  },
  signMessage: async (purse, params) => {
    const key = openedFor(purse, params.address);
    const message = new TextEncoder().encode(text(params.message, "message"));
    // The default of the wallets of this convention.
    const protocol = protocolOf(params.protocol, key.purpose === "payment" ? "ecdsa" : "bip322");
    await purse.ask(askMessage(key.address, message, [["Kind", protocolName(protocol)]]));
    return {
      signature: base64.encode(signMessage(message, key, protocol)),
      messageHash: hex.encode(messageHash(message, protocol)),
      address: key.address,
      protocol: protocol.toUpperCase(),
    };
  },
  signPsbt: async (purse, { psbt, signInputs, broadcast }) => {
    if (broadcast === true) throw invalidParams("broadcast: this wallet reaches no Bitcoin node; take the signed PSBT.");
    const keys = openedBoth(purse.permitted(purse.chosen.address));
    const read = readPsbt(bytesOf(psbt), keys, wantedInputs(signInputs));
    await purse.ask(askPsbt(read, keys));
    return { psbt: base64.encode(signPsbt(read)) };
  },
};

declare global {
  interface Window {
    btc_providers?: unknown;
    SandboxWallet?: unknown;
  }
}

/** Put the provider into the page and on the list. */
export function offer(purse: Purse<BitcoinAccount>): void {
  const provider = Object.freeze({
    request: (method: unknown, params: unknown) => answer(purse, method, params),
    // Some pages hand over a record, older ones two arguments.
    addListener(form: unknown, second: unknown) {
      const [event, callback] = isObject(form) ? [form.eventName, form.cb] : [form, second];
      if (event !== "accountChange" || typeof callback !== "function") return () => undefined;
      const tell = () => callback({ type: "accountChange", addresses: purse.exposed && addresses(purse.exposed, undefined) });
      purse.on("accountsChanged", tell);
      return () => void purse.removeListener("accountsChanged", tell);
    },
  });
  window.SandboxWallet = Object.freeze({ bitcoin: provider });
  const listed = Object.freeze({ id: ID, name: NAME, icon: ICON, methods: Object.keys(METHODS) });
  if (Array.isArray(window.btc_providers)) window.btc_providers.push(listed);
  else window.btc_providers = [listed];
}

/** Answer as JSON-RPC does: refusals are answers too, and nothing is ever thrown. */
async function answer(purse: Purse<BitcoinAccount>, method: unknown, params: unknown): Promise<JsonObject> {
  const frame = { jsonrpc: "2.0", id: crypto.randomUUID() };
  try {
    const run = typeof method === "string" && Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (run === undefined) throw new ProviderRpcError(NOT_FOUND, `The Sandbox Wallet does not support ${String(method).slice(0, 100)}.`);
    return { ...frame, result: await run(purse, isObject(params) ? params : {}) };
  } catch (error) {
    const code = error instanceof ProviderRpcError ? (CODES.get(error.code) ?? error.code) : -32603;
    return { ...frame, error: { code, message: error instanceof Error ? error.message : String(error) } };
  }
}

/** This convention has numbers of its own. */
const CODES: ReadonlyMap<number, number> = new Map([
  [userRejected().code, REJECTED],
  [4100, DENIED],
]);

function addresses(account: BitcoinAccount, purposes: unknown): JsonObject[] {
  const wanted: readonly unknown[] = Array.isArray(purposes) && purposes.length > 0 ? purposes : ["payment", "ordinals"];
  return openedBoth(account)
    .filter(({ purpose }) => wanted.includes(purpose))
    .map(({ address, publicKey, purpose }) => ({
      address,
      publicKey: hex.encode(publicKey),
      purpose,
      addressType: purpose === "payment" ? "p2wpkh" : "p2tr",
      walletType: "software",
    }));
}

function bytesOf(psbt: unknown): Uint8Array {
  try {
    return base64.decode(text(psbt, "psbt"));
  } catch {
    throw invalidParams("psbt must be base64.");
  }
}

function wantedInputs(value: unknown): ReadonlyMap<string, readonly number[]> | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw invalidParams("signInputs names addresses and their inputs.");
  const wanted = new Map<string, readonly number[]>();
  for (const [address, indexes] of Object.entries(value)) {
    if (!isIndexes(indexes)) throw invalidParams("signInputs names addresses and their inputs.");
    wanted.set(address, indexes);
  }
  return wanted;
}
