/** Solana's transactions in words: the instructions that move coins and tokens; others by their program. */
import { hex } from "../bytes";
import type { Row, Section } from "../cards/card";
import { t } from "../language";
import { baseUnits, coins, dataLabel, sendTitle, units } from "./amounts";
import { readText, reveal } from "./texts";
import type { Instruction, SolanaMessage } from "./solana_transactions";

const UNKNOWN = t`It calls a program that cannot be read here. It may move anything that this account signs for.`;
const AUTHORITY = t`It gives away the control of an account.`;
const ALLOWANCE = t`It lets somebody else take tokens from your account.`;
const BURN = t`It destroys tokens of yours.`;
const TABLED = t`It names an account by its place in a table on the chain. Who that is cannot be read here.`;
const FOREIGN_PAYER = t`Somebody else pays for it.`;

const SYSTEM = "11111111111111111111111111111111";
const TOKENS = new Set(["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"]);
const ASSOCIATED = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL";
const MEMOS = new Set(["MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"]);
const BUDGET = "ComputeBudget111111111111111111111111111111";

const LAMPORTS_PER_SIGNATURE = 5000n;
const DEFAULT_UNITS = 200_000n;
const MOST_UNITS = 1_400_000n;
const MICRO = 1_000_000n;

type Read = [title: string, rows: Row[], warning?: string];

/** Reads what one transaction does for `account`; `spell` writes addresses. */
export function readTransactionSections(message: SolanaMessage, account: string, chain: string, spell: (key: Uint8Array) => string) {
  const name = (at: number | undefined): string => {
    const key = at === undefined ? undefined : message.keys[at];
    return key ? spell(key) : t`an account from a table`;
  };
  const warnings = new Set<string>();
  const sections: Section[] = [];
  for (const one of message.instructions) {
    const program = name(one.program);
    if (program === BUDGET) continue;
    const [title, rows, warning] = readInstruction(one, program, chain, name);
    if (warning) warnings.add(warning);
    if (one.accounts.some((at) => at >= message.keys.length) && warning !== UNKNOWN) warnings.add(TABLED);
    sections.push({ title, rows });
  }
  const ours = name(0) === account;
  if (!ours) warnings.add(FOREIGN_PAYER);
  return { sections, warnings, fee: ours ? fee(message, name) : 0n };
}

/** Lamports that the network takes at most. */
function fee(message: SolanaMessage, name: (at: number) => string): bigint {
  const budget = message.instructions.filter((one) => name(one.program) === BUDGET);
  const value = (kind: number, size: number) =>
    budget.filter(({ data }) => data[0] === kind && data.length === size).map(({ data }) => little(data, 1, size - 1));
  const largest = (found: bigint[]) => found.reduce((most, one) => (one > most ? one : most), 0n);
  const asked = largest(value(2, 5)) || DEFAULT_UNITS * BigInt(message.instructions.length - budget.length);
  const limit = asked > MOST_UNITS ? MOST_UNITS : asked;
  const queue = (limit * largest(value(3, 9)) + MICRO - 1n) / MICRO;
  return LAMPORTS_PER_SIGNATURE * BigInt(message.signers) + queue;
}

function readInstruction(one: Instruction, program: string, chain: string, name: (at: number | undefined) => string): Read {
  const { data, accounts } = one;
  const account = (label: string, at: number) => code(label, name(accounts[at]));
  const unknown: Read = [t`Program call`, [code(t`Program`, program), code(dataLabel(data), short(data))], UNKNOWN];
  if (program === SYSTEM) {
    const kind = data.length >= 4 ? little(data, 0, 4) : -1n;
    if (kind === 2n && data.length === 12) {
      return [sendTitle(coins(chain, little(data, 4, 8))), [account(t`From`, 0), account(t`To`, 1)]];
    }
    if (kind === 0n && data.length === 52) {
      const paid = { label: t`Pays`, value: coins(chain, little(data, 4, 8)) };
      return [t`Open an account`, [account(t`Account`, 1), paid]];
    }
    if (kind === 1n && data.length === 36) return [t`Hand over the account`, [account(t`Account`, 0)], AUTHORITY];
    return unknown;
  }
  if (TOKENS.has(program)) return readToken(data, account) ?? unknown;
  if (program === ASSOCIATED && (!data.length || (data.length === 1 && (data[0] as number) < 2))) {
    return [t`Open a token account`, [account(t`For`, 2), account(t`Token`, 3)]];
  }
  if (MEMOS.has(program)) {
    const text = readText(data);
    return [t`Write a note`, [text === null ? code(t`Note`, short(data)) : { label: t`Note`, value: reveal(text) }]];
  }
  return unknown;
}

function readToken(data: Uint8Array, account: (label: string, at: number) => Row): Read | null {
  const kind = data[0];
  const checked = kind === 12 || kind === 13 || kind === 15;
  const amount = data.length >= 9 ? little(data, 1, 8) : 0n;
  const words = checked ? units(amount, data[9] ?? 0) : baseUnits(amount);
  const much = { label: t`Amount`, value: amount === 2n ** 64n - 1n ? t`unlimited` : words };
  const size = checked ? 10 : 9;
  if ((kind === 3 || kind === 12) && data.length === size) {
    const token = checked ? [account(t`Token`, 1)] : [];
    return [t`Send a token`, [much, account(t`From token account`, 0), account(t`To token account`, checked ? 2 : 1), ...token]];
  }
  if ((kind === 4 || kind === 13) && data.length === size) {
    return [t`Allow spending`, [account(t`Spender`, checked ? 2 : 1), much], ALLOWANCE];
  }
  if ((kind === 8 || kind === 15) && data.length === size) return [t`Destroy tokens`, [much, account(t`Token account`, 0)], BURN];
  if (kind === 5) return [t`Take back an allowance`, [account(t`Token account`, 0)]];
  if (kind === 6) return [t`Hand over a token account`, [account(t`Account`, 0)], AUTHORITY];
  if (kind === 9) return [t`Close a token account`, [account(t`Account`, 0), account(t`What is left goes to`, 1)]];
  if (kind === 17) return [t`Count wrapped coins`, [account(t`Account`, 0)]];
  return null;
}

const code = (label: string, value: string): Row => ({ label, value, tone: "code" });

const short = (data: Uint8Array): string => `0x${hex(data.subarray(0, 512))}${data.length > 512 ? "…" : ""}`;

function little(data: Uint8Array, at: number, length: number): bigint {
  return data.subarray(at, at + length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
}
