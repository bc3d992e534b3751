/** Entry of the bundle: `window.__startWallet(options)`; the tests' handle is then `window.__wallet`. */
import type { Question } from "./approvals";
import type { Misdeed } from "./mischief";
import { Wallet, type WalletOptions } from "./wallet";

/** What a test can do with the wallet, in values that cross from the test to the page. */
export type WalletHandle = {
  pending(): Question[];
  log(): Question[];
  approve(id?: number): void;
  reject(id?: number): void;
  setAccounts(keys: string[]): void;
  setChain(chainId: number, url?: string): void;
  forgetChain(chainId: number): void;
  lock(locked?: boolean): void;
  revoke(): void;
  vanish(): void;
  misbehave(method: string, misdeed: Misdeed): void;
  repent(): void;
  calls(method: string): number;
  flood(event: string, value: unknown, times: number): void;
  accounts(): string[];
  chainId(): number;
};

declare global {
  interface Window {
    __startWallet?: (options: WalletOptions) => WalletHandle;
    __wallet?: WalletHandle;
  }
}

/** Wallets refuse to inject into frames, or cannot: ours does not either. */
const isPage = window.top === window;

window.__startWallet = (options) => {
  const wallet = new Wallet(options);
  const { approvals, mischief } = wallet;
  const handle: WalletHandle = {
    pending: () => approvals.pending(),
    log: () => approvals.log,
    approve: (id) => approvals.approve(id),
    reject: (id) => approvals.reject(id),
    setAccounts: (keys) => wallet.setAccounts(keys),
    setChain: (chainId, url) => wallet.setChain(chainId, url),
    forgetChain: (chainId) => wallet.forgetChain(chainId),
    lock: (locked) => wallet.lock(locked),
    revoke: () => wallet.revoke(),
    vanish: () => wallet.vanish(),
    misbehave: (method, misdeed) => mischief.plan(method, misdeed),
    repent: () => mischief.repent(),
    calls: (method) => mischief.calls(method),
    flood: (event, value, times) => mischief.flood(event, value, times),
    accounts: () => wallet.accounts(),
    chainId: () => wallet.chainId(),
  };
  window.__wallet ??= handle;
  return handle;
};
if (!isPage) delete window.__startWallet;
