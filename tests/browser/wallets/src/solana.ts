/**
 * Entry of the bundle: `window.__startSolanaWallet(options)`; the tests' handle is then `window.__solanaWallet`.
 *
 * The wallet is the burner adapter of the Solana wallet adapters (real ed25519 keys), wrapped and registered by their packages
 * for the Wallet Standard. What is ours is its owner: which key it has, what it remembers of a site, and a test that answers.
 */
import { UnsafeBurnerWalletAdapter } from "@solana/wallet-adapter-unsafe-burner";
import type { WalletName } from "@solana/wallet-adapter-base";
import { SolanaWalletAdapterWallet } from "@solana/wallet-standard-wallet-adapter-base";
import { Keypair, type Transaction, type TransactionVersion, type VersionedTransaction } from "@solana/web3.js";
import { registerWallet } from "@wallet-standard/wallet";

import { Approvals, type Mode, type Question } from "../../wallet/src/approvals";
import { Memory } from "../../wallet/src/memory";

/** `seeds`: ed25519 seeds in hexadecimal, the first is the selected account; `rpc`: URL of the chain's node. */
export type SolanaWalletOptions = { seeds: string[]; rpc: string; name: string; mode?: Mode };

type StandardWallet = Parameters<typeof registerWallet>[0];
type SignInInput = Parameters<UnsafeBurnerWalletAdapter["signIn"]>[0];
type Remembered = { permitted: boolean; locked: boolean; seeds: string[] };

/** What a test can do with the wallet, in values that cross from the test to the page. */
export type SolanaWalletHandle = {
  pending(): Question[];
  log(): Question[];
  approve(id?: number): void;
  reject(id?: number): void;
  setAccounts(seeds: string[]): void;
  lock(locked: boolean): void;
  revoke(): void;
};

class Wallet extends UnsafeBurnerWalletAdapter {
  readonly approvals: Approvals;
  private readonly memory: Memory<Remembered>;

  constructor({ name, seeds, mode = "ask" }: SolanaWalletOptions) {
    super();
    this.name = name as WalletName<"Burner Wallet">;
    this.approvals = new Approvals(mode);
    this.memory = new Memory(`${name} (the wallet's own)`, { permitted: false, locked: false, seeds });
    this.show();
  }

  override async connect(): Promise<void> {
    await this.approvals.ask("connect", null);
    this.memory.write({ permitted: true, locked: false });
    this.show();
  }

  override async disconnect(): Promise<void> {
    this.revoke();
  }

  override async signTransaction<T extends Transaction | VersionedTransaction>(transaction: T): Promise<T> {
    const version: TransactionVersion = "version" in transaction ? transaction.version : "legacy";
    await this.approvals.ask("signTransaction", { version });
    return super.signTransaction(transaction);
  }

  override async signMessage(message: Uint8Array): Promise<Uint8Array> {
    await this.approvals.ask("signMessage", { message: new TextDecoder().decode(message) });
    return super.signMessage(message);
  }

  override async signIn(input: SignInInput): ReturnType<UnsafeBurnerWalletAdapter["signIn"]> {
    await this.approvals.ask("signIn", input ?? null);
    return super.signIn(input);
  }

  /** The owner picks another account in the wallet. */
  setAccounts(seeds: string[]): void {
    this.memory.write({ seeds });
    this.show();
  }

  lock(locked: boolean): void {
    this.memory.write({ locked });
    this.show();
  }

  /** The owner, or the site, ends the connection. */
  revoke(): void {
    this.memory.write({ permitted: false });
    this.show();
  }

  /** Let the site see what it may: the selected account, or none. */
  private show(): void {
    const { permitted, locked, seeds } = this.memory.read();
    const [seed] = seeds;
    const keypair = permitted && !locked && seed !== undefined ? Keypair.fromSeed(bytes(seed)) : null;
    // The burner has no other way to get a key that is not a fresh one.
    (this as unknown as { _keypair: Keypair | null })._keypair = keypair;
    if (keypair) this.emit("connect", keypair.publicKey);
    else this.emit("disconnect");
  }
}

/** The package wraps the adapter's sign-in and then leaves it out of what the wallet says that it can. */
class SigningIn extends SolanaWalletAdapterWallet {
  constructor(
    private readonly own: Wallet,
    rpc: string,
  ) {
    super(own, "solana:mainnet", rpc);
  }

  override get features(): SolanaWalletAdapterWallet["features"] {
    const signIn = (...inputs: SignInInput[]) => Promise.all(inputs.map((input) => this.own.signIn(input)));
    return { ...super.features, ...{ "solana:signIn": { version: "1.0.0", signIn } } };
  }
}

const bytes = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));

declare global {
  interface Window {
    __startSolanaWallet?: (options: SolanaWalletOptions) => void;
    __solanaWallet?: SolanaWalletHandle;
  }
}

window.__startSolanaWallet = (options) => {
  const { warn } = console;
  // The burner warns of itself, and would drown what the tests look for.
  console.warn = () => {};
  const wallet = new Wallet(options);
  console.warn = warn;
  // Its types were written for a compiler that does not tell absent from undefined.
  registerWallet(new SigningIn(wallet, options.rpc) as unknown as StandardWallet);
  window.__solanaWallet = {
    pending: () => wallet.approvals.pending(),
    log: () => wallet.approvals.log,
    approve: (id) => wallet.approvals.approve(id),
    reject: (id) => wallet.approvals.reject(id),
    setAccounts: (seeds) => wallet.setAccounts(seeds),
    lock: (locked) => wallet.lock(locked),
    revoke: () => wallet.revoke(),
  };
};
