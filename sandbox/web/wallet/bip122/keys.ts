/** One address of an account with what opens it. */
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import { p2tr, p2wpkh } from "@scure/btc-signer";
import { unauthorized } from "../errors";
import type { Purse } from "../purse";
import type { BitcoinAccount, BitcoinAddress, Purpose } from "./accounts";

export interface Opened {
  readonly purpose: Purpose;
  readonly address: string;
  readonly privateKey: Uint8Array;
  /** 33 bytes for payments; for ordinals the 32 bytes of the internal key. */
  readonly publicKey: Uint8Array;
  /** The output script. */
  readonly script: Uint8Array;
}

export function opened(account: BitcoinAccount, purpose: Purpose): Opened {
  const { address, key }: BitcoinAddress = purpose === "payment" ? account : account.ordinals;
  const privateKey = hex.decode(key);
  const compressed = secp256k1.getPublicKey(privateKey);
  const publicKey = purpose === "payment" ? compressed : compressed.slice(1);
  const { script } = purpose === "payment" ? p2wpkh(publicKey) : p2tr(publicKey);
  return { purpose, address, privateKey, publicKey, script };
}

/** Both addresses of an account, the one for payments first. */
export function openedBoth(account: BitcoinAccount): readonly [Opened, Opened] {
  return [opened(account, "payment"), opened(account, "ordinals")];
}

/** An address that the page may use; raises 4100 for any other. */
export function openedFor(purse: Purse<BitcoinAccount>, address: unknown): Opened {
  const found = purse.exposed && openedBoth(purse.exposed).find((one) => one.address === address);
  if (!found) throw unauthorized("The page has no permission for this address, or the wallet is locked.");
  return found;
}
