/**
 * Entry of the bundle: `window.__startUnisatWallet(options)`; the tests' handle is then `window.__unisatWallet`.
 *
 * A Bitcoin wallet of the convention that UniSat began (`window.unisat`). No wallet of it is published, so its interface stands
 * here; keys, signed messages and PSBTs are those of bitcoinjs-lib, bitcoinjs-message and bip322-js.
 */
import * as secp256k1 from "@bitcoinerlab/secp256k1";
import { providerErrors, rpcErrors } from "@metamask/rpc-errors";
import { Signer } from "bip322-js";
import { Psbt, initEccLib, networks, payments } from "bitcoinjs-lib";
import { sign } from "bitcoinjs-message";
import { ECPairFactory, type ECPairInterface } from "ecpair";

import { Approvals, type Mode, type Question } from "../../wallet/src/approvals";
import { Memory } from "../../wallet/src/memory";

/** `keys`: private keys in hexadecimal, the first is the selected account; `place`: where on `window` the wallet sits. */
export type UnisatWalletOptions = { keys: string[]; place: string; mode?: Mode };

type Remembered = { permitted: boolean; locked: boolean; keys: string[] };
type Listener = (value: unknown) => void;
type PsbtOptions = { autoFinalized?: boolean; toSignInputs?: { index: number }[] };

/** What a test can do with the wallet, in values that cross from the test to the page. */
export type UnisatWalletHandle = {
  pending(): Question[];
  log(): Question[];
  approve(id?: number): void;
  reject(id?: number): void;
  setAccounts(keys: string[]): void;
  lock(locked: boolean): void;
  revoke(): void;
};

initEccLib(secp256k1);
const pairs = ECPairFactory(secp256k1);

class Wallet {
  readonly approvals: Approvals;
  private readonly memory: Memory<Remembered>;
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor({ keys, place, mode = "ask" }: UnisatWalletOptions) {
    this.approvals = new Approvals(mode);
    this.memory = new Memory(`${place} (the wallet's own)`, { permitted: false, locked: false, keys });
  }

  /** What a page finds. */
  provider(): Record<string, unknown> {
    return {
      requestAccounts: async () => {
        if (this.accounts().length === 0) {
          await this.approvals.ask("requestAccounts", null);
          this.change({ permitted: true, locked: false });
        }
        return this.accounts();
      },
      getAccounts: async () => this.accounts(),
      getPublicKey: async () => this.pair().publicKey.toString("hex"),
      getNetwork: async () => "livenet",
      getChain: async () => ({ enum: "BITCOIN_MAINNET", name: "Bitcoin Mainnet", network: "livenet" }),
      switchNetwork: async () => {
        throw rpcErrors.methodNotSupported({ message: "This wallet is on the main network only." });
      },
      getBalance: async () => ({ confirmed: 0, unconfirmed: 0, total: 0 }),
      signMessage: async (message: string, type: string = "ecdsa") => {
        const pair = this.pair();
        await this.approvals.ask("signMessage", { message, type });
        if (type === "bip322-simple") return Signer.sign(pair.toWIF(), addressOf(pair), message);
        return sign(message, pair.privateKey as Buffer, pair.compressed, { segwitType: "p2wpkh" }).toString("base64");
      },
      signPsbt: async (hex: string, options: PsbtOptions = {}) => {
        const pair = this.pair();
        const psbt = Psbt.fromHex(hex);
        await this.approvals.ask("signPsbt", { psbt: hex });
        const indexes = options.toSignInputs?.map(({ index }) => index) ?? psbt.data.inputs.map((_, index) => index);
        for (const index of indexes) {
          psbt.signInput(index, pair);
          if (options.autoFinalized ?? true) psbt.finalizeInput(index);
        }
        return psbt.toHex();
      },
      sendBitcoin: async (to: string, satoshis: number) => {
        this.pair();
        await this.approvals.ask("sendBitcoin", { to, satoshis });
        throw rpcErrors.internal({ message: "Insufficient balance." });
      },
      disconnect: async () => this.change({ permitted: false }),
      on: (event: string, listener: Listener) => void this.heard(event).add(listener),
      removeListener: (event: string, listener: Listener) => void this.heard(event).delete(listener),
    };
  }

  /** The owner changes something; the page hears of it when it sees something else than before. */
  change(change: Partial<Remembered>): void {
    const before = String(this.accounts());
    this.memory.write(change);
    if (String(this.accounts()) === before) return;
    for (const listener of this.heard("accountsChanged")) listener(this.accounts());
  }

  private accounts(): string[] {
    const { permitted, locked, keys } = this.memory.read();
    return permitted && !locked ? keys.slice(0, 1).map((key) => addressOf(pairOf(key))) : [];
  }

  private pair(): ECPairInterface {
    const [key] = this.memory.read().keys;
    if (key === undefined || this.accounts().length === 0) throw providerErrors.unauthorized();
    return pairOf(key);
  }

  private heard(event: string): Set<Listener> {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners);
    return listeners;
  }
}

const pairOf = (key: string): ECPairInterface => pairs.fromPrivateKey(Buffer.from(key, "hex"));

function addressOf({ publicKey }: ECPairInterface): string {
  const { address } = payments.p2wpkh({ pubkey: publicKey, network: networks.bitcoin });
  if (address === undefined) throw new Error("the key has no address");
  return address;
}

declare global {
  interface Window {
    __startUnisatWallet?: (options: UnisatWalletOptions) => void;
    __unisatWallet?: UnisatWalletHandle;
  }
}

window.__startUnisatWallet = (options) => {
  const wallet = new Wallet(options);
  Object.assign(window, { [options.place]: wallet.provider() });
  window.__unisatWallet = {
    pending: () => wallet.approvals.pending(),
    log: () => wallet.approvals.log,
    approve: (id) => wallet.approvals.approve(id),
    reject: (id) => wallet.approvals.reject(id),
    setAccounts: (keys) => wallet.change({ keys }),
    lock: (locked) => wallet.change({ locked }),
    revoke: () => wallet.change({ permitted: false }),
  };
};
