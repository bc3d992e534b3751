/**
 * A browser wallet put together from MetaMask's published parts: its in-page provider, JSON-RPC engine, method checks and signing.
 * What is ours is the owner behind it: accounts, networks, permissions, and a test that answers its questions.
 */
import { createWalletMiddleware, type MessageParams, type TransactionParams } from "@metamask/eth-json-rpc-middleware";
import { SignTypedDataVersion } from "@metamask/eth-sig-util";
import { JsonRpcEngine } from "@metamask/json-rpc-engine";
import { createEngineStream } from "@metamask/json-rpc-middleware-stream";
import { initializeProvider } from "@metamask/providers";
import { providerErrors, rpcErrors } from "@metamask/rpc-errors";
import { pipeline } from "readable-stream";

import { Approvals, type Mode } from "./approvals";
import { Calls, type CallsOptions } from "./calls";
import { channel } from "./channel";
import { addressOf, Keyring, quantity, type Transaction } from "./keyring";
import { Memory, type Remembered } from "./memory";
import { Mischief } from "./mischief";
import { askNode } from "./node";

/**
 * `keys`: private keys, the first is the selected account; `chains`: chain id → RPC URL; `icon`: data URI; `calls`: only with it are there
 * batches and assets.
 */
export type WalletOptions = {
  keys: string[];
  chains: Record<number, string>;
  chainId: number;
  mode?: Mode;
  name?: string;
  rdns?: string;
  uuid?: string;
  icon?: string;
  announce?: boolean;
  onWindow?: boolean;
  calls?: CallsOptions;
};

const NODE_METHODS = /^(eth|net|web3)_[a-zA-Z]+$/;
const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='%23e2761b'/%3E%3C/svg%3E";

export class Wallet {
  readonly approvals: Approvals;
  readonly mischief: Mischief;
  private readonly memory: Memory<Remembered>;
  private readonly keyring: Keyring;
  private readonly calls: Calls | undefined;
  private readonly engine = new JsonRpcEngine();
  private readonly disconnect: () => void;

  constructor(options: WalletOptions) {
    const { keys, chains, chainId, name = "Test Wallet", rdns = "test.wallet.parts", uuid = crypto.randomUUID() } = options;
    this.approvals = new Approvals(options.mode ?? "ask");
    this.memory = new Memory(`${rdns} (the wallet's own)`, { permitted: false, locked: false, chainId, keys, chains, misdeeds: {} });
    this.keyring = new Keyring([...keys, ...this.memory.read().keys]);
    const { approvals, keyring } = this;
    const owner = { approvals, keyring, accounts: () => this.accounts(), chains: () => this.memory.read().chains };
    this.calls = options.calls && new Calls(owner, options.calls, `${rdns} (its batches)`);
    this.build();
    const [page, own] = channel();
    pipeline(own, createEngineStream({ engine: this.engine }), own, () => {});
    this.disconnect = () => page.destroy();
    const provider = initializeProvider({
      connectionStream: page,
      shouldSetOnWindow: options.onWindow ?? true,
      shouldSendMetadata: false,
      shouldShimWeb3: false,
      // Its console warnings are about pages that use old interfaces, and would drown what the tests look for.
      logger: { ...console, warn: () => {} },
      ...((options.announce ?? true) && { providerInfo: { uuid, name, rdns, icon: options.icon ?? ICON } }),
    });
    this.mischief = new Mischief(provider as unknown as ConstructorParameters<typeof Mischief>[0], {
      read: () => this.memory.read().misdeeds,
      write: (misdeeds) => this.memory.write({ misdeeds }),
    });
  }

  /** What the site may see: all accounts, or none. */
  accounts(): string[] {
    const { permitted, locked, keys } = this.memory.read();
    return permitted && !locked ? keys.map(addressOf) : [];
  }

  chainId(): number {
    return this.memory.read().chainId;
  }

  /** The owner picks other accounts in the wallet. */
  setAccounts(keys: string[]): void {
    this.keyring.add(keys);
    this.memory.write({ keys });
    this.tellAccounts();
  }

  /** The owner picks another network in the wallet; one without `url` must be known already. */
  setChain(chainId: number, url?: string): void {
    this.memory.write({ chainId, chains: url ? { ...this.memory.read().chains, [chainId]: url } : this.memory.read().chains });
    this.tellChain();
  }

  /** The owner deletes a network from the wallet. */
  forgetChain(chainId: number): void {
    const chains = { ...this.memory.read().chains };
    delete chains[chainId];
    this.memory.write({ chains });
  }

  lock(locked = true): void {
    this.memory.write({ locked });
    this.notify("metamask_unlockStateChanged", { accounts: this.accounts(), isUnlocked: !locked });
    this.tellAccounts();
  }

  /** The owner disconnects the site in the wallet. */
  revoke(): void {
    this.memory.write({ permitted: false });
    this.tellAccounts();
  }

  /** The extension is removed or updated under the page: its wire breaks. */
  vanish(): void {
    this.disconnect();
  }

  private build(): void {
    const methods = this.methods();
    this.engine.push((request, response, next, end) => {
      const method = methods[request.method];
      if (!method) return next();
      method((request.params ?? []) as unknown[]).then((result) => {
        response.result = (result ?? null) as never;
        end();
      }, end);
    });
    this.engine.push(this.signing());
    this.engine.push((request, response, _next, end) => {
      if (!NODE_METHODS.test(request.method)) return end(rpcErrors.methodNotFound({ message: `The method "${request.method}" is not available.` }));
      this.node(request.method, request.params).then((result) => {
        response.result = result as never;
        end();
      }, end);
    });
  }

  private methods(): Record<string, (params: unknown[]) => Promise<unknown>> {
    return {
      metamask_getProviderState: async () => ({
        accounts: this.accounts(),
        chainId: quantity(this.chainId()),
        networkVersion: String(this.chainId()),
        isUnlocked: !this.memory.read().locked,
        isConnected: true,
      }),
      eth_accounts: async () => this.accounts(),
      eth_chainId: async () => quantity(this.chainId()),
      net_version: async () => String(this.chainId()),
      eth_requestAccounts: (params) => this.permit("eth_requestAccounts", params),
      wallet_requestPermissions: async (params) => {
        await this.approvals.ask("wallet_requestPermissions", params);
        this.grant();
        return this.permissions();
      },
      wallet_getPermissions: async () => this.permissions(),
      wallet_revokePermissions: async () => this.revoke(),
      wallet_switchEthereumChain: (params) => this.switchChain(params),
      wallet_addEthereumChain: (params) => this.addChain(params),
      wallet_watchAsset: async (params) => {
        await this.approvals.ask("wallet_watchAsset", params);
        return true;
      },
      ...this.calls?.methods(),
    };
  }

  private signing(): ReturnType<typeof createWalletMiddleware> {
    const typed = (version: SignTypedDataVersion) => async (message: { from: string; data: unknown }) => {
      await this.approvals.ask(`eth_signTypedData${version === SignTypedDataVersion.V4 ? "_v4" : ""}`, message);
      return this.keyring.signTyped(message.from, message.data, version);
    };
    return createWalletMiddleware({
      getAccounts: async () => this.accounts(),
      processPersonalMessage: async (message: MessageParams) => {
        await this.approvals.ask("personal_sign", message);
        return this.keyring.signMessage(message.from, message.data);
      },
      processTypedMessage: typed(SignTypedDataVersion.V1),
      processTypedMessageV3: typed(SignTypedDataVersion.V3),
      processTypedMessageV4: typed(SignTypedDataVersion.V4),
      processTransaction: async (transaction: TransactionParams) => {
        await this.approvals.ask("eth_sendTransaction", transaction);
        return this.keyring.send(transaction as Transaction, this.chainId(), this.url());
      },
    });
  }

  private async permit(method: string, params: unknown[]): Promise<string[]> {
    if (this.accounts().length === 0) {
      await this.approvals.ask(method, params);
      this.grant();
    }
    return this.accounts();
  }

  private grant(): void {
    this.memory.write({ permitted: true, locked: false });
    this.tellAccounts();
  }

  private permissions(): unknown[] {
    const caveats = [{ type: "restrictReturnedAccounts", value: this.accounts() }];
    return this.memory.read().permitted ? [{ parentCapability: "eth_accounts", caveats }] : [];
  }

  private async switchChain(params: unknown[]): Promise<null> {
    const [{ chainId }] = params as [{ chainId: string }];
    const wanted = Number(chainId);
    if (!this.memory.read().chains[wanted]) throw providerErrors.custom({ code: 4902, message: `Unrecognized chain ID "${chainId}".` });
    if (wanted === this.chainId()) return null;
    await this.approvals.ask("wallet_switchEthereumChain", params);
    this.setChain(wanted);
    return null;
  }

  private async addChain(params: unknown[]): Promise<null> {
    const [{ chainId, rpcUrls }] = params as [{ chainId: string; rpcUrls: string[] }];
    const [url] = rpcUrls;
    if (!url) throw rpcErrors.invalidParams({ message: "rpcUrls is empty" });
    await this.approvals.ask("wallet_addEthereumChain", params);
    this.setChain(Number(chainId), url);
    return null;
  }

  private url(): string {
    const url = this.memory.read().chains[this.chainId()];
    if (!url) throw rpcErrors.internal({ message: `no RPC for chain ${this.chainId()}` });
    return url;
  }

  private async node(method: string, params: unknown): Promise<unknown> {
    return askNode(this.url(), method, params);
  }

  private tellAccounts(): void {
    this.notify("metamask_accountsChanged", this.accounts());
  }

  private tellChain(): void {
    const params = { chainId: quantity(this.chainId()), networkVersion: String(this.chainId()), isConnected: true };
    this.notify("metamask_chainChanged", params);
  }

  private notify(method: string, params: unknown): void {
    this.engine.emit("notification", { jsonrpc: "2.0", method, params });
  }
}
