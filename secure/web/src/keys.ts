/** One BIP-39 phrase of twelve words, its Ethereum key by BIP-32 and its Solana key by SLIP-10, and what they sign. */
import { ed25519 } from "@noble/curves/ed25519.js";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58 } from "@scure/base";
import { entropyToMnemonic, mnemonicToSeedWebcrypto } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { concat, hex, utf8, wipe, type Bytes } from "./bytes";

const HARDENED = 0x80000000;
const ETHEREUM_PATH = [44 + HARDENED, 60 + HARDENED, HARDENED, 0, 0];
const SOLANA_PATH = [44 + HARDENED, 501 + HARDENED, HARDENED, HARDENED];

/** Private keys of one wallet. */
export interface Keys {
  evm: Bytes;
  solana: Bytes;
}

export interface Addresses {
  evm: string;
  solana: string;
}

function number(bytes: Uint8Array): bigint {
  return BigInt("0x" + hex(bytes));
}

/** Derives a private key; without `curveOrder` as SLIP-10 does for ed25519, whose keys are any 32 bytes. */
export function derive(seed: Uint8Array, master: string, path: readonly number[], curveOrder?: bigint): Bytes {
  let node = hmac(sha512, utf8(master), seed);
  for (const step of path) {
    const index = new Uint8Array(4);
    new DataView(index.buffer).setUint32(0, step);
    const key = node.subarray(0, 32);
    const data = concat(step < HARDENED ? secp256k1.getPublicKey(key) : concat(new Uint8Array(1), key), index);
    const next = hmac(sha512, node.subarray(32), data);
    if (curveOrder) {
      const sum = (number(next.subarray(0, 32)) + number(key)) % curveOrder;
      // Of the numbers that BIP-32 says to skip, one in 2^127 comes up: the wallet is not made then.
      if (!sum || number(next.subarray(0, 32)) >= curveOrder) throw new Error("no valid key");
      next.set(Uint8Array.from(sum.toString(16).padStart(64, "0").match(/../g) as string[], (pair) => parseInt(pair, 16)));
    }
    wipe(data, node);
    node = next;
  }
  const key = node.slice(0, 32);
  wipe(node);
  return key as Bytes;
}

export const mnemonicOf = (entropy: Uint8Array): string => entropyToMnemonic(entropy, wordlist);

export async function deriveKeys(entropy: Uint8Array): Promise<Keys> {
  const seed = await mnemonicToSeedWebcrypto(mnemonicOf(entropy));
  const evm = derive(seed, "Bitcoin seed", ETHEREUM_PATH, secp256k1.Point.Fn.ORDER);
  const solana = derive(seed, "ed25519 seed", SOLANA_PATH);
  wipe(seed);
  return { evm, solana };
}

/** Writes an address with its checksum (ERC-55). */
export function checksummed(address: string): string {
  const plain = address.toLowerCase().slice(2);
  const hash = hex(keccak_256(utf8(plain)));
  return "0x" + Array.from(plain, (char, at) => (parseInt(hash[at] as string, 16) > 7 ? char.toUpperCase() : char)).join("");
}

export function addressesOf(keys: Keys): Addresses {
  const point = secp256k1.getPublicKey(keys.evm, false);
  return {
    evm: checksummed("0x" + hex(keccak_256(point.subarray(1)).subarray(12))),
    solana: base58.encode(ed25519.getPublicKey(keys.solana)),
  };
}

/** Signs a digest with the Ethereum key: r || s || parity, 65 bytes, s in the lower half. */
export function signDigest(keys: Keys, digest: Uint8Array): Bytes {
  const [parity, ...signature] = secp256k1.sign(digest, keys.evm, { prehash: false, format: "recovered" });
  return Uint8Array.from([...signature, parity as number]);
}

export const signSolana = (keys: Keys, message: Uint8Array): Uint8Array => ed25519.sign(message, keys.solana);

export { base58, keccak_256 as keccak };
