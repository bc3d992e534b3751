/**
 * Bitcoin accounts of the published phrase whose accounts every anvil node has ("test test … junk"): BIP-84 for payments,
 * BIP-86 for ordinals. Everybody has their keys, and nobody must ever send anything of worth to them.
 */

export type Purpose = "payment" | "ordinals";

export interface BitcoinAddress {
  readonly address: string;
  /** The private key, hexadecimal. */
  readonly key: string;
}

/** The two addresses of one account; `address` is the one for payments. */
export interface BitcoinAccount extends BitcoinAddress {
  readonly ordinals: BitcoinAddress;
}

export const ACCOUNTS: readonly [BitcoinAccount, ...BitcoinAccount[]] = [
  {
    address: "bc1q4qw42stdzjqs59xvlrlxr8526e3nunw7mp73te",
    key: "af74e8e5b4cd70b373fb67513d5a5e1278f60a00878f0d791269375fa2f2a327",
    ordinals: {
      address: "bc1pfzhx49qe6s5exppe5hqljg3n6587xk0w75xqr70pgdt7ygnfkssqxqjd9l",
      key: "1fa85e736d4ec30d0a4211159da78aca69327fbb12f59a181f078181af822fe8",
    },
  },
  {
    address: "bc1qp533522veg9uyhpx3sva9vqrnfzmt262n4lsuq",
    key: "15d47a0af0700bfe275a4ff3e17a3793d4b9230fdcf8652a6eb85ebfac03902f",
    ordinals: {
      address: "bc1p0lks35d0spqsvz2t3t0kqus38wrlpmcjtvvupkfkwdrzfh6zjyps9rvd6v",
      key: "1108adb4d94b2c118074ed981a387d4406d9f7cd3b021eac96dca687884c83cd",
    },
  },
  {
    address: "bc1qt3az9lwpqfvr466mezsewuzdc4d379ldv83d4c",
    key: "c647f286e241b8efda1d99e56ed71d4863fa90827511a40fd62cbc83f2c0054f",
    ordinals: {
      address: "bc1p6f0xvqe892y0fvm2hwnmmj6fzczp7lx6tluvwhymcca4d7a45jjsgzlsdv",
      key: "acf5ea273bdb61097c9910d3139f4514bda55ab18b4c8dd5f1b8a489a35af2be",
    },
  },
];
