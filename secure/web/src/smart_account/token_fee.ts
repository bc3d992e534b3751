/**
 * The network fee that a paymaster takes in a token: what the operation itself allows it for that, and the terms that its contract reads
 * out of it. A paymaster whose terms are not these calls' is refused. What is allowed one whose terms cannot be read is shown as the allowance that it is.
 */
import { hex, type Bytes } from "../bytes";
import type { Row } from "../cards/card";
import { t } from "../language";
import type { Call } from "../requests/calls";

/** Pimlico's singleton paymaster for entry point 0.7. */
const SINGLETON = "0x777777777777aec03fd955926dbf81597e66834c";
const TOKEN_MODE = 1;
const APPROVE = "095ea7b3";
/** `approve`, `increaseAllowance`. */
const ALLOWING = [APPROVE, "39509351"];
const UNLIMITED = 2n ** 96n - 1n;
const COIN = 10n ** 18n;

export interface TokenFee {
  rows: Row[];
  /** The calls that are not for the fee. */
  calls: Call[];
}

interface Paying {
  paymaster: string;
  paymasterData: Bytes;
  /** The most that the operation costs, and a unit of its gas. */
  cost: bigint;
  maxFeePerGas: bigint;
}

interface Allowance {
  token: string;
  amount: bigint;
  rest: Call[];
}

/** Reads the fee that an operation pays in a token; null where it pays in none. */
export function readTokenFee(paying: Paying, calls: readonly Call[], checksummed: (address: string) => string, wrong: (what: string) => Error): TokenFee | null {
  const allowance = readAllowance(paying.paymaster.toLowerCase(), calls);
  const terms = readTerms(paying, wrong);
  if (!terms) return null;
  if (!allowance) throw wrong("its paymaster takes a token without a limit in these calls");
  if (terms.token !== allowance.token) throw wrong("its paymaster takes another token than these calls allow");
  if (terms.most > allowance.amount) throw wrong("its paymaster takes more than these calls allow");
  if (!terms.holds) throw wrong("its paymaster pays at another time");
  const row = (label: string, address: string): Row => ({ label, value: checksummed(address), tone: "code" });
  const { amount } = allowance;
  const rows = [
    { label: t`Network fee`, value: t`at most ${amount} base units` },
    // It is taken after the calls, so no call of theirs could take back what is left.
    { label: t`If it takes less`, value: t`the rest stays allowed to the paymaster` },
    row(t`Token contract`, allowance.token),
    row(t`Paid to`, terms.treasury),
  ];
  return { rows, calls: allowance.rest };
}

/** The limit that the first calls set for the paymaster, where nothing after them sets another one. */
function readAllowance(paymaster: string, calls: readonly Call[]): Allowance | null {
  const given = calls.map((call) => amountFor(paymaster, call));
  // What was left of an allowance may have to be taken back first.
  const at = given[0] === 0n && calls[1]?.to === calls[0]?.to ? 1 : 0;
  const amount = given[at];
  const rest = calls.slice(at + 1);
  if (!amount || amount >= UNLIMITED || !rest.length || rest.some((call) => namesSpender(paymaster, call))) return null;
  return { token: (calls[at] as Call).to.toLowerCase(), amount, rest };
}

/** What a call of `approve` allows the paymaster; undefined for any other call. */
function amountFor(paymaster: string, { value, data }: Call): bigint | undefined {
  const digits = hex(data);
  const isOne = !value && digits.length === 136 && digits.startsWith(APPROVE + paymaster.slice(2).padStart(64, "0"));
  return isOne ? BigInt(`0x${digits.slice(72)}`) : undefined;
}

const namesSpender = (paymaster: string, { data }: Call): boolean => {
  const digits = hex(data);
  return ALLOWING.includes(digits.slice(0, 8)) && digits.slice(32, 72) === paymaster.slice(2);
};

/** The terms of a paymaster whose data can be read and takes a token; null for any other. */
function readTerms({ paymaster, paymasterData, cost, maxFeePerGas }: Paying, wrong: (what: string) => Error) {
  if (paymaster.toLowerCase() !== SINGLETON || (paymasterData[0] ?? 0) >> 1 !== TOKEN_MODE) return null;
  const digits = hex(paymasterData);
  const part = (from: number, to: number): string => digits.slice(from * 2, to * 2);
  const number = (from: number, to: number): bigint => BigInt(`0x${part(from, to)}`);
  // A fixed fee, a payment ahead or somebody who gets the rest would come on top.
  if (paymasterData.length <= 118 || paymasterData[1]) throw wrong("its paymaster's terms cannot be read");
  const [until, after, now] = [number(2, 8), number(8, 14), BigInt(Math.floor(Date.now() / 1000))];
  const native = cost + number(34, 50) * maxFeePerGas;
  return {
    token: `0x${part(14, 34)}`,
    most: (native * number(50, 82) + COIN - 1n) / COIN,
    treasury: `0x${part(98, 118)}`,
    holds: after <= now && (!until || now < until),
  };
}
