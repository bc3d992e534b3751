/** Which kind of account its owner prefers: an ordinary one or a smart account. With EIP-7702 both have one address. */
import { isObject, type Data } from "../clean";
import type { Asked } from "../scripts";
import type { Store } from "../storage";
import { findAccount, type Account } from "./account";

export type AccountType = "eoa" | "smartAccount";

const KEPT = "accountType";

export const readType = (given: unknown): AccountType | undefined => (given === "eoa" || given === "smartAccount" ? given : undefined);

/** The owner's choice since the login. */
export const readKept = async (store: Store): Promise<AccountType | undefined> => readType(await store.get(KEPT));

/** Keeps a choice of the owner's for as long as the login lasts. */
export const keepType = (store: Store, type: AccountType): Promise<void> => store.put(KEPT, type);

/** What the account is for calls at once: nothing where its owner prefers an ordinary one. */
export async function findBatchAccount(asked: Pick<Asked, "addresses" | "node" | "chain" | "store">): Promise<Account> {
  const account = await findAccount(asked);
  return readType(await asked.store.get(KEPT)) === "eoa" ? { ...account, status: "unsupported" } : account;
}

/**
 * Tells the kind that is in use on a network, and what the account is there. A `default` of the site counts where the owner has chosen
 * none since the login; a `type` is the owner's choice.
 */
export async function readAccountType(asked: Asked): Promise<Data> {
  const given = Array.isArray(asked.params) ? asked.params[0] : undefined;
  const { type, default: usual } = isObject(given) ? given : {};
  const kept = await readKept(asked.store);
  const wanted = readType(type) ?? kept ?? readType(usual) ?? "smartAccount";
  if (wanted !== kept) await keepType(asked.store, wanted);
  const { status, foreign } = await findAccount(asked);
  return { type: status === "unsupported" ? "eoa" : wanted, status, foreign };
}
