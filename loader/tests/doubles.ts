/** Wallets of the other namespaces, which a test can tell how to answer. */
import { vi } from "vitest";

export const SOLANA = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV";
export const SOLANA_OTHER = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM";
export const PAYMENT = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
export const TAPROOT = "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr";
export const POLKADOT = "15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5";
export const MAINNET = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
export const DEVNET = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
export const BITCOIN = "000000000019d6689c085ae165831e93";
export const RELAY = "91b171bb158e2d3848fa23a9f1c25182";

export const never = () => new Promise<never>(() => {});
export const refusal = (code: number, message: string) => Object.assign(new Error(message), { code });

export const register = (wallet: unknown) =>
  dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: (api: any) => api.register(wallet) }));

/** A Wallet Standard wallet whose accounts are granted only by a prompt. */
export class StandardWallet {
  name = "Sol";
  icon = "data:image/png;base64,AA==";
  chains = ["solana:mainnet"];
  accounts: { address: string; publicKey: Uint8Array; chains: string[] }[] = [];
  holds = [{ address: SOLANA, publicKey: new Uint8Array(32), chains: ["solana:mainnet"] }];
  /** Whether it knows this page from an earlier visit. */
  known = false;
  changes = new Set<() => void>();
  prompt = vi.fn(() => this.open());
  silent = vi.fn(() => (this.known ? this.open() : { accounts: this.accounts }));
  disconnect = vi.fn(() => this.change([]));
  open(): any {
    this.accounts = this.holds;
    return { accounts: this.accounts };
  }
  change(accounts: typeof this.holds) {
    this.accounts = accounts;
    this.changes.forEach((tell) => tell());
  }
  features: Record<string, any> = {
    "standard:connect": { connect: (input?: { silent?: boolean }) => (input?.silent ? this.silent() : this.prompt()) },
    "standard:disconnect": { disconnect: () => this.disconnect() },
    "standard:events": {
      on: (_event: string, tell: () => void) => {
        this.changes.add(tell);
        return () => this.changes.delete(tell);
      },
    },
  };
}

/** As above, with Bitcoin accounts. */
export class BitcoinStandardWallet extends StandardWallet {
  override name = "Bit";
  override chains = ["bitcoin:mainnet"];
  override holds = [TAPROOT, PAYMENT].map((address) => ({ address, publicKey: new Uint8Array([2, 255]), chains: ["bitcoin:mainnet"] }));
}

/** A wallet of `window.btc_providers`. */
export class RpcWallet {
  asked: string[] = [];
  tell: (() => void)[] = [];
  known = false;
  addresses = [
    { address: TAPROOT, publicKey: "02ff", purpose: "ordinals" },
    { address: PAYMENT, publicKey: "02ff", purpose: "payment" },
  ];
  answers: Record<string, (params: any) => unknown> = {
    getAddresses: () => {
      this.known = true;
      return { result: { addresses: this.addresses } };
    },
    wallet_getAccount: () => (this.known ? { result: { addresses: this.addresses } } : { error: { code: -32002, message: "Access denied" } }),
    wallet_disconnect: () => ({ result: null }),
  };
  request = async (method: string, params?: unknown) => {
    this.asked.push(method);
    return this.answers[method]?.(params) ?? { error: { code: -32601, message: "Method not found" } };
  };
  addListener = ({ eventName, cb }: { eventName: string; cb: () => void }) => {
    if (eventName == "accountChange") this.tell.push(cb);
    return () => {};
  };
}

/** A wallet like `window.unisat`. */
export class UnisatWallet {
  asked: string[] = [];
  known = false;
  listeners = new Map<string, () => void>();
  requestAccounts = async () => {
    this.asked.push("requestAccounts");
    this.known = true;
    return [PAYMENT];
  };
  getAccounts = async () => (this.known ? [PAYMENT] : []);
  signMessage = vi.fn(async () => "c2lnbmVk");
  sendBitcoin = vi.fn(async () => "txid");
  signPsbt = vi.fn(async () => "70736274ff01");
  pushPsbt = vi.fn(async () => "pushed");
  on = (event: string, listener: () => void) => this.listeners.set(event, listener);
}

/** An entry of `window.injectedWeb3`. */
export class PolkadotExtension {
  addresses = [POLKADOT];
  known = false;
  tell = () => {};
  signRaw = vi.fn(async (_payload: unknown) => ({ id: 1, signature: "0x" + "ab".repeat(64) }));
  enable = vi.fn(async (_origin: string): Promise<unknown> => ({
    accounts: {
      get: async () => [{ address: "0x" + "11".repeat(20) }, ...this.addresses.map((address) => ({ address }))],
      subscribe: (tell: () => void) => {
        this.tell = tell;
        return () => {};
      },
    },
    signer: { signRaw: this.signRaw },
  }));
  isAuthorized?: (origin: string) => unknown = () => this.known;
}
