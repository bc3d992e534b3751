/** What the Wallet Standard calls `bitcoin:…`. There is no package yet that has all of these names, so they stand here. */
import type { WalletAccount } from "@wallet-standard/base";
import { invalidParams } from "../errors";
import type { Purse } from "../purse";
import { askMessage } from "../question";
import { type JsonObject, inputs, isObject, messageBytes } from "../shapes";
import type { BitcoinAccount, Purpose } from "./accounts";
import { type Opened, openedBoth, openedFor } from "./keys";
import { protocolName, protocolOf, signMessage } from "./messages";
import { type Wanted, askPsbt, readPsbt, signPsbt } from "./psbt";

export const STANDARD_CHAIN = "bitcoin:mainnet";

const PURPOSES: readonly unknown[] = ["payment", "ordinals"] satisfies Purpose[];

type Inputs<Output> = (...given: readonly unknown[]) => Promise<readonly Output[]>;

export type BitcoinFeatures = {
  readonly "bitcoin:connect": {
    readonly version: "1.0.0";
    /** Takes `{purposes}`; gives an account for each, in their order. */
    connect(input: unknown): Promise<{ accounts: readonly WalletAccount[] }>;
  };
  readonly "bitcoin:signMessage": {
    readonly version: "1.0.0";
    /** Takes `{account, message, protocol?}`, bytes; signs by BIP-322 unless `protocol` is `ecdsa`. */
    readonly signMessage: Inputs<{ signedMessage: Uint8Array; signature: Uint8Array }>;
  };
  readonly "bitcoin:signTransaction": {
    readonly version: "1.0.0";
    /** Takes `{psbt, inputsToSign: [{account, signingIndexes}]}`, bytes; without inputs named, signs those of the account. */
    readonly signTransaction: Inputs<{ signedPsbt: Uint8Array }>;
  };
};

/** @param present an address as the Wallet Standard shows it */
export function bitcoinFeatures(purse: Purse<BitcoinAccount>, present: (key: Opened) => WalletAccount): BitcoinFeatures {
  return {
    "bitcoin:connect": {
      version: "1.0.0",
      connect: async (input) => {
        const purposes = isObject(input) && Array.isArray(input.purposes) ? input.purposes : ["payment"];
        if (purposes.length === 0 || !purposes.every((one) => PURPOSES.includes(one))) {
          throw invalidParams("purposes are payment and ordinals.");
        }
        const keys = openedBoth(await purse.connect());
        return { accounts: purposes.flatMap((wanted) => keys.filter(({ purpose }) => purpose === wanted).map(present)) };
      },
    },
    "bitcoin:signMessage": {
      version: "1.0.0",
      signMessage: (...given) =>
        inputs(given, async (input) => {
          const key = openedFor(purse, addressOf(input));
          const message = messageBytes(input.message);
          const protocol = protocolOf(input.protocol, "bip322");
          await purse.ask(askMessage(key.address, message, [["Kind", protocolName(protocol)]]));
          return { signedMessage: message, signature: signMessage(message, key, protocol) };
        }),
    },
    "bitcoin:signTransaction": {
      version: "1.0.0",
      signTransaction: (...given) =>
        inputs(given, async ({ psbt, inputsToSign }) => {
          if (!(psbt instanceof Uint8Array)) throw invalidParams("psbt must be bytes.");
          const wanted = wantedInputs(inputsToSign);
          for (const address of wanted?.keys() ?? []) openedFor(purse, address);
          const keys = openedBoth(purse.permitted(purse.chosen.address));
          const read = readPsbt(psbt, keys, wanted);
          await purse.ask(askPsbt(read, keys));
          return { signedPsbt: signPsbt(read) };
        }),
    },
  };
}

function addressOf(input: JsonObject): unknown {
  return isObject(input.account) ? input.account.address : undefined;
}

function wantedInputs(value: unknown): Wanted {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
  const wanted = new Map<string, readonly number[]>();
  for (const one of Array.isArray(value) ? value : [undefined]) {
    const address = isObject(one) && addressOf(one);
    const indexes: unknown = isObject(one) ? one.signingIndexes : undefined;
    if (typeof address !== "string" || !isIndexes(indexes)) throw invalidParams("inputsToSign names accounts and their inputs.");
    wanted.set(address, indexes);
  }
  return wanted;
}

export function isIndexes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((index) => Number.isSafeInteger(index) && index >= 0);
}
