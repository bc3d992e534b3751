/**
 * Batches of calls (EIP-5792) and the account's assets (ERC-7811). Calls of an account of one key are transactions that follow one another;
 * of one whose code is the tests' executor (EIP-7702) they are one transaction of the account to itself. It has no permissions (ERC-7715),
 * for it could not hold anybody to them.
 */
import { JsonRpcError, providerErrors } from "@metamask/rpc-errors";
import { concat, decodeFunctionResult, encodeFunctionData, erc20Abi, numberToHex, size, toHex, type Address, type Hex, type RpcTransactionReceipt } from "viem";

import type { Approvals } from "./approvals";
import type { Keyring, Transaction } from "./keyring";
import { Memory } from "./memory";
import { askNode } from "./node";

/**
 * `tokens`: chain id → the ERC-20 tokens that the wallet shows beside the coin; `atomic`: its accounts have the executor's code;
 * `upgrade`: they would get it, but their owner does not want it.
 */
export type CallsOptions = { tokens: Record<number, Address[]>; atomic?: boolean; upgrade?: boolean };

type Owner = {
  approvals: Approvals;
  keyring: Keyring;
  accounts(): string[];
  chains(): Record<number, string>;
};

type Terms = Record<string, { optional?: boolean }>;
type Call = Omit<Transaction, "from"> & { capabilities?: Terms };
type Batch = { id?: string; from?: string; chainId: Hex; atomicRequired: boolean; calls: Call[]; capabilities?: Terms };
type Sent = { chain: number; calls: number; hashes: Hex[]; ended: boolean; atomic: boolean };

type Asset = { address: string; balance: Hex; type: string; metadata?: { name: string; symbol: string; decimals: number } };
type AssetRequest = {
  account: string;
  assetFilter?: Record<Hex, { address: string }[]>;
  assetTypeFilter?: string[];
  chainFilter?: Hex[];
};

const VERSION = "2.0.0";
const RECEIPT_MS = 50;

const refusals = {
  capability: () => new JsonRpcError(5700, "A capability is not supported that the batch insists on."),
  chain: () => new JsonRpcError(5710, "The network is not supported."),
  duplicate: () => new JsonRpcError(5720, "There is a batch of this id."),
  unknown: () => new JsonRpcError(5730, "There is no batch of this id."),
  upgrade: () => new JsonRpcError(5750, "The owner keeps the account as it is."),
  atomic: () => new JsonRpcError(5760, "Calls are not executed as one."),
};

export class Calls {
  private readonly memory: Memory<Record<string, Sent>>;

  constructor(
    private readonly owner: Owner,
    private readonly options: CallsOptions,
    place: string,
  ) {
    this.memory = new Memory<Record<string, Sent>>(place, {});
  }

  methods(): Record<string, (params: unknown[]) => Promise<unknown>> {
    return {
      wallet_getCapabilities: async (params) => this.capabilities(...(params as [string, Hex[]?])),
      wallet_sendCalls: ([batch]) => this.send(batch as Batch),
      wallet_getCallsStatus: ([id]) => this.status(id as string),
      wallet_getAssets: ([request]) => this.assets(request as AssetRequest),
    };
  }

  private capabilities(account: string, wanted?: Hex[]): Record<Hex, unknown> {
    this.authorize(account);
    const chains = this.chains().filter((chain) => wanted?.includes(chain) ?? true);
    const { atomic, upgrade } = this.options;
    const status = atomic ? "supported" : upgrade ? "ready" : "unsupported";
    return Object.fromEntries(chains.map((chain) => [chain, { atomic: { status }, assetDiscovery: { supported: true } }]));
  }

  private async send(batch: Batch): Promise<{ id: string }> {
    const { from = this.owner.accounts()[0] ?? "", id = toHex(crypto.getRandomValues(new Uint8Array(32))), calls } = batch;
    this.authorize(from);
    const chain = Number(batch.chainId);
    this.url(chain);
    if (batch.atomicRequired && !this.options.atomic) throw this.options.upgrade ? refusals.upgrade() : refusals.atomic();
    if ([batch, ...calls].some(({ capabilities }) => insists(capabilities))) throw refusals.capability();
    if (this.memory.read()[id]) throw refusals.duplicate();
    await this.owner.approvals.ask("wallet_sendCalls", [batch]);
    void this.make(id, from, chain, this.options.atomic ? [asOne(from, calls)] : calls);
    return { id };
  }

  /** Makes the calls in their order; one that fails is the last. */
  private async make(id: string, from: string, chain: number, calls: Call[]): Promise<void> {
    const url = this.url(chain);
    const hashes: Hex[] = [];
    const keep = (ended: boolean) => this.memory.write({ [id]: { chain, calls: calls.length, hashes, ended, atomic: this.options.atomic === true } });
    keep(false);
    try {
      for (const call of calls) {
        const hash = await this.owner.keyring.send({ ...call, from }, chain, url);
        hashes.push(hash);
        keep(false);
        if ((await mined(url, hash)).status !== "0x1") break;
      }
    } catch {
      // The node has not taken a call: the page has its id already, so the batch's status says it.
    }
    keep(true);
  }

  private async status(id: string): Promise<unknown> {
    const sent = this.memory.read()[id];
    if (!sent) throw refusals.unknown();
    const found = await Promise.all(sent.hashes.map((hash) => receiptOf(this.url(sent.chain), hash)));
    const receipts = found.filter((receipt) => receipt !== null);
    return {
      version: VERSION,
      id,
      chainId: toHex(sent.chain),
      atomic: sent.atomic,
      status: statusOf(sent, receipts),
      ...(receipts.length && { receipts: receipts.map(shown) }),
    };
  }

  private async assets({ account, assetFilter, assetTypeFilter, chainFilter }: AssetRequest): Promise<Record<Hex, Asset[]>> {
    this.authorize(account);
    const chains = this.chains().filter((chain) => chainFilter?.includes(chain) ?? true);
    const wanted = (chain: Hex, { address, type }: Asset) =>
      (assetTypeFilter?.includes(type) ?? true) && (!assetFilter || (assetFilter[chain] ?? []).some((one) => one.address === address));
    const found = chains.map(async (chain) => {
      const held = await this.held(account, Number(chain));
      return [chain, held.filter((asset) => wanted(chain, asset))] as const;
    });
    return Object.fromEntries(await Promise.all(found));
  }

  /** What the account has on a network, by its node. */
  private async held(account: string, chain: number): Promise<Asset[]> {
    const url = this.url(chain);
    const balance = (await askNode(url, "eth_getBalance", [account, "latest"])) as Hex;
    const tokens = (this.options.tokens[chain] ?? []).map((address) => tokenOf(url, address, account as Address));
    return [{ address: "native", balance, type: "native" }, ...(await Promise.all(tokens))];
  }

  private chains(): Hex[] {
    return Object.keys(this.owner.chains()).map((chain) => toHex(Number(chain)));
  }

  private url(chain: number): string {
    const url = this.owner.chains()[chain];
    if (!url) throw refusals.chain();
    return url;
  }

  private authorize(account: string): void {
    if (!this.owner.accounts().includes(account.toLowerCase())) throw providerErrors.unauthorized();
  }
}

const insists = (terms: Terms = {}) => Object.values(terms).some(({ optional }) => optional !== true);

/** One call of the account's own code; of each call: the receiver, the value, how long the data is, and the data. */
function asOne(from: string, calls: Call[]): Call {
  const words = calls.map(({ to = "0x", value = "0x0", data = "0x" }) => [
    to,
    numberToHex(BigInt(value), { size: 32 }),
    numberToHex(size(data), { size: 32 }),
    data,
  ]);
  return { to: from as Address, data: concat(words.flat() as Hex[]) };
}

const receiptOf = (url: string, hash: Hex) => askNode(url, "eth_getTransactionReceipt", [hash]) as Promise<RpcTransactionReceipt | null>;

async function mined(url: string, hash: Hex): Promise<RpcTransactionReceipt> {
  for (;;) {
    const receipt = await receiptOf(url, hash);
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_MS));
  }
}

function statusOf({ calls, ended }: Sent, receipts: RpcTransactionReceipt[]): number {
  const done = receipts.filter(({ status }) => status === "0x1").length;
  if (!ended) return 100;
  if (done === calls) return 200;
  if (!receipts.length) return 400;
  return done ? 600 : 500;
}

function shown({ logs, status, blockHash, blockNumber, gasUsed, transactionHash }: RpcTransactionReceipt): unknown {
  const kept = logs.map(({ address, data, topics }) => ({ address, data, topics }));
  return { logs: kept, status, blockHash, blockNumber, gasUsed, transactionHash };
}

async function tokenOf(url: string, address: Address, account: Address): Promise<Asset> {
  const call = async (data: Hex) => (await askNode(url, "eth_call", [{ to: address, data }, "latest"])) as Hex;
  const text = async (functionName: "name" | "symbol") =>
    decodeFunctionResult({ abi: erc20Abi, functionName, data: await call(encodeFunctionData({ abi: erc20Abi, functionName })) });
  const [name, symbol, decimals, balance] = await Promise.all([
    text("name"),
    text("symbol"),
    call(encodeFunctionData({ abi: erc20Abi, functionName: "decimals" })),
    call(encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] })),
  ]);
  return { address, balance: toHex(BigInt(balance)), type: "erc20", metadata: { name, symbol, decimals: Number(decimals) } };
}
