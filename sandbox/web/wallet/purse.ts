/** One namespace of the wallet: its accounts, which of them the owner chose, and whether the page may see that one. */
import { Emitter } from "./emitter";
import { unauthorized } from "./errors";
import { type Question, askConnect } from "./question";
import type { Namespace, Store } from "./store";

/** Whoever asks the owner; resolves on agreement, rejects with 4001 on refusal. */
export type Ask = (question: Question, from: Purse) => Promise<void>;

export interface KeptAccount {
  readonly address: string;
}

/** What a purse is of. */
export interface PurseKind<Account extends KeptAccount> {
  readonly namespace: Namespace;
  /** As people say it: "Bitcoin". */
  readonly label: string;
  readonly accounts: readonly [Account, ...Account[]];
  /** What an account shows of itself when a page wants to see it; its address when left out. */
  readonly facts?: (account: Account) => Question["facts"];
}

/** Tells of the account that the page may see, or of none, as `accountsChanged`. */
export class Purse<Account extends KeptAccount = KeptAccount> extends Emitter {
  readonly namespace: Namespace;
  readonly label: string;
  readonly accounts: readonly [Account, ...Account[]];
  readonly #facts: () => Question["facts"];
  readonly #ask: Ask;
  #told: Account | undefined;
  #asking: Promise<void> | undefined;

  constructor(
    protected readonly store: Store,
    ask: Ask,
    kind: PurseKind<Account>,
  ) {
    super();
    ({ namespace: this.namespace, label: this.label, accounts: this.accounts } = kind);
    this.#facts = () => kind.facts?.(this.chosen) ?? [["Account", this.chosen.address]];
    this.#ask = ask;
    this.#told = this.exposed;
    store.on("changed", () => {
      if (this.exposed === this.#told) return;
      this.#told = this.exposed;
      this.emit("accountsChanged", this.exposed ? [this.exposed.address] : []);
    });
  }

  get chosen(): Account {
    return this.accounts[this.#kept.account] ?? this.accounts[0];
  }

  get chosenIndex(): number {
    return this.accounts.indexOf(this.chosen);
  }

  /** Whether the owner let this page see an account, be the wallet locked or not. */
  get connected(): boolean {
    return this.#kept.connected;
  }

  get locked(): boolean {
    return this.store.memory.locked;
  }

  /** What the page may see now. */
  get exposed(): Account | undefined {
    return this.connected && !this.locked ? this.chosen : undefined;
  }

  /** Ask the owner something that concerns this namespace. */
  ask(question: Question): Promise<void> {
    return this.#ask(question, this);
  }

  /**
   * Let the page see the chosen account, if the owner agrees: once, however often the page asks meanwhile.
   *
   * Rejects with 4001 when the owner refuses.
   */
  async connect(): Promise<Account> {
    if (this.exposed === undefined) {
      this.#asking ??= this.ask(askConnect(this.#facts())).finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
      this.store.updatePurse(this.namespace, { connected: true }, { locked: false });
    }
    return this.chosen;
  }

  /** Take the page's permission away. */
  disconnect(): void {
    if (this.connected) this.store.updatePurse(this.namespace, { connected: false });
  }

  choose(index: number): void {
    if (this.accounts[index] !== undefined) this.store.updatePurse(this.namespace, { account: index });
  }

  /** The account of an address that the page may use; raises 4100 for any other. */
  permitted(address: string): Account {
    if (this.exposed?.address !== address) {
      throw unauthorized("The page has no permission for this account, or the wallet is locked.");
    }
    return this.exposed;
  }

  get #kept(): { account: number; connected: boolean } {
    return this.store.memory.purses[this.namespace];
  }
}
