/**
 * Polkadot accounts of the published phrase whose accounts every anvil node has ("test test … junk"), derived hard as //0, //1
 * and //2. Everybody has their keys, and nobody must ever send anything of worth to them.
 */
import { HDKD, secretFromSeed } from "@scure/sr25519";
import { hex } from "@scure/base";

/** The mini secret of the phrase, as Substrate derives it. */
const SEED = "4ca479f5e0dc0ee04ebcbadb64c220267dad42b8cfa4da1f0874787523b4709c";
const CHAIN_CODE_SIZE = 32;

export interface PolkadotAccount {
  /** SS58 with Polkadot's prefix, 0. */
  readonly address: string;
  /** The number of its derivation. */
  readonly junction: number;
}

export const ACCOUNTS: readonly [PolkadotAccount, ...PolkadotAccount[]] = [
  { address: "15kyC2xTckettUR82sbpzmSx9k1KgYBcVLLP2q1RySgWm2V9", junction: 0 },
  { address: "12zQQQpan3ZUkweegot9UegPfZZLMFW5AxFYwBQZ9RgCbqnG", junction: 1 },
  { address: "15V4h6Ws6PqN72WRrjUheWAqJhwhDGWH4rEDhMGuqXv2vqeC", junction: 2 },
];

/** The sr25519 secret key of an account. */
export function secretOf({ junction }: PolkadotAccount): Uint8Array {
  const chainCode = new Uint8Array(CHAIN_CODE_SIZE);
  chainCode[0] = junction;
  return HDKD.secretHard(secretFromSeed(hex.decode(SEED)), chainCode);
}
