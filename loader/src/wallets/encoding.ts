/** Bytes as texts: base58, base64, hex and UTF-8. Each decoder raises for what is not of its alphabet. */
import { invalidParams } from "../errors";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** Base58 takes the square of its length, so what is longer is refused. */
const MAX_BASE58 = 16_384;

/** Returns a list of digits in another base; digits and result begin with the highest. */
function rebase(digits: ArrayLike<number>, from: number, to: number): number[] {
  const result: number[] = [];
  for (let index = 0; index < digits.length; index++) {
    let carry = digits[index]!;
    for (let place = 0; place < result.length; place++) {
      carry += result[place]! * from;
      result[place] = carry % to;
      carry = Math.floor(carry / to);
    }
    for (; carry; carry = Math.floor(carry / to)) result.push(carry % to);
  }
  return result.reverse();
}

/** Leading zeros have no value, and are counted. */
function zeros(digits: ArrayLike<number>): number {
  let count = 0;
  while (count < digits.length && !digits[count]) count++;
  return count;
}

export function toBase58(bytes: Uint8Array): string {
  if (bytes.length > MAX_BASE58) throw invalidParams();
  return "1".repeat(zeros(bytes)) + rebase(bytes, 256, 58).map((digit) => ALPHABET[digit]).join("");
}

export function fromBase58(text: unknown): Uint8Array {
  if (typeof text != "string" || text.length > MAX_BASE58) throw invalidParams();
  const digits = [...text].map((character) => ALPHABET.indexOf(character));
  if (digits.includes(-1)) throw invalidParams();
  return Uint8Array.from([...Array<number>(zeros(digits)).fill(0), ...rebase(digits, 58, 256)]);
}

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function fromBase64(text: unknown): Uint8Array {
  if (typeof text != "string") throw invalidParams();
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw invalidParams();
  }
}

export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export function fromHex(text: unknown): Uint8Array {
  if (typeof text != "string" || !/^([\da-f]{2})*$/i.test(text)) throw invalidParams();
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function toUtf8(text: unknown): Uint8Array {
  if (typeof text != "string") throw invalidParams();
  return new TextEncoder().encode(text);
}
