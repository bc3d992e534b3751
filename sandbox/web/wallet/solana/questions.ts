/** What a transaction of Solana does, in plain words, for the person who decides. */
import { formatUnits } from "viem/utils";
import { base64, hex } from "@scure/base";
import { askChain } from "../gateway";
import type { Question } from "../question";
import { isObject } from "../shapes";
import type { Instruction, Transaction } from "./transaction";

export const CHAIN = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";

const TOKENS: ReadonlyMap<string, string> = new Map([
  ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", "USDC"],
  ["Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", "USDT"],
  ["mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So", "mSOL"],
  ["DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263", "BONK"],
]);
const DECIMALS = 9;
const SYSTEM = "11111111111111111111111111111111";
const TOKEN_PROGRAMS: readonly (string | undefined)[] = [
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
];
const HOLDINGS = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const BUDGET = "ComputeBudget111111111111111111111111111111";
const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";

type Facts = readonly (readonly [string, string])[];

/** The question about signing a transaction, and sending it or not. The fee is asked of the chain. */
export async function askTransaction(account: string, transaction: Transaction, sends: boolean): Promise<Question> {
  const facts = transaction.instructions.flatMap((instruction) => effect(instruction));
  const unknown = transaction.instructions.filter((instruction) => effect(instruction) === UNKNOWN);
  return {
    title: sends ? "Send this transaction?" : "Sign this transaction?",
    agree: sends ? "Send" : "Sign",
    facts: [
      ["Account", account],
      ...facts,
      ...unknown.map((one) => ["Program", `${one.program ?? "of a lookup table"}, ${one.data.length} bytes`] as const),
      ["Fee", await fee(transaction)],
    ],
    ...(!sends && { note: "The site gets the signed transaction, and can send it at once." }),
    ...(unknown.length > 0 && { warning: "This wallet cannot tell what all of it does." }),
  };
}

const UNKNOWN: Facts = [];

function effect({ program, accounts, data }: Instruction): Facts {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const known = (index: number) => accounts[index] ?? "of a lookup table";
  if (program === SYSTEM && data.length === 12 && view.getUint32(0, true) === 2) {
    return [
      ["Amount", `${formatUnits(view.getBigUint64(4, true), DECIMALS)} SOL`],
      ["To", known(1)],
    ];
  }
  if (TOKEN_PROGRAMS.includes(program) && data[0] === 12 && data.length === 10) {
    const amount = formatUnits(view.getBigUint64(1, true), data[9] ?? 0);
    return [
      ["Amount", `${amount} ${TOKENS.get(known(1)) ?? known(1)}`],
      ["To token account", known(2)],
    ];
  }
  if (TOKEN_PROGRAMS.includes(program) && data[0] === 3 && data.length === 9) {
    return [
      ["Amount", `${view.getBigUint64(1, true)} base units of a token`],
      ["To token account", known(1)],
    ];
  }
  if (program === HOLDINGS && data.length <= 1) return [["Makes a token account of", known(2)]];
  if (program === MEMO) return [["Memo", text(data)]];
  if (program === BUDGET) return [["Compute budget", budget(view)]];
  return UNKNOWN;
}

function text(data: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    return hex.encode(data);
  }
}

function budget(view: DataView): string {
  if (view.byteLength === 5 && view.getUint8(0) === 2) return `at most ${view.getUint32(1, true)} units`;
  if (view.byteLength === 9 && view.getUint8(0) === 3) return `${view.getBigUint64(1, true)} micro-lamports a unit`;
  return "set";
}

async function fee(transaction: Transaction): Promise<string> {
  const answer = await askChain(CHAIN, "getFeeForMessage", [base64.encode(transaction.message), { commitment: "confirmed" }]);
  const lamports = isObject(answer) ? answer.value : undefined;
  return typeof lamports === "number" ? `${formatUnits(BigInt(lamports), DECIMALS)} SOL` : "unknown: the transaction has expired";
}
