/** Solana's transactions as bytes: signatures, then a message, legacy or version 0. Read strictly, signed, written again. */
import { ed25519 } from "@noble/curves/ed25519.js";
import { base58, hex } from "@scure/base";
import { invalidParams } from "../errors";
import type { SolanaAccount } from "./accounts";

const SIGNATURE = 64;
const KEY = 32;
/** What fits into one packet of the network. */
const MAX_SIZE = 1232;
const VERSIONED = 0x80;

export interface Instruction {
  /** The program in base58; undefined when a lookup table names it. */
  readonly program: string | undefined;
  /** Its accounts in base58, each undefined when a lookup table names it. */
  readonly accounts: readonly (string | undefined)[];
  readonly data: Uint8Array;
}

export interface Transaction {
  readonly version: "legacy" | 0;
  /** In the order of `signers`; zeros where one is missing. */
  readonly signatures: readonly Uint8Array[];
  readonly signers: readonly string[];
  readonly instructions: readonly Instruction[];
  /** What is signed. */
  readonly message: Uint8Array;
}

/** Read a serialized transaction; raises -32602 for anything else. */
export function readTransaction(value: unknown): Transaction {
  if (!(value instanceof Uint8Array) || value.length > MAX_SIZE) {
    throw invalidParams(`A transaction is at most ${MAX_SIZE} bytes.`);
  }
  const reader = new Reader(value);
  const signatures = reader.list(() => reader.bytes(SIGNATURE));
  const message = reader.rest();
  const first = reader.byte();
  if (first > VERSIONED) throw invalidParams("The transaction's version is not supported.");
  const required = first === VERSIONED ? reader.byte() : first;
  reader.bytes(2);
  const keys = reader.list(() => base58.encode(reader.bytes(KEY)));
  reader.bytes(KEY);
  const instructions = reader.list(() => {
    const program = keys[reader.byte()];
    const accounts = reader.list(() => keys[reader.byte()]);
    return { program, accounts, data: reader.list(() => reader.byte()) };
  });
  if (first === VERSIONED) {
    reader.list(() => [reader.bytes(KEY), reader.list(() => reader.byte()), reader.list(() => reader.byte())]);
  }
  if (reader.rest().length > 0) throw invalidParams("There is something after the transaction.");
  if (required === 0 || required > keys.length || signatures.length !== required) {
    throw invalidParams("The transaction does not have a place for each of its signatures.");
  }
  return {
    version: first === VERSIONED ? 0 : "legacy",
    signatures,
    signers: keys.slice(0, required),
    instructions: instructions.map((instruction) => ({ ...instruction, data: Uint8Array.from(instruction.data) })),
    message,
  };
}

/** Sign for one of the signers; returns the serialized transaction and its id, which is the first signature. */
export function signTransaction(transaction: Transaction, account: SolanaAccount): { signed: Uint8Array; id: Uint8Array } {
  const place = transaction.signers.indexOf(account.address);
  if (place < 0) throw invalidParams("The transaction does not ask for a signature of this account.");
  const own = signBytes(transaction.message, account);
  const signatures = transaction.signatures.map((signature, index) => (index === place ? own : signature));
  const signed = Uint8Array.from([signatures.length, ...signatures.flatMap((one) => [...one]), ...transaction.message]);
  return { signed, id: signatures[0] ?? new Uint8Array() };
}

export function signBytes(message: Uint8Array, account: SolanaAccount): Uint8Array {
  return ed25519.sign(message, hex.decode(account.seed));
}

class Reader {
  #at = 0;

  constructor(readonly source: Uint8Array) {}

  rest(): Uint8Array {
    return this.source.slice(this.#at);
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.source.length) throw invalidParams("The transaction ends too early.");
    const found = this.source.slice(this.#at, end);
    this.#at = end;
    return found;
  }

  byte(): number {
    return this.bytes(1)[0] ?? 0;
  }

  /** A list that its length precedes, in seven bits a byte. */
  list<Item>(item: () => Item): Item[] {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      length |= (byte & 0x7f) << shift;
      if (byte < VERSIONED) break;
      if (shift === 14) throw invalidParams("A length in the transaction is too long.");
    }
    if (length > MAX_SIZE) throw invalidParams("A list in the transaction is too long.");
    return Array.from({ length }, item);
  }
}
