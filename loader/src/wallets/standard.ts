/** Wallet Standard wallets: their features, accounts and events, of whatever namespace. */
import { UNAUTHORIZED, unsupported } from "./line";
import { fail } from "../errors";
import type { Unchecked } from "../protocol";
import { page } from "./page";

/** An account, before anything about it has been checked. */
export type StandardAccount = { address: string; publicKey?: ArrayLike<number>; chains?: readonly string[] };

const MAX_ACCOUNTS = 50;

/** Calls a method of a feature; raises when the wallet has no such feature. */
export async function use(wallet: Unchecked, feature: string, ...inputs: unknown[]): Promise<Unchecked> {
  const found = wallet.features[feature];
  const method = feature.slice(feature.indexOf(":") + 1);
  if (typeof found?.[method] != "function") throw unsupported();
  return found[method](...inputs);
}

/** Whether a wallet has a feature. */
export const has = (wallet: Unchecked, feature: string): boolean => !!wallet.features?.[feature];

/** The accounts of the namespace whose chains begin so; those that name no chains are told apart by their address. */
export function accountsOn(accounts: unknown, chains: RegExp, address: RegExp): StandardAccount[] {
  const all = (Array.isArray(accounts) ? accounts : []).slice(0, MAX_ACCOUNTS) as StandardAccount[];
  return all.filter(({ chains: served, address: text }) => (served?.length ? served.some((chain) => chains.test(chain)) : address.test(text)));
}

/** The account that a request names; of several unnamed ones the first. */
export function accountNamed(accounts: StandardAccount[], address: unknown): StandardAccount {
  const account = address ? accounts.find((one) => one.address === address) : accounts[0];
  if (!account) throw fail(UNAUTHORIZED, "The wallet has not opened that account to this page");
  return account;
}

/** Calls back whenever the accounts may have changed. */
export function listenStandard(wallet: Unchecked, changed: () => void): void {
  const off = wallet.features["standard:events"]?.on("change", changed);
  if (typeof off == "function") page.life.addEventListener("abort", () => off());
}
