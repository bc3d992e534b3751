/** Partially signed transactions of Bitcoin (BIP-174): read, told to the owner, signed. */
import { Address, OutScript, Transaction } from "@scure/btc-signer";
import { formatUnits } from "viem/utils";
import { invalidParams } from "../errors";
import type { Question } from "../question";
import type { Opened } from "./keys";

const DECIMALS = 8;
const MAX_SIZE = 100_000;

export const bitcoins = (satoshis: bigint): string => `${formatUnits(satoshis, DECIMALS)} BTC`;

/** Inputs to sign, by address; undefined: each that one of the account's addresses opens. */
export type Wanted = ReadonlyMap<string, readonly number[]> | undefined;

export interface Psbt {
  readonly transaction: Transaction;
  /** Which key signs which input. */
  readonly signing: readonly (readonly [number, Opened])[];
}

/** Read a PSBT and find the inputs that are the account's to sign; raises -32602 for anything else. */
export function readPsbt(raw: Uint8Array, keys: readonly Opened[], wanted: Wanted): Psbt {
  if (raw.length > MAX_SIZE) throw invalidParams(`A PSBT is at most ${MAX_SIZE} bytes here.`);
  let transaction: Transaction;
  try {
    transaction = Transaction.fromPSBT(raw);
  } catch (error) {
    throw invalidParams(`The PSBT cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const owner = (index: number) => {
    const spent = spentBy(transaction, index);
    return keys.find(({ script }) => spent !== undefined && sameBytes(spent.script, script));
  };
  const all = Array.from({ length: transaction.inputsLength }, (_, index) => index);
  const named = wanted && [...wanted].flatMap(([address, indexes]) => indexes.map((index) => [address, index] as const));
  const signing = named
    ? named.map(([address, index]) => {
        const key = owner(index);
        if (key?.address !== address) throw invalidParams(`Input ${index} is not one of ${address}.`);
        return [index, key] as const;
      })
    : all.flatMap((index) => {
        const key = owner(index);
        return key ? [[index, key] as const] : [];
      });
  if (signing.length === 0) throw invalidParams("No input of the PSBT is this account's.");
  return { transaction, signing };
}

/** What signing means: what leaves, to whom, and the fee where every input tells its amount. */
export function askPsbt({ transaction, signing }: Psbt, keys: readonly Opened[], broadcasts = false): Question {
  const own = new Set(keys.map(({ address }) => address));
  const facts: [string, string][] = [["Account", keys[0]?.address ?? ""]];
  for (let index = 0; index < transaction.outputsLength; index++) {
    const { script, amount = 0n } = transaction.getOutput(index);
    const to = recipient(script);
    facts.push([own.has(to) ? "Back to you" : "Sends", `${bitcoins(amount)} to ${to}`]);
  }
  facts.push(["Signs", signing.length === 1 ? "1 input" : `${signing.length} inputs`], ["Fee", fee(transaction)]);
  return {
    title: broadcasts ? "Send this transaction?" : "Sign this transaction?",
    agree: broadcasts ? "Send" : "Sign",
    facts,
    ...(!broadcasts && { note: "The site gets the signed transaction, and can send it once all its inputs are signed." }),
  };
}

/** Sign what was found; the inputs stay unfinalized, as BIP-174 has it, unless `finalize`. */
export function signPsbt({ transaction, signing }: Psbt, finalize = false): Uint8Array {
  for (const [index, { privateKey, publicKey, purpose }] of signing) {
    if (purpose === "ordinals") transaction.updateInput(index, { tapInternalKey: publicKey });
    transaction.signIdx(privateKey, index);
    if (finalize) transaction.finalizeIdx(index);
  }
  return transaction.toPSBT();
}

function spentBy(transaction: Transaction, index: number): { script: Uint8Array; amount: bigint } | undefined {
  if (index >= transaction.inputsLength) return undefined;
  const { witnessUtxo, nonWitnessUtxo, index: output } = transaction.getInput(index);
  return witnessUtxo ?? (output === undefined ? undefined : nonWitnessUtxo?.outputs[output]);
}

function fee(transaction: Transaction): string {
  let rest = 0n;
  for (let index = 0; index < transaction.inputsLength; index++) {
    const spent = spentBy(transaction, index);
    if (spent === undefined) return "unknown: an input does not tell its amount";
    rest += spent.amount;
  }
  for (let index = 0; index < transaction.outputsLength; index++) rest -= transaction.getOutput(index).amount ?? 0n;
  return bitcoins(rest);
}

function recipient(script: Uint8Array | undefined): string {
  try {
    if (script !== undefined) return Address().encode(OutScript.decode(script));
  } catch {
    // Not every script has an address.
  }
  return "a script without address";
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
