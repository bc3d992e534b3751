/** The JSON-RPC methods that the wallet answers itself; everything that only reads goes to the chain. */
import type { Hex } from "viem";
import { hexToBytes, isHex, stringToHex } from "viem/utils";
import { ProviderRpcError, chainNotServed, invalidParams, unknownChain, unsupportedMethod } from "../errors";
import { askQuantity } from "../gateway";
import { askMessage } from "../question";
import { type JsonObject, isObject, objectAt, paramList, text } from "../shapes";
import type { EvmPurse } from "./purse";
import { askAdd, askSwitch, askTransaction, askTypedData } from "./questions";
import { address, chainId } from "./shapes";
import { fillTransaction, sendTransaction, wantedTransaction } from "./transactions";

type Method = (wallet: EvmPurse, params: readonly unknown[]) => Promise<unknown>;

const READS = /^(eth_(?!sign|sendTransaction|sendUnsigned|coinbase$)|net_|web3_)[A-Za-z0-9_]+$/;

const METHODS: Readonly<Record<string, Method>> = {
  eth_accounts: async (wallet) => wallet.addresses,
  eth_chainId: async (wallet) => wallet.hexChainId,
  net_version: async (wallet) => String(wallet.chainId),
  web3_clientVersion: async () => "SandboxWallet/1",

  eth_requestAccounts: async (wallet) => {
    await wallet.connect();
    return wallet.addresses;
  },
  wallet_requestPermissions: async (wallet, params) => {
    onlyAccounts(objectAt(params, 0));
    await wallet.connect();
    return permissions(wallet);
  },
  wallet_getPermissions: async (wallet) => permissions(wallet),
  wallet_revokePermissions: async (wallet, params) => {
    onlyAccounts(objectAt(params, 0));
    wallet.disconnect();
    return null;
  },

  wallet_switchEthereumChain: async (wallet, params) => {
    const wanted = chainId(objectAt(params, 0).chainId);
    if (!wallet.known.includes(wanted)) throw unknownChain(wanted);
    if (wanted === wallet.chainId) return null;
    wallet.requireConnection();
    await wallet.ask(askSwitch(wallet.chainId, wanted));
    wallet.switchChain(wanted);
    return null;
  },
  wallet_addEthereumChain: async (wallet, params) => {
    const asked = objectAt(params, 0);
    const wanted = chainId(asked.chainId);
    const name = checkedNetwork(asked);
    wallet.requireConnection();
    if (wallet.known.includes(wanted)) {
      return METHODS.wallet_switchEthereumChain?.(wallet, [{ chainId: asked.chainId }]);
    }
    await requireServed(wanted);
    await wallet.ask(askAdd(wanted, name));
    wallet.learnChain(wanted);
    return null;
  },

  personal_sign: async (wallet, params) => {
    const message = text(params[0], "The message");
    const signer = wallet.signer(address(params[1], "The account"));
    const raw: Hex = isHex(message) && message.length % 2 === 0 ? message : stringToHex(message);
    await wallet.ask(askMessage(signer.address, hexToBytes(raw)));
    return signer.signMessage({ message: { raw } });
  },
  eth_signTypedData_v4: async (wallet, params) => {
    const signer = wallet.signer(address(params[0], "The account"));
    const typed = typedData(params[1], wallet.chainId);
    await wallet.ask(askTypedData(signer.address, typed));
    try {
      // The shape was checked above; viem checks each field against its type and says what does not fit.
      return await signer.signTypedData(typed as unknown as Parameters<typeof signer.signTypedData>[0]);
    } catch (error) {
      throw invalidParams(`The typed data cannot be signed: ${error instanceof Error ? error.message : String(error)}`);
    }
  },
  eth_sendTransaction: async (wallet, params) => {
    const wanted = wantedTransaction(objectAt(params, 0), wallet.chainId);
    const signer = wallet.signer(wanted.from);
    const filled = await wallet.watched(fillTransaction(wanted, wallet.chainId));
    await wallet.ask(askTransaction(signer.address, filled));
    return wallet.watched(sendTransaction(signer, filled));
  },
};

/** Answer one request of the page; raises a ProviderRpcError, whatever went wrong. */
export async function answer(wallet: EvmPurse, request: unknown): Promise<unknown> {
  if (!isObject(request) || typeof request.method !== "string") {
    throw invalidParams("A request is an object with a method.");
  }
  const params = paramList(request.params);
  const own = Object.hasOwn(METHODS, request.method) ? METHODS[request.method] : undefined;
  try {
    if (own !== undefined) return await own(wallet, params);
    if (!READS.test(request.method)) throw unsupportedMethod(request.method);
    return await wallet.askCurrentChain(request.method, params);
  } catch (error) {
    if (error instanceof ProviderRpcError) throw error;
    throw new ProviderRpcError(-32603, error instanceof Error ? error.message : String(error));
  }
}

/** The permissions in the form of EIP-2255. */
function permissions(wallet: EvmPurse): JsonObject[] {
  if (wallet.exposed === undefined) return [];
  const caveat = { type: "restrictReturnedAccounts", value: wallet.addresses };
  return [{ invoker: location.origin, parentCapability: "eth_accounts", caveats: [caveat] }];
}

function onlyAccounts(asked: JsonObject): void {
  const names = Object.keys(asked);
  if (names.length !== 1 || names[0] !== "eth_accounts") {
    throw invalidParams("The only permission that there is, is eth_accounts.");
  }
}

/** Check the object of EIP-3085; returns the name that the page gives the network. */
function checkedNetwork(asked: JsonObject): string {
  const name = text(asked.chainName, "chainName").trim();
  if (name === "" || name.length > 100) throw invalidParams("chainName has 1 to 100 characters.");
  const coin = asked.nativeCurrency;
  if (!isObject(coin) || typeof coin.symbol !== "string" || coin.symbol.length > 11 || coin.decimals !== 18) {
    throw invalidParams("nativeCurrency must name a symbol and 18 decimals.");
  }
  if (!Array.isArray(asked.rpcUrls) || asked.rpcUrls.length === 0 || !asked.rpcUrls.every(isUrl)) {
    throw invalidParams("rpcUrls must list at least one URL.");
  }
  return name;
}

function isUrl(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

async function requireServed(wanted: number): Promise<void> {
  let served: number;
  try {
    served = Number(await askQuantity(`eip155:${wanted}`, "eth_chainId", []));
  } catch (error) {
    if (!(error instanceof ProviderRpcError) || error.code !== chainNotServed("").code) throw error;
    throw invalidParams(error.message);
  }
  if (served !== wanted) throw invalidParams(`The gateway answers for chain ${served}, not ${wanted}.`);
}

function typedData(value: unknown, currentChain: number): JsonObject {
  let parsed: unknown = value;
  if (typeof value === "string") {
    try {
      parsed = JSON.parse(value);
    } catch {
      throw invalidParams("The typed data is no JSON.");
    }
  }
  if (!isObject(parsed) || !isObject(parsed.types) || !isObject(parsed.message) || typeof parsed.primaryType !== "string") {
    throw invalidParams("Typed data has types, primaryType, domain and message (EIP-712).");
  }
  const domain = isObject(parsed.domain) ? parsed.domain : {};
  if (domain.chainId !== undefined && Number(domain.chainId) !== currentChain) {
    throw invalidParams("The domain's chainId is another one than the wallet's current network.");
  }
  return { ...parsed, domain };
}
