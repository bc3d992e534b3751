/** The wallet behind the provider: what it knows, what its owner does, what pages may ask. */
import type { Address } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { ACCOUNTS } from "./accounts";
import type { Question } from "./describe";
import { Emitter } from "./emitter";
import { ProviderRpcError, disconnected, unauthorized } from "./errors";
import { askChain } from "./gateway";
import { Store } from "./store";

/** Whoever asks the owner; resolves on agreement, rejects with 4001 on refusal. */
export type Ask = (question: Question) => Promise<void>;

/** A wallet for one page. Only what its owner agreed to through `ask` happens with keys, accounts and networks. */
export class Wallet extends Emitter {
  readonly #store = new Store();
  #reachable: boolean | undefined;

  constructor(readonly ask: Ask) {
    super();
  }

  get account(): Address {
    return this.#signer.address;
  }

  get accountIndex(): number {
    return this.#store.memory.account;
  }

  get chainId(): number {
    return this.#store.memory.chainId;
  }

  get hexChainId(): string {
    return `0x${this.chainId.toString(16)}`;
  }

  get known(): readonly number[] {
    return this.#store.memory.known;
  }

  get locked(): boolean {
    return this.#store.memory.locked;
  }

  /** Whether the owner let this page see an account, be the wallet locked or not. */
  get connected(): boolean {
    return this.#store.memory.connected;
  }

  /** What the page may see now. */
  get exposed(): Address[] {
    return this.connected && !this.locked ? [this.account] : [];
  }

  /** Let the page see the chosen account. */
  connect(): void {
    this.#change({ connected: true, locked: false });
  }

  /** Take the page's permission away. */
  disconnect(): void {
    this.#change({ connected: false });
  }

  lock(locked: boolean): void {
    this.#change({ locked });
  }

  chooseAccount(index: number): void {
    if (ACCOUNTS[index] !== undefined) this.#change({ account: index });
  }

  switchChain(chainId: number): void {
    if (this.known.includes(chainId)) this.#change({ chainId });
  }

  learnChain(chainId: number): void {
    this.#change({ chainId, known: [...new Set([...this.known, chainId])] });
  }

  /** The signer for an address that the page may use; raises 4100 for any other. */
  signer(address: Address): PrivateKeyAccount {
    if (!this.exposed.includes(address)) {
      throw unauthorized("The page has no permission for this account, or the wallet is locked.");
    }
    return this.#signer;
  }

  requireConnection(): void {
    if (this.exposed.length === 0) throw unauthorized("Connect first: the page has no permission, or the wallet is locked.");
  }

  /** Ask the current chain; the first answer and the first silence are told as `connect` and `disconnect`. */
  async askCurrentChain(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.watched(askChain(this.chainId, method, params));
  }

  /** Wait for something that needs the chain, and notice whether the chain can be reached. */
  async watched<T>(work: Promise<T>): Promise<T> {
    try {
      const value = await work;
      this.#noteReachable(true);
      return value;
    } catch (error) {
      this.#noteReachable(!(error instanceof ProviderRpcError && error.code === disconnected().code));
      throw error;
    }
  }

  get #signer(): PrivateKeyAccount {
    const account = ACCOUNTS[this.accountIndex];
    if (account === undefined) throw new Error("the chosen account does not exist");
    return privateKeyToAccount(account.key);
  }

  #change(change: Parameters<Store["update"]>[0]): void {
    const [account, chainId] = [this.exposed.join(), this.chainId];
    this.#store.update(change);
    if (this.chainId !== chainId) this.emit("chainChanged", this.hexChainId);
    if (this.exposed.join() !== account) this.emit("accountsChanged", this.exposed);
    this.emit("changed", undefined);
  }

  #noteReachable(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    const before = this.#reachable;
    this.#reachable = reachable;
    if (reachable) this.emit("connect", { chainId: this.hexChainId });
    else if (before === true) this.emit("disconnect", disconnected());
  }
}
