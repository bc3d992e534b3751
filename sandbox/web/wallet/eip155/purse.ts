/** The wallet's side of eip155: accounts, and the networks that they are on. */
import type { Address } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { ProviderRpcError, disconnected, unauthorized } from "../errors";
import { askChain } from "../gateway";
import { type Ask, Purse } from "../purse";
import type { Store } from "../store";
import { ACCOUNTS, type TestAccount } from "./accounts";

/** A wallet for one page. Only what its owner agreed to through `ask` happens with keys, accounts and networks. */
export class EvmPurse extends Purse<TestAccount> {
  #reachable: boolean | undefined;

  constructor(store: Store, ask: Ask) {
    super(store, ask, { namespace: "eip155", label: "Ethereum", accounts: ACCOUNTS });
  }

  get chainId(): number {
    return this.store.memory.chainId;
  }

  get hexChainId(): string {
    return `0x${this.chainId.toString(16)}`;
  }

  get known(): readonly number[] {
    return this.store.memory.known;
  }

  /** The address that the page may see now, as a list. */
  get addresses(): Address[] {
    return this.exposed ? [this.exposed.address] : [];
  }

  switchChain(chainId: number): void {
    if (this.known.includes(chainId)) this.#change({ chainId });
  }

  learnChain(chainId: number): void {
    this.#change({ chainId, known: [...new Set([...this.known, chainId])] });
  }

  /** The signer for an address that the page may use; raises 4100 for any other. */
  signer(address: Address): PrivateKeyAccount {
    return privateKeyToAccount(this.permitted(address).key);
  }

  requireConnection(): void {
    if (this.exposed === undefined) throw unauthorized("Connect first: the page has no permission, or the wallet is locked.");
  }

  /** Ask the current chain; the first answer and the first silence are told as `connect` and `disconnect`. */
  async askCurrentChain(method: string, params: readonly unknown[]): Promise<unknown> {
    return this.watched(askChain(`eip155:${this.chainId}`, method, params));
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

  #change(change: Partial<Pick<Store["memory"], "chainId" | "known">>): void {
    const before = this.chainId;
    this.store.update(change);
    if (this.chainId !== before) this.emit("chainChanged", this.hexChainId);
  }

  #noteReachable(reachable: boolean): void {
    if (reachable === this.#reachable) return;
    const before = this.#reachable;
    this.#reachable = reachable;
    if (reachable) this.emit("connect", { chainId: this.hexChainId });
    else if (before === true) this.emit("disconnect", disconnected());
  }
}
