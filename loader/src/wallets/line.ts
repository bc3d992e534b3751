/** How a wallet is asked: one small interface, which each namespace fills in its own way. */
import { fail, plainError, REJECTED, TIMED_OUT, UNSUPPORTED } from "../errors";
import type { Namespace, Unchecked } from "../protocol";

/** How long a silent question, which shows the visitor nothing, may take, in ms. */
export const SILENT = 3000;
/** EIP-1193: the wallet is not on that chain. */
export const OTHER_CHAIN = 4901;
/** EIP-1193: the account is not open to this page. */
export const UNAUTHORIZED = 4100;

/** What a wallet grants: plain addresses, the active one first, and a CAIP-2 reference. Unchecked. */
export type Grant = { accounts: string[]; chain: string };

/** One wallet in one namespace. `chain` is the CAIP-2 reference that is meant, "" when none is. */
export type Line = {
  /** Asks the visitor. */
  _connect(chain: string): Promise<Grant>;
  /** What was granted on an earlier visit; never asks the visitor. Null: nothing, or the wallet has no way to say so silently. */
  _recall(chain: string): Promise<Grant | null>;
  /** What is granted now to a page that has asked; never asks the visitor. */
  _now(chain: string): Promise<Grant | null>;
  /** `params` and the answer are those of the WalletConnect namespace. */
  _request(method: string, params: Unchecked, chain: string): Promise<unknown>;
  /** Calls `changed` for each event after which the wallet should be asked what it grants, `gone` when it is not connected any more. */
  _listen(changed: () => void, gone: () => void): void;
  _disconnect(): Promise<unknown>;
};

/** One namespace. */
export type Adapter = {
  _namespace: Namespace;
  /** The form of an address; the server checks the rest. */
  _address: RegExp;
  /** Wallet Standard chains that belong here. */
  _chains?: RegExp;
  /** How a provider that the host brings, or a Wallet Standard wallet, is asked; undefined when it cannot be. */
  _line(provider: Unchecked): Line | undefined;
  /** Begins to look for the wallets of conventions that only this namespace has. */
  _discover?(): void;
};

/** Does some work; survives work that throws at once, returns no promise, answers twice, or never. */
export function within<T>(timeout: number, work: () => T | Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(fail(TIMED_OUT, "No answer in time")), timeout);
    (async () => work())().then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Outside eip155 a refusal has no common code, only words; `codes` are those that the wallet's convention has for it. */
export async function refusable<T>(work: () => T | Promise<T>, ...codes: number[]): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = plainError(error);
    throw codes.includes(code) || /reject|declin|denied|cancel/i.test(message) ? fail(REJECTED, message) : error;
  }
}

/** The error of a request that the wallet has no means for. */
export const unsupported = () => fail(UNSUPPORTED, "The wallet does not support this method");
