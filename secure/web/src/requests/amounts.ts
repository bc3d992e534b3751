/** Amounts in words: whole numbers of base units in, decimal text out. */
import { t } from "../language";

/** Set by the build: by CAIP-2 id, name and symbol of the coin. */
declare const NETWORKS: Record<string, [name: string, symbol: string]>;

const known = new Map(Object.entries(NETWORKS));

export const isUnlimited = (amount: bigint): boolean => amount >= 2n ** 96n - 1n;

/** Writes base units with their decimals, without loss. */
export function units(amount: bigint, decimals: number): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction ? `${whole}.${fraction}` : whole;
}

/** Writes an amount of a network's own coin. */
export function coins(chain: string, amount: bigint): string {
  const symbol = known.get(chain)?.[1];
  const number = units(amount, chain.startsWith("solana:") ? 9 : 18);
  return symbol ? `${number} ${symbol}` : t`${number} of the network's coin`;
}

/** Writes an amount of a token whose decimals nobody here knows. */
export const tokens = (amount: bigint): string => (isUnlimited(amount) ? t`unlimited` : baseUnits(amount));

export const baseUnits = (amount: bigint): string => t`${amount} base units`;

export const dataLabel = ({ length: size }: Uint8Array): string => t`Data, ${size} bytes`;

export const sendTitle = (amount: string): string => t`Send ${amount}`;

export const networkName = (chain: string): string => known.get(chain)?.[0] ?? chain;

/** Writes a time in seconds since 1970. */
export function moment(seconds: bigint): string {
  // In the year 2106: who writes a later moment means none.
  return seconds >= 4_294_967_296n ? t`never` : `${new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
