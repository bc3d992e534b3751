/** A key's Safe on a network: whether it is there or can be made, and which of the two accounts the owner prefers. */
import { isObject, type Data, type DataObject } from "../clean";
import { invalid } from "../errors";
import type { Parts } from "../frame";
import type { Addresses } from "../keys";
import { caip2, type ChainName } from "../protocol";
import type { Asked, Core } from "../scripts";
import { keepType, readKept, readType } from "../smart_account/account_type";
import { nodeOf, offeredChains } from "../smart_account/account";
import { MODULE, safeAddress } from "./contracts";

type Node = Asked["node"];

/** Where the page names the networks on which Safes are offered. */
const OFFERED = "safe";

/** Networks on which the module was found, or not; asked once in a page's life. */
const networks = new Map<string, Promise<boolean>>();

const hasCode = async (node: Node, address: string, chain: string): Promise<boolean> => {
  const code = await node("eth_getCode", [address, "latest"], chain);
  return typeof code === "string" && code.length > 2;
};

/** Whether Safes can be made on a network, and take operations there: whether their module is there. */
function hasModule(node: Node, chain: string): Promise<boolean> {
  const found = networks.get(chain) ?? hasCode(node, MODULE, chain);
  networks.set(chain, found);
  // What is not known now may be known later.
  found.catch(() => networks.delete(chain));
  return found;
}

/** EIP-5792's word for calls at once. A deployment may do without Safes; one that is there already stays one. */
export async function findStatus({ addresses, node, chain }: Pick<Asked, "addresses" | "node" | "chain">, keccak: Core["keccak"]): Promise<"unsupported" | "supported"> {
  const found = (offeredChains(OFFERED).includes(chain) || (await hasCode(node, safeAddress(addresses.evm, keccak), chain))) && (await hasModule(node, chain));
  return found ? "supported" : "unsupported";
}

/** Tells the kind that is in use, where the Safe is, and whether it can be used on a network; `type` is the owner's choice, `default` the site's, `passkeys`: those that can be owners are told too. */
export async function readSafeType(asked: Asked, core: Core): Promise<Data> {
  const { keccak, checksummed } = core;
  const given = Array.isArray(asked.params) ? asked.params[0] : undefined;
  const { type, default: usual, passkeys } = isObject(given) ? given : {};
  const kept = await readKept(asked.store);
  const wanted = readType(type) ?? kept ?? readType(usual) ?? "smartAccount";
  if (wanted !== kept) await keepType(asked.store, wanted);
  const owners = passkeys === true ? { passkeys: await (await (await core.loadLater()).loadPasskeyOwner()).tellPasskeys(asked, core) } : {};
  return { ...owners, type: wanted, status: await findStatus(asked, keccak), foreign: "", address: checksummed(safeAddress(asked.addresses.evm, keccak)) };
}

/** Adds the Safe to what is told of the user. Without a choice of the owner's or of the asker's no kind is preferred. */
export async function withSafe(user: DataObject, { preferredAccountType }: DataObject, { api, store, requests }: Parts): Promise<object> {
  const { keccak, checksummed } = requests.core;
  const { eip155, solana } = user["addresses"] as { eip155: string; solana: string };
  const addressesByType = { eoa: eip155, smartAccount: checksummed(safeAddress(eip155, keccak)) };
  if (user["address"] === solana) return { ...user, addressesByType };
  const preferred = (await readKept(store)) ?? readType(preferredAccountType);
  const chain = caip2(user["chainId"] as ChainName);
  return {
    ...user,
    ...{ address: addressesByType[preferred ?? "smartAccount"], addressesByType, preferredAccountType: preferred },
    accounts: Object.entries(addressesByType).map(([type, address]) => ({ address, type })),
    smartAccountDeployed: await hasCode(nodeOf(api), addressesByType.smartAccount, chain).catch(() => false),
  };
}

/** Keeps which of the two accounts the visitor prefers. */
export async function setPreferredAccount(type: string, { login, store, requests }: Parts): Promise<object> {
  const { wallet } = await login.userWithWallet();
  const { evm } = wallet as Addresses;
  const wanted = readType(type);
  if (!wanted) throw invalid("type");
  await keepType(store, wanted);
  const { keccak, checksummed } = requests.core;
  return { type, address: wanted === "eoa" ? evm : checksummed(safeAddress(evm, keccak)) };
}

/** The networks on which Safes can be used, by number. */
export async function enabledNetworks({ api }: Parts): Promise<object> {
  const chains = offeredChains(OFFERED);
  const enabled = await Promise.all(chains.map((chain) => hasModule(nodeOf(api), chain).catch(() => false)));
  return { smartAccountEnabledNetworks: chains.filter((_, at) => enabled[at]).map((chain) => Number(chain.slice(7))) };
}
