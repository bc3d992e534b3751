/**
 * Whether a request is approved in a window of this site's own: it takes more than the operator's amounts, or nobody here can tell how much.
 *
 * It is read in the bytes that are signed, as the server reads them during a hold (`spending.py`).
 */
import { hex } from "../bytes";
import { meta } from "../elements";
import { base58 } from "@scure/base";
import type { Plan } from "../scripts";
import { readMessage } from "../requests/solana_transactions";
import type { Item } from "../requests/rlp";
import { decode } from "../requests/rlp_reading";

/** Base units by asset: a coin by its network, a token by its contract or mint behind that. */
type Spending = Map<string, bigint>;

/** A transaction of Solana does not say for which network it is: all are measured as those of the main one. */
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
/** Functions of tokens whose one amount says all, by the number of their arguments. */
const TOKEN_CALLS: Record<string, number> = { a9059cbb: 2, "23b872dd": 3, "095ea7b3": 2, "39509351": 2 };
const SYSTEM = "11111111111111111111111111111111";
const TOKENS = /^Token(?:kegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA|zQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb)$/;
const MEMOS = /^Memo(?:Sq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr|1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo)$/;
const BUDGET = "ComputeBudget111111111111111111111111111111";
const [SIGNATURE_FEE, DEFAULT_UNITS, MOST_UNITS, MICRO] = [5000n, 200_000n, 1_400_000n, 1_000_000n];

/** Whether it is; messages are only when nobody can read them. */
export function isLarge({ transactions, summary }: Plan, chain: string): boolean {
  const limits = readLimits(meta("window-above"));
  if (!limits.size) return false;
  // What is signed as a text moves nothing by itself; of typed data nobody can tell what it gives away.
  if (!transactions) return summary.text === undefined || summary.unreadable === true;
  const spent = total(transactions.map((one) => spendingOf(one, chain)));
  return spent === null || [...spent].some(([asset, amount]) => amount > (limits.get(asset) ?? -1n));
}

/** What one transaction takes at most, its fee included; null where nobody can tell. */
export function spendingOf(payload: Uint8Array, chain: string): Spending | null {
  try {
    return chain.startsWith("eip155:") ? ofEthereum(payload) : ofSolana(payload);
  } catch {
    return null;
  }
}

function readLimits(text: string): Spending {
  return new Map(text.split(" ").filter(Boolean).map((part) => {
    const [asset = "", amount = "0"] = part.split("=");
    return [spell(asset), BigInt(amount)];
  }));
}

/** Addresses of Ethereum may be written in letters of any case, those of Solana in one way alone. */
const spell = (asset: string): string => (asset.startsWith("eip155:") ? asset.toLowerCase() : asset);

function total(found: (Spending | null)[]): Spending | null {
  const sums: Spending = new Map();
  for (const one of found) {
    if (!one) return null;
    for (const [asset, amount] of one) sums.set(asset, (sums.get(asset) ?? 0n) + amount);
  }
  return sums;
}

function ofEthereum(payload: Uint8Array): Spending | null {
  const dynamic = payload[0] === 2;
  const fields = decode(dynamic ? payload.subarray(1) : payload);
  if (fields instanceof Uint8Array || fields.length !== 9) return null;
  const [id, price, gas, to, value, data] = (dynamic ? [0, 3, 4, 5, 6, 7] : [6, 1, 2, 3, 4, 5]).map((at) => bytesOf(fields[at]));
  if (to!.length !== 20) return null;
  const chain = `eip155:${big(id!)}`;
  const spent: Spending = new Map([[chain, big(value!) + big(price!) * big(gas!)]]);
  if (!data!.length) return spent;
  const count = TOKEN_CALLS[hex(data!.subarray(0, 4))];
  if (!count || data!.length !== 4 + 32 * count) return null;
  return spent.set(`${chain}:0x${hex(to!)}`, big(data!.subarray(-32)));
}

function bytesOf(item: Item | undefined): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new RangeError("no bytes");
  return item;
}

const big = (bytes: Uint8Array): bigint => BigInt(`0x${hex(bytes) || "0"}`);

const little = (data: Uint8Array): bigint => data.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);

function ofSolana(payload: Uint8Array): Spending | null {
  const { keys, signers, instructions } = readMessage(payload);
  const name = (at: number | undefined) => {
    const key = at === undefined ? undefined : keys[at];
    return key && base58.encode(key);
  };
  const calls = instructions.map(({ program, accounts, data }) => ({ program: name(program) ?? "", accounts, data }));
  const budget = (kind: number, size: number) =>
    calls
      .filter(({ program, data }) => program === BUDGET && data[0] === kind && data.length === size)
      .map(({ data }) => little(data.subarray(1)))
      .reduce((most, one) => (one > most ? one : most), 0n);
  const asked = budget(2, 5) || DEFAULT_UNITS * BigInt(calls.filter(({ program }) => program !== BUDGET).length);
  const queue = ((asked > MOST_UNITS ? MOST_UNITS : asked) * budget(3, 9) + MICRO - 1n) / MICRO;
  const one = ({ program, accounts, data }: (typeof calls)[number]): Spending | null => {
    if (program === BUDGET || MEMOS.test(program)) return new Map();
    if (program === SYSTEM && data.length === 12 && little(data.subarray(0, 4)) === 2n) return new Map([[SOLANA, little(data.subarray(4))]]);
    const mint = name(accounts[1]);
    // Sent or allowed, with the mint named.
    const checked = TOKENS.test(program) && (data[0] === 12 || data[0] === 13) && data.length === 10;
    return checked && mint ? new Map([[`${SOLANA}:${mint}`, little(data.subarray(1, 9))]]) : null;
  };
  return total([new Map([[SOLANA, SIGNATURE_FEE * BigInt(signers) + queue]]), ...calls.map(one)]);
}
