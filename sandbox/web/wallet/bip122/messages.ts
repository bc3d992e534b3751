/** Signed messages of Bitcoin: BIP-322 in its simple form, and the recoverable signatures of BIP-137. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { CompactSize, RawWitness, Transaction } from "@scure/btc-signer";
import { ProviderRpcError, invalidParams } from "../errors";
import type { Opened } from "./keys";

export type Protocol = "ecdsa" | "bip322";

const MAGIC = utf8ToBytes("\x18Bitcoin Signed Message:\n");
/** What BIP-137 counts headers of P2WPKH from. */
const SEGWIT_HEADER = 39;
const TAG = sha256(utf8ToBytes("BIP0322-signed-message"));
const OP_RETURN = Uint8Array.of(0x6a);

/** The protocol that a page names, in any case of letters, or else `otherwise`; raises -32602 for any other. */
export function protocolOf(value: unknown, otherwise: Protocol): Protocol {
  if (value === undefined) return otherwise;
  const lower = String(value).toLowerCase();
  if (lower !== "ecdsa" && lower !== "bip322") throw invalidParams("protocol is ECDSA or BIP322.");
  return lower;
}

/** What a protocol is called where people read it. */
export const protocolName = (protocol: Protocol): string => (protocol === "ecdsa" ? "ECDSA" : "BIP-322");

export function signMessage(message: Uint8Array, key: Opened, protocol: Protocol): Uint8Array {
  return protocol === "ecdsa" ? signRecoverably(message, key) : signSimply(message, key);
}

/** The hash that a signature covers, as wallets tell it. */
export function messageHash(message: Uint8Array, protocol: Protocol): Uint8Array {
  if (protocol === "bip322") return sha256(concatBytes(TAG, TAG, message));
  return sha256(sha256(concatBytes(MAGIC, CompactSize.encode(BigInt(message.length)), message)));
}

function signRecoverably(message: Uint8Array, { privateKey, purpose }: Opened): Uint8Array {
  if (purpose === "ordinals") throw invalidParams("A taproot address hides its key: it signs messages by BIP-322 only.");
  const signature = secp256k1.sign(messageHash(message, "ecdsa"), privateKey, { prehash: false, format: "recovered" });
  const [recovery = 0, ...rest] = signature;
  return Uint8Array.of(SEGWIT_HEADER + recovery, ...rest);
}

/** The witness that spends an output which the message has made up, in a transaction that can never be sent. */
function signSimply(message: Uint8Array, { privateKey, publicKey, script, purpose }: Opened): Uint8Array {
  const toSpend = new Transaction({ version: 0, disableScriptCheck: true });
  // The output first: an input that is final already lets none be added.
  toSpend.addOutput({ script, amount: 0n });
  toSpend.addInput({
    txid: new Uint8Array(32),
    index: 0xffffffff,
    sequence: 0,
    finalScriptSig: concatBytes(Uint8Array.of(0x00, 0x20), messageHash(message, "bip322")),
  });
  const toSign = new Transaction({ version: 0, allowUnknownOutputs: true });
  toSign.addInput({
    txid: toSpend.id,
    index: 0,
    sequence: 0,
    witnessUtxo: { script, amount: 0n },
    ...(purpose === "ordinals" && { tapInternalKey: publicKey }),
  });
  toSign.addOutput({ script: OP_RETURN, amount: 0n });
  toSign.sign(privateKey);
  toSign.finalize();
  const witness = toSign.getInput(0).finalScriptWitness;
  if (witness === undefined) throw new ProviderRpcError(-32603, "The message could not be signed.");
  return RawWitness.encode(witness);
}
