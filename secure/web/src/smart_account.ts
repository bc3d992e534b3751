/** The script of smart accounts: calls at once, operations, and what the account can do. Fetched when a host asks for one of these. */
import type { Data } from "./clean";
import { invalid } from "./errors";
import type { Parts } from "./frame";
import type { Addresses } from "./keys";
import type { Asked, Plan, SmartAccountTools } from "./scripts";
import { hasDelegations, nodeOf, offeredChains } from "./smart_account/account";
import { keepType, readAccountType, type AccountType } from "./smart_account/account_type";
import { planCalls, planRevocation } from "./smart_account/batches";
import { planDelegation } from "./smart_account/delegations";
import { readStatus } from "./smart_account/bundles";
import { enforcerOf } from "./smart_account/delegation";
export { isBounded, readDelegation } from "./smart_account/delegation";
export { openOwn } from "./smart_account/batches";
import { planOperation } from "./smart_account/operations";
import { readCapabilities } from "./smart_account/capabilities";

const PLANS: Record<string, (asked: Asked, tools: SmartAccountTools) => Promise<Plan>> = {
  wallet_sendCalls: planCalls,
  walletmodal_signUserOperation: planOperation,
  walletmodal_revokeDelegation: planRevocation,
  walletmodal_signDelegation: planDelegation,
  wallet_grantPermissions: async (asked, tools) => (await tools.loadGrants()).planGrant(asked, { ...tools, planDelegation, enforcerOf }),
  wallet_revokePermissions: async (asked, tools) => (await tools.loadGrants()).planEnd(asked, tools),
};

export function readSmartRequest(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  return (PLANS[asked.method] as (typeof PLANS)[string])(asked, tools);
}

const READS: Record<string, (asked: Asked, tools: SmartAccountTools) => Promise<Data>> = {
  wallet_getCapabilities: (asked) => readCapabilities(asked),
  wallet_getCallsStatus: readStatus,
  walletmodal_accountType: readAccountType,
};

/** Answers what nobody has to agree to. */
export function readWallet(asked: Asked, tools: SmartAccountTools): Promise<Data> {
  return (READS[asked.method] as (typeof READS)[string])(asked, tools);
}

/** Keeps which kind of account the visitor prefers; both have one address. */
export async function setPreferredAccount(type: string, { login, store }: Parts): Promise<object> {
  const { wallet } = await login.userWithWallet();
  if (type !== "eoa" && !(type === "smartAccount" && offeredChains().length)) throw invalid("type");
  await keepType(store, type as AccountType);
  return { type, address: (wallet as Addresses).evm };
}

/** The networks on which the account can be a smart account, by number. */
export async function enabledNetworks({ login, api }: Parts): Promise<object> {
  const { wallet } = await login.userWithWallet();
  const chains = offeredChains();
  const node = nodeOf(api);
  const enabled = await Promise.all(chains.map((chain) => hasDelegations(node, chain, (wallet as Addresses).evm).catch(() => false)));
  return { smartAccountEnabledNetworks: chains.filter((_, at) => enabled[at]).map((chain) => Number(chain.slice(7))) };
}
