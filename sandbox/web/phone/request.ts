/** A request on its way: what the app asked, what its owner is asked, and what happens on agreement. */
import { unauthorized } from "../wallet/errors";
import type { Question } from "../wallet/question";

/** What an app asked for. */
export interface Asked {
  readonly method: string;
  readonly params: unknown;
  /** CAIP-2 id of the network that it names. */
  readonly chain: string;
  /** The addresses that its session may use there, the one in use first. */
  readonly allowed: readonly string[];
  /** Move the session to another network, and tell the app. */
  readonly switchChain: (chain: string) => Promise<void>;
}

/** Checked, and ready to be put to the owner. */
export interface Prepared {
  readonly question: Question;
  /** Do it; only after the owner agreed. The value goes to the app. */
  readonly carryOut: () => Promise<unknown>;
}

/** Check a request; raises a ProviderRpcError, which goes to the app. */
export type Prepare = (asked: Asked) => Promise<Prepared>;

/** The account of an address that the session may use; raises 4100 for any other. The one in use where none is named. */
export function permitted<Account extends { readonly address: string }>(
  accounts: readonly Account[],
  { allowed }: Asked,
  address: unknown,
): Account {
  const wanted = address ?? allowed[0];
  const found = accounts.find((account) => account.address === wanted);
  if (found === undefined || !allowed.includes(found.address)) {
    throw unauthorized("The app has no permission for this account.");
  }
  return found;
}
