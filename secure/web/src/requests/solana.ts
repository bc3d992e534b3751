/** Solana's requests, in the forms of the WalletConnect namespaces: transactions in base64, messages and signatures in base58. */
import { base64, unbase64 } from "../bytes";
import { isObject, type Data, type DataObject } from "../clean";
import type { Summary } from "../cards/card";
import type { Keys } from "../keys";
import { t } from "../language";
import type { Asked, Core, Plan } from "../scripts";
import { networkName } from "./amounts";
import { readMessage as readText } from "./messages";
import { readTransactionSections } from "./solana_summary";
import { atMost } from "./transactions";
import { readMessage, readTransaction, writeTransaction, type SolanaTransaction } from "./solana_transactions";

/** Bytes that are looked at; the network takes 1232. */
const MAX_TRANSACTION = 4096;
const MAX_TRANSACTIONS = 20;
/** Characters: the time to read base58 grows with their square. */
const MAX_MESSAGE = 16 * 1024;
const MAIN = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const ANY_NETWORK = t`It does not say for which network it is: it may count on the main network too.`;
const COMMITMENTS = new Set(["processed", "confirmed", "finalized", "recent", "single", "singleGossip", "root", "max"]);

/** Reads a Solana request. */
export function planSolana(asked: Asked, core: Core): Plan {
  const { params, addresses, chain } = asked;
  const wrong = core.invalid;
  if (!chain.startsWith("solana:")) throw wrong("chainId is no network of Solana");
  if (!isObject(params)) throw wrong("no object");
  const account = addresses.solana;
  for (const name of ["pubkey", "account"]) {
    if (params[name] !== undefined && params[name] !== null && params[name] !== account) throw wrong(`${name} is another account`);
  }
  const common = { network: networkName(chain), account };

  if (asked.method === "solana_signMessage") {
    const message = readBase58(params["message"], core, wrong);
    if (isTransaction(message)) throw wrong("this is a transaction, and no message");
    const sign = (keys: Keys) => ({ signature: core.base58.encode(core.signSolana(keys, message)) });
    return { ...common, summary: readText(message, account, asked.origin), sign };
  }

  const several = asked.method === "solana_signAllTransactions";
  const given = several ? params["transactions"] : [params["transaction"] ?? null];
  if (!Array.isArray(given) || !given.length || given.length > MAX_TRANSACTIONS) throw wrong("transactions");
  const transactions = given.map((text) => read(text, wrong));
  const places = transactions.map((one) => {
    const at = one.keys.slice(0, one.signers).findIndex((key) => core.base58.encode(key) === account);
    if (at < 0) throw wrong("this account does not sign the transaction");
    return at;
  });
  const sign = (keys: Keys) => transactions.map((one, at) => {
    const signatures = [...one.signatures];
    const own = core.signSolana(keys, one.message);
    signatures[places[at] as number] = own;
    return { signature: core.base58.encode(own), transaction: base64(writeTransaction({ ...one, signatures })) };
  });
  const sends = asked.method === "solana_signAndSendTransaction";
  const summary = summarise(transactions, account, chain, core, sends);
  const payloads = transactions.map(({ message }) => message);
  if (several) return { ...common, summary, transactions: payloads, sign: (keys) => ({ transactions: sign(keys).map((one) => one.transaction) }) };
  const plan: Plan = { ...common, summary, transactions: payloads, sign: (keys) => sign(keys)[0] as DataObject };
  if (!sends) return plan;
  const options = readOptions(params["sendOptions"] ?? params["options"], wrong);
  const send = async (signed: Data) => {
    const sent = (signed as DataObject)["transaction"] as string;
    return { signature: await sendTransaction(asked, sent, options) };
  };
  return { ...plan, send };
}

async function sendTransaction(asked: Asked, transaction: string, options: DataObject): Promise<Data> {
  const send = () => asked.node("sendTransaction", [transaction, { ...options, encoding: "base64" }]);
  return send().catch((error: { reason?: string }) => {
    if (error.reason !== "unreachable" && error.reason !== "timeout") throw error;
    // Sent twice, a transaction is still one.
    return send();
  });
}

function summarise(transactions: SolanaTransaction[], account: string, chain: string, core: Core, sends: boolean): Summary {
  const warnings = new Set(chain === MAIN ? [] : [ANY_NETWORK]);
  let fees = 0n;
  const sections = transactions.flatMap((one, at) => {
    const found = readTransactionSections(one, account, chain, core.base58.encode);
    found.warnings.forEach((warning) => warnings.add(warning));
    fees += found.fee;
    const number = transactions.length > 1 ? `${at + 1}. ` : "";
    return found.sections.map((section) => ({ ...section, title: number + section.title }));
  });
  const count = transactions.length;
  const title = count > 1 ? t`Sign ${count} transactions` : sends ? t`Sign and send a transaction` : t`Sign the transaction`;
  const cost = { rows: [{ label: t`Network fee`, value: atMost(chain, fees) }] };
  return { title, sections: fees ? [...sections, cost] : sections, warnings: [...warnings] };
}

function read(text: Data, wrong: (what: string) => Error): SolanaTransaction {
  try {
    if (typeof text !== "string" || text.length > MAX_TRANSACTION * 2) throw new RangeError("no transaction");
    const bytes = unbase64(text);
    if (bytes.length > MAX_TRANSACTION) throw new RangeError("too long");
    return readTransaction(bytes);
  } catch {
    throw wrong("the transaction cannot be read");
  }
}

function readBase58(text: Data | undefined, core: Core, wrong: (what: string) => Error): Uint8Array {
  try {
    if (typeof text !== "string" || text.length > MAX_MESSAGE) throw new RangeError("too long");
    return core.base58.decode(text);
  } catch {
    throw wrong("the message is no base58, or too long");
  }
}

/** Whether the signature of a message would be that of a transaction, of a version that is not known here too: no text begins so. */
function isTransaction(message: Uint8Array): boolean {
  try {
    if ((message[0] as number) >> 6 === 2) return true;
    readMessage(message);
    return true;
  } catch {
    return false;
  }
}

function readOptions(given: Data | undefined, wrong: (what: string) => Error): DataObject {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw wrong("options");
  const { skipPreflight, preflightCommitment, maxRetries, minContextSlot } = given;
  const isCount = (one: Data | undefined) => typeof one === "number" && Number.isSafeInteger(one) && one >= 0;
  return {
    ...(typeof skipPreflight === "boolean" && { skipPreflight }),
    ...(typeof preflightCommitment === "string" && COMMITMENTS.has(preflightCommitment) && { preflightCommitment }),
    ...(isCount(maxRetries) && { maxRetries }),
    ...(isCount(minContextSlot) && { minContextSlot }),
  };
}
