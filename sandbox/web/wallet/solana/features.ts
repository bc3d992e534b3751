/** What the Wallet Standard calls `solana:…`: messages and transactions, each signed once the owner agrees. */
import { base58, base64 } from "@scure/base";
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from "@solana/wallet-standard-features";
import { ProviderRpcError, invalidParams } from "../errors";
import { askChain } from "../gateway";
import { Purse } from "../purse";
import { askMessage } from "../question";
import { type JsonObject, inputs, isObject, messageBytes } from "../shapes";
import type { SolanaAccount } from "./accounts";
import { CHAIN, askTransaction } from "./questions";
import { type Transaction, readTransaction, signBytes, signTransaction } from "./transaction";

export const STANDARD_CHAIN = "solana:mainnet";

export type SolanaFeatures = SolanaSignMessageFeature & SolanaSignTransactionFeature & SolanaSignAndSendTransactionFeature;

const VERSIONS = ["legacy", 0] as const;

export function solanaFeatures(purse: Purse<SolanaAccount>): SolanaFeatures {
  async function agreed(input: JsonObject, sends: boolean): Promise<{ signed: Uint8Array; id: Uint8Array }> {
    const account = accountOf(purse, input);
    const transaction = readTransaction(input.transaction);
    if (input.chain !== undefined && input.chain !== STANDARD_CHAIN) throw invalidParams(`The only chain is ${STANDARD_CHAIN}.`);
    requireSigner(transaction, account);
    await purse.ask(await askTransaction(account.address, transaction, sends));
    return signTransaction(transaction, account);
  }

  return {
    "solana:signMessage": {
      version: "1.1.0",
      signMessage: (...given) =>
        inputs(given, async (input) => {
          const account = accountOf(purse, input);
          const message = messageBytes(input.message);
          if (isTransaction(message)) throw invalidParams("This is a transaction, not a message.");
          await purse.ask(askMessage(account.address, message));
          return { signedMessage: message, signature: signBytes(message, account), signatureType: "ed25519" as const };
        }),
    },
    "solana:signTransaction": {
      version: "1.0.0",
      supportedTransactionVersions: VERSIONS,
      signTransaction: (...given) =>
        inputs(given, async (input) => ({ signedTransaction: (await agreed(input, false)).signed })),
    },
    "solana:signAndSendTransaction": {
      version: "1.0.0",
      supportedTransactionVersions: VERSIONS,
      signAndSendTransaction: (...given) =>
        inputs(given, async (input) => ({ signature: await send((await agreed(input, true)).signed, input.options) })),
    },
  };
}

function accountOf(purse: Purse<SolanaAccount>, input: JsonObject): SolanaAccount {
  if (!isObject(input.account) || typeof input.account.address !== "string") throw invalidParams("account is missing.");
  return purse.permitted(input.account.address);
}

function requireSigner(transaction: Transaction, { address }: SolanaAccount): void {
  if (!transaction.signers.includes(address)) throw invalidParams("The transaction does not ask for a signature of this account.");
}

/** Whether bytes that a page calls a message could be sent as a transaction once they are signed. */
function isTransaction(message: Uint8Array): boolean {
  const unsigned = Uint8Array.from([message[0] === 0x80 ? (message[1] ?? 0) : (message[0] ?? 0)]);
  try {
    readTransaction(Uint8Array.from([...unsigned, ...new Uint8Array(64 * (unsigned[0] ?? 0)), ...message]));
    return true;
  } catch {
    return false;
  }
}

async function send(signed: Uint8Array, options: unknown): Promise<Uint8Array> {
  const { skipPreflight, preflightCommitment, maxRetries, minContextSlot } = isObject(options) ? options : {};
  const wanted = { encoding: "base64", skipPreflight, preflightCommitment, maxRetries, minContextSlot };
  const signature = await askChain(CHAIN, "sendTransaction", [base64.encode(signed), wanted]);
  if (typeof signature !== "string") throw new ProviderRpcError(-32603, "The node answered sendTransaction with no signature.");
  return base58.decode(signature);
}
