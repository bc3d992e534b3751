/** Solana's transactions as bytes: legacy messages and version 0. What is malformed throws. */
import { concat } from "../bytes";

export interface Instruction {
  /** Index of the program among the accounts. */
  program: number;
  accounts: number[];
  data: Uint8Array;
}

export interface SolanaMessage {
  /** Addresses that the message names itself; those of tables on the chain come after them, and nobody here knows them. */
  keys: Uint8Array[];
  signers: number;
  instructions: Instruction[];
}

export interface SolanaTransaction extends SolanaMessage {
  signatures: Uint8Array[];
  /** What is signed. */
  message: Uint8Array;
}

const SIGNATURE = 64;
const KEY = 32;

class Reader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.#bytes.length) throw new RangeError("cut off");
    const found = this.#bytes.subarray(this.at, end);
    this.at = end;
    return found;
  }

  byte(): number {
    return this.take(1)[0] as number;
  }

  /** A length in at most three bytes of seven bits (compact-u16). */
  length(): number {
    let value = 0;
    for (let place = 0; place < 3; place++) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * place);
      if (byte < 0x80) {
        if (byte === 0 && place > 0) throw new RangeError("length");
        if (value > 0xffff) break;
        return value;
      }
    }
    throw new RangeError("length");
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.length() }, read);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.at);
  }

  end(): void {
    if (this.at !== this.#bytes.length) throw new RangeError("end");
  }
}

export function readTransaction(bytes: Uint8Array): SolanaTransaction {
  const reader = new Reader(bytes);
  const signatures = reader.list(() => reader.take(SIGNATURE));
  const message = reader.rest();
  const read = readMessage(message);
  if (signatures.length !== read.signers) throw new RangeError("signatures");
  return { ...read, signatures, message };
}

export function readMessage(bytes: Uint8Array): SolanaMessage {
  const reader = new Reader(bytes);
  const versioned = (bytes[0] ?? 0) >= 0x80;
  if (versioned && reader.byte() !== 0x80) throw new RangeError("version");
  const [signers, readonlySigners, readonlyOthers] = [reader.byte(), reader.byte(), reader.byte()];
  const keys = reader.list(() => reader.take(KEY));
  reader.take(KEY);
  const instructions = reader.list(() => ({
    program: reader.byte(),
    accounts: reader.list(() => reader.byte()),
    data: reader.take(reader.length()),
  }));
  const tabled = versioned
    ? reader.list(() => {
        reader.take(KEY);
        return reader.list(() => reader.byte()).length + reader.list(() => reader.byte()).length;
      })
    : [];
  reader.end();
  const accounts = keys.length + tabled.reduce((sum, one) => sum + one, 0);
  const outside = instructions.some((one) => one.program >= keys.length || one.accounts.some((at) => at >= accounts));
  if (!signers || signers > keys.length || readonlySigners >= signers || readonlyOthers > keys.length - signers || outside) {
    throw new RangeError("header");
  }
  return { keys, signers, instructions };
}

/** Writes a transaction with its signatures. */
export function writeTransaction({ signatures, message }: SolanaTransaction): Uint8Array {
  // There are fewer than 128: each has a key in the message, and the network takes 1232 bytes.
  return concat(Uint8Array.of(signatures.length), ...signatures, message);
}
