/** An account on a network of its own, whose node answers as it is told: what the tests of smart accounts share. */
import { clean, type Data } from "../src/clean";
import { FrameError } from "../src/errors";
import { keccak } from "../src/keys";
import { hex, unhex } from "../src/bytes";
import { readRequest, readWallet } from "../src/requests";
import type { Asked, Plan } from "../src/scripts";
import { MemoryStore, type Store } from "../src/storage";
import { addresses, CORE, NO_API, ORIGIN } from "./requests";

export const HASH = `0x${"ab".repeat(32)}`;

/** What the page keeps. */
export let store: Store;
let networks = 0;

/** Begins on another network, with an empty store: networks that were asked once are not asked again. */
export function begin(): void {
  store = new MemoryStore();
  networks++;
  document.head.innerHTML = `<meta name="walletmodal-smart-accounts" content="${chain()} eip155:1">`;
}

export const chain = () => `eip155:${90_000 + networks}`;
export const refuse = () => new FrameError("execution reverted", 3, "rpc");

export interface World {
  code?: string;
  delegations?: boolean;
  /** Of every transaction, or of some by their hashes. */
  receipt?: Data | ((hash: string) => Data);
  sent?: string[];
  /** What refuses a transaction that is sent, by its place. */
  refused?: number;
  /** Gas of a call by its data; null where the network refuses to say. */
  gas?: (data: string) => string | null;
  /** Of the account's transactions. */
  count?: () => string;
  answers?: Record<string, Data>;
}

export function node({ code = "0x", delegations = true, receipt = null, sent = [], refused, gas, count = () => "0x5", answers: given = {} }: World): Asked["node"] {
  const answers: Record<string, (params: Data[]) => Data> = {
    eth_getCode: () => code,
    eth_getTransactionCount: count,
    eth_feeHistory: () => ({ baseFeePerGas: ["0x3b9aca00"], reward: [["0x5f5e100"]] }),
    eth_estimateGas: ([call]) => {
      const { authorizationList, data } = call as { authorizationList?: Data; data?: Data };
      if (authorizationList && !delegations) throw refuse();
      const told = gas?.(String(data ?? "0x"));
      if (told === null) throw refuse();
      return told ?? (data ? "0x30d40" : authorizationList ? "0xb3b1" : "0x5208");
    },
    eth_sendRawTransaction: ([raw]) => {
      if (sent.length === refused) throw refuse();
      sent.push(raw as string);
      return hashOf(raw as string);
    },
    eth_getTransactionReceipt: ([hash]) => (typeof receipt === "function" ? receipt(hash as string) : receipt),
  };
  return async (method, params) => {
    const answer = answers[method];
    if (method in given) return given[method] as Data;
    if (!answer) throw refuse();
    return answer(params as Data[]);
  };
}

export const hashOf = (raw: string) => `0x${hex(keccak(unhex(raw)))}`;

export const asked = (method: string, params: unknown, world: World): Asked => ({
  ...{ method, params: clean(params), chain: chain(), origin: ORIGIN, addresses, node: node(world), store, api: NO_API },
});
export const read = (method: string, params: unknown, world: World = {}): Promise<Plan> => readRequest(asked(method, params, world), CORE);
export const ask = (method: string, params: unknown, world: World = {}): Promise<Data> => readWallet(asked(method, params, world), CORE);

export const word = (value: bigint | string) => (typeof value === "string" ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, "0");
