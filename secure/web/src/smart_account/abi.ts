/** The encoding of contracts' arguments, as hexadecimal digits. */

const WORD = 64;

export const word = (value: bigint | number): string => BigInt(value).toString(16).padStart(WORD, "0");
export const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(WORD, "0");
const padded = (digits: string): string => digits.padEnd(Math.ceil(digits.length / WORD) * WORD, "0");
export const bytesTail = (digits: string): string => word(digits.length / 2) + padded(digits);

/** Reads encoded arguments; throws where they end too early. */
export class Words {
  readonly #all: string;

  constructor(all: string) {
    this.#all = all;
  }

  /** Hexadecimal digits of `length` bytes from the byte `at` on. */
  digits(at: number, length: number): string {
    const found = this.#all.slice(at * 2, (at + length) * 2);
    if (found.length !== length * 2) throw new Error("too short");
    return found;
  }

  number(at: number): number {
    const found = BigInt(`0x${this.digits(at, 32)}`);
    if (found > 0xffffffffn) throw new Error("too large");
    return Number(found);
  }
}
