/** The accounts that the sandbox's Solana funds at its beginning, by their published seeds: test keys, worth nothing. */

export interface SolanaAccount {
  /** The public key in base58. */
  readonly address: string;
  /** The ed25519 seed, hexadecimal. */
  readonly seed: string;
}

export const ACCOUNTS: readonly [SolanaAccount, ...SolanaAccount[]] = [
  {
    address: "AqRwWZdoaVT2STam2XmNHR5NJEwvemxqEioDMAtjJbor",
    seed: "a4a2dae278937c3a3754d8d1faef5a1b361e14c2abee5c934faed2a6001dfdfd",
  },
  {
    address: "FekT8nAyCvdJrvGaev3XwJLs7RU6HjYTe8oegoepciSA",
    seed: "b557bd3fff6f294c0b0c0a0ca5792abe06db5d75fbc61807df93c8be5ee5d5d5",
  },
  {
    address: "8eQFWcJtuq2EaHCmqhz4CECVZwZzPkGGv42CaxFSmgzV",
    seed: "b0177f0fcf56fed2fd1a9851afe60c92ab2ca584f2ebbf5fbc5ae8ec0eb3927e",
  },
];
