/** The script of accounts that are Safes, in the place of the one of smart accounts: fetched where the site's accounts are. */
import { text, type Data } from "./clean";
import type { Asked, Plan, SmartAccountTools } from "./scripts";
import { findAccount } from "./smart_account/account";
import { planCalls, planRevocation } from "./smart_account/batches";
import { readStatus } from "./smart_account/bundles";
import { readCapabilities } from "./smart_account/capabilities";
import { findStatus, readSafeType } from "./safe/account";
import { safeAddress } from "./safe/contracts";
import { planSafeOperation } from "./safe/operations";

export { enabledNetworks, setPreferredAccount, withSafe } from "./safe/account";
export { planRequest } from "./safe/signatures";
export { openOwn } from "./smart_account/batches";
export { readOpenDelegation as readDelegation } from "./smart_account/open_delegation";

/** Nothing would hold the limits of what a Safe or its owner delegates. */
export const isBounded = (): boolean => false;

/** Of the owner's own account, which stays as it is; and operations of the Safe. */
const PLANS: Record<string, (asked: Asked, tools: SmartAccountTools) => Promise<Plan>> = {
  wallet_sendCalls: planCalls,
  walletmodal_signUserOperation: planSafeOperation,
  walletmodal_revokeDelegation: planRevocation,
};

export function readSmartRequest(asked: Asked, tools: SmartAccountTools): Promise<Plan> {
  return (PLANS[asked.method] as (typeof PLANS)[string])(asked, tools);
}

const READS: Record<string, (asked: Asked, tools: SmartAccountTools) => Promise<Data>> = {
  wallet_getCapabilities: readOwnCapabilities,
  wallet_getCallsStatus: readStatus,
  walletmodal_accountType: readSafeType,
};

/** Answers what nobody has to agree to. */
export function readWallet(asked: Asked, tools: SmartAccountTools): Promise<Data> {
  return (READS[asked.method] as (typeof READS)[string])(asked, tools);
}

function readOwnCapabilities(asked: Asked, { keccak }: SmartAccountTools): Promise<Data> {
  const named = Array.isArray(asked.params) ? text(asked.params[0], 42)?.toLowerCase() : undefined;
  const isSafe = named === safeAddress(asked.addresses.evm, keccak);
  return readCapabilities(asked, isSafe ? async (one) => ({ status: await findStatus(one, keccak) }) : findAccount);
}
