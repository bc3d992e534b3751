/** Requests of Solana. */
import { base58, base64 } from "@scure/base";
import { ProviderRpcError, invalidParams, unsupportedMethod } from "../wallet/errors";
import { askChain } from "../wallet/gateway";
import { askMessage } from "../wallet/question";
import { type JsonObject, isObject, messageBytes, text } from "../wallet/shapes";
import { ACCOUNTS, type SolanaAccount } from "../wallet/solana/accounts";
import { CHAIN, askTransaction } from "../wallet/solana/questions";
import { type Transaction, readTransaction, signBytes, signTransaction } from "../wallet/solana/transaction";
import { type Asked, type Prepare, type Prepared, permitted } from "./request";

const MAX_TRANSACTIONS = 20;

export const prepareSolana: Prepare = async (asked) => {
  const params = isObject(asked.params) ? asked.params : {};
  switch (asked.method) {
    case "solana_signMessage":
      return message(asked, params);
    case "solana_signTransaction":
      return transaction(asked, params, false);
    case "solana_signAndSendTransaction":
      return transaction(asked, params, true);
    case "solana_signAllTransactions":
      return transactions(asked, params);
    default:
      throw unsupportedMethod(asked.method);
  }
};

function message(asked: Asked, params: JsonObject): Prepared {
  const account = permitted(ACCOUNTS, asked, params.pubkey);
  const bytes = messageBytes(decoded(base58, params.message, "message"));
  return {
    question: askMessage(account.address, bytes),
    carryOut: async () => ({ signature: base58.encode(signBytes(bytes, account)) }),
  };
}

async function transaction(asked: Asked, params: JsonObject, sends: boolean): Promise<Prepared> {
  const read = readTransaction(decoded(base64, params.transaction, "transaction"));
  const account = signerOf(asked, params, read);
  return {
    question: await askTransaction(account.address, read, sends),
    carryOut: async () => {
      const { signed, id } = signTransaction(read, account);
      const own = signBytes(read.message, account);
      if (!sends) return { signature: base58.encode(own), transaction: base64.encode(signed) };
      await send(signed, params.sendOptions);
      return { signature: base58.encode(id) };
    },
  };
}

async function transactions(asked: Asked, params: JsonObject): Promise<Prepared> {
  const given = params.transactions;
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_TRANSACTIONS) {
    throw invalidParams(`transactions is a list of 1 to ${MAX_TRANSACTIONS}.`);
  }
  const read = given.map((one) => readTransaction(decoded(base64, one, "transactions")));
  const account = signerOf(asked, params, ...read);
  const questions = await Promise.all(read.map((one) => askTransaction(account.address, one, false)));
  return {
    question: {
      title: `Sign ${read.length} transactions?`,
      agree: "Sign all",
      facts: questions.flatMap(({ facts }, index) => [["Transaction", String(index + 1)] as const, ...facts.slice(1)]),
      note: "The app gets them signed, and can send them at once.",
      ...(questions.some(({ warning }) => warning) && { warning: "This phone cannot tell what all of it does." }),
    },
    carryOut: async () => ({ transactions: read.map((one) => base64.encode(signTransaction(one, account).signed)) }),
  };
}

/** The account that is to sign: the one named, or the first of the session's that the transactions ask for. */
function signerOf(asked: Asked, params: JsonObject, ...read: readonly Transaction[]): SolanaAccount {
  const named = params.pubkey ?? asked.allowed.find((address) => read.every(({ signers }) => signers.includes(address)));
  const account = permitted(ACCOUNTS, asked, named);
  if (!read.every(({ signers }) => signers.includes(account.address))) {
    throw invalidParams("The transaction does not ask for a signature of this account.");
  }
  return account;
}

async function send(signed: Uint8Array, options: unknown): Promise<void> {
  const { skipPreflight, preflightCommitment, maxRetries, minContextSlot } = isObject(options) ? options : {};
  const wanted = { encoding: "base64", skipPreflight, preflightCommitment, maxRetries, minContextSlot };
  const signature = await askChain(CHAIN, "sendTransaction", [base64.encode(signed), wanted]);
  if (typeof signature !== "string") throw new ProviderRpcError(-32603, "The node answered sendTransaction with no signature.");
}

function decoded(coder: { decode: (text: string) => Uint8Array }, value: unknown, name: string): Uint8Array {
  try {
    return coder.decode(text(value, name));
  } catch {
    throw invalidParams(`${name} cannot be read.`);
  }
}
