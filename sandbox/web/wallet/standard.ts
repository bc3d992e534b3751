/** The wallet by the Wallet Standard: one registration for Solana and Bitcoin. */
import type { Wallet, WalletAccount } from "@wallet-standard/base";
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsChangeProperties,
  StandardEventsFeature,
} from "@wallet-standard/features";
import { registerWallet } from "@wallet-standard/wallet";
import { base58 } from "@scure/base";
import type { BitcoinAccount } from "./bip122/accounts";
import { STANDARD_CHAIN as BITCOIN, bitcoinFeatures } from "./bip122/features";
import { type Opened, openedBoth } from "./bip122/keys";
import { Emitter } from "./emitter";
import { NAME, STANDARD_ICON } from "./icon";
import type { Purse } from "./purse";
import { isObject } from "./shapes";
import type { SolanaAccount } from "./solana/accounts";
import { STANDARD_CHAIN as SOLANA, solanaFeatures } from "./solana/features";

export function register(solana: Purse<SolanaAccount>, bitcoin: Purse<BitcoinAccount>): void {
  const events = new Emitter();
  let accounts = exposed(solana, bitcoin);
  for (const purse of [solana, bitcoin]) {
    purse.on("accountsChanged", () => {
      accounts = exposed(solana, bitcoin);
      events.emit("change", { accounts });
    });
  }
  const own: StandardConnectFeature & StandardDisconnectFeature & StandardEventsFeature = {
    "standard:connect": {
      version: "1.0.0",
      // It asks for Solana, as wallets of this standard do; `bitcoin:connect` asks for Bitcoin.
      connect: async (input) => {
        // Whoever asks silently gets what the page may see already, and the owner is not asked.
        if (!isObject(input) || input.silent !== true) await solana.connect();
        return { accounts };
      },
    },
    "standard:disconnect": {
      version: "1.0.0",
      disconnect: async () => {
        solana.disconnect();
        bitcoin.disconnect();
      },
    },
    "standard:events": {
      version: "1.0.0",
      on: (event, listener) => {
        const tell = (properties: unknown) => listener(properties as StandardEventsChangeProperties);
        events.on(event, tell);
        return () => void events.removeListener(event, tell);
      },
    },
  };
  const wallet: Wallet = {
    version: "1.0.0",
    name: NAME,
    icon: STANDARD_ICON,
    chains: [SOLANA, BITCOIN],
    features: { ...own, ...solanaFeatures(solana), ...bitcoinFeatures(bitcoin, presentBitcoin) },
    get accounts() {
      return accounts;
    },
  };
  registerWallet(Object.freeze(wallet));
}

function exposed(solana: Purse<SolanaAccount>, bitcoin: Purse<BitcoinAccount>): readonly WalletAccount[] {
  return [
    ...(solana.exposed ? [presentSolana(solana.exposed)] : []),
    ...(bitcoin.exposed ? openedBoth(bitcoin.exposed).map(presentBitcoin) : []),
  ];
}

function presentSolana({ address }: SolanaAccount): WalletAccount {
  return Object.freeze({
    address,
    publicKey: base58.decode(address),
    chains: [SOLANA],
    features: ["solana:signMessage", "solana:signTransaction", "solana:signAndSendTransaction"],
  } as const);
}

function presentBitcoin({ address, publicKey }: Opened): WalletAccount {
  return Object.freeze({
    address,
    publicKey,
    chains: [BITCOIN],
    features: ["bitcoin:signMessage", "bitcoin:signTransaction"],
  } as const);
}
