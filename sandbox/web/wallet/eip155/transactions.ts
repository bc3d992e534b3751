/** Transactions: checked, filled in from the chain, signed, sent through the gateway. */
import type { Address, Hex } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { toHex } from "viem/utils";
import { ProviderRpcError, invalidParams } from "../errors";
import { askChain, askQuantity } from "../gateway";
import { type JsonObject, isObject } from "../shapes";
import { address, bytes, chainId, quantity } from "./shapes";

/** What the page asked for, checked. Amounts in base units. */
export interface WantedTransaction {
  readonly from: Address;
  readonly to: Address | undefined;
  readonly value: bigint;
  readonly data: Hex | undefined;
  readonly gas: bigint | undefined;
  readonly nonce: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
}

/** Ready to be signed. */
export interface FilledTransaction {
  readonly type: "eip1559";
  readonly chainId: number;
  readonly nonce: number;
  readonly gas: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly value: bigint;
  readonly to?: Address;
  readonly data?: Hex;
}

/** Check the object of eth_sendTransaction; raises -32602 with the name of what is wrong. */
export function wantedTransaction(raw: JsonObject, currentChain: number): WantedTransaction {
  if (raw.chainId !== undefined && chainId(raw.chainId) !== currentChain) {
    throw invalidParams("chainId is another one than the wallet's current network.");
  }
  const to = raw.to === undefined || raw.to === null ? undefined : address(raw.to, "to");
  const data = bytes(raw.data, "data") ?? bytes(raw.input, "input");
  if (raw.data !== undefined && raw.input !== undefined && raw.data !== raw.input) {
    throw invalidParams("data and input differ.");
  }
  if (to === undefined && (data === undefined || data === "0x")) {
    throw invalidParams("A transaction without to must carry the data of a contract.");
  }
  const gasPrice = quantity(raw.gasPrice, "gasPrice");
  return {
    from: address(raw.from, "from"),
    to,
    data,
    value: quantity(raw.value, "value") ?? 0n,
    gas: quantity(raw.gas, "gas"),
    nonce: quantity(raw.nonce, "nonce"),
    maxFeePerGas: quantity(raw.maxFeePerGas, "maxFeePerGas") ?? gasPrice,
    maxPriorityFeePerGas: quantity(raw.maxPriorityFeePerGas, "maxPriorityFeePerGas") ?? gasPrice,
  };
}

/** Fill in nonce, gas and fees; raises the node's own error when it foresees a failure. */
export async function fillTransaction(wanted: WantedTransaction, chain: number): Promise<FilledTransaction> {
  const { from, to, data, value } = wanted;
  const caip2 = `eip155:${chain}`;
  const call = { from, value: toHex(value), ...(to && { to }), ...(data && { data }) };
  const [nonce, gas, tip, block] = await Promise.all([
    wanted.nonce ?? askQuantity(caip2, "eth_getTransactionCount", [from, "pending"]),
    wanted.gas ?? askQuantity(caip2, "eth_estimateGas", [call]),
    wanted.maxPriorityFeePerGas ?? askQuantity(caip2, "eth_maxPriorityFeePerGas", []),
    askChain(caip2, "eth_getBlockByNumber", ["latest", false]),
  ]);
  if (!isObject(block) || typeof block.baseFeePerGas !== "string") {
    throw new ProviderRpcError(-32603, "The node answered with a block without a base fee.");
  }
  // Twice the base fee keeps the transaction valid through six full blocks.
  const maxFeePerGas = wanted.maxFeePerGas ?? 2n * BigInt(block.baseFeePerGas) + tip;
  return {
    type: "eip1559",
    chainId: chain,
    nonce: Number(nonce),
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
    value,
    ...(to && { to }),
    ...(data && { data }),
  };
}

/** Sign and send; returns the transaction's hash. */
export async function sendTransaction(signer: PrivateKeyAccount, filled: FilledTransaction): Promise<unknown> {
  return askChain(`eip155:${filled.chainId}`, "eth_sendRawTransaction", [await signer.signTransaction(filled)]);
}
