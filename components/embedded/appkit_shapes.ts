/** The payloads of AppKit's messages: what such a site is asked with, and what of its answers is taken. */
import { base58, base64 } from "@scure/base";
import { ABORTED, INTERNAL, isRecord, REJECTED, SecureError, text, UNSUPPORTED, type Payload } from "./types";

export type AppKitUser = { address: string; email: string; isSmart: boolean };

const MAX_EMAIL = 320;
const MAX_NAME = 100;
const MAX_URI = 4_096;
/** Characters: the time to read base58 grows with their square, and no transaction has more. */
const MAX_BASE58 = 8_192;
const EVM_ADDRESS = /^0x[\da-fA-F]{40}$/;
const SOLANA_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
const HEX = /^0x(?:[\da-fA-F]{2})+$/;
const MAILBOX = /^[^\s@]+@[^\s@]+$/;
const OTP = /^\d{6}$/;
/** Such a site answers with a sentence alone. */
const SAYS_NO = /\b(?:reject|den[iy]|declin|cancel)/i;
const EVM_METHODS = new Set(["personal_sign", "eth_signTypedData_v4", "eth_sendTransaction"]);

const unreadable = (): SecureError => new SecureError(INTERNAL, "The wallet service gave an answer that cannot be read");

export function readRecord(value: unknown): Payload {
  if (!isRecord(value)) throw unreadable();
  return value;
}

/** The next step of a login or of a change of address, one of `steps`. */
export function readAction(value: unknown, steps: readonly string[]): Payload {
  const { action } = readRecord(value);
  if (!steps.includes(action as string)) throw unreadable();
  return { action };
}

/** A network as such a site has it: the number of one of Ethereum's, CAIP-2 for others. */
export function chainName(chain: string): number | string {
  return chain.startsWith("eip155:") ? Number(chain.slice(7)) : chain;
}

/** The user on a network; whether the account that the site has chosen there is a smart one. */
export function readUser(value: unknown, chain: string): AppKitUser {
  const { address, email, accounts, preferredAccountType } = readRecord(value);
  const form = chain.startsWith("eip155:") ? EVM_ADDRESS : SOLANA_ADDRESS;
  if (typeof address !== "string" || !form.test(address)) throw unreadable();
  const listed = (Array.isArray(accounts) ? accounts : []).find((one) => isRecord(one) && text(one.address).toLowerCase() === address.toLowerCase());
  return {
    address,
    email: MAILBOX.test(text(email, MAX_EMAIL + 1)) ? text(email, MAX_EMAIL) : "",
    isSmart: (listed ? text(listed.type) : text(preferredAccountType)) === "smartAccount",
  };
}

export function readUserName(value: unknown): string {
  return text(readRecord(value).userName, MAX_NAME);
}

/** A page's address. `secure`: nothing but https will do. */
export function readUri(given: unknown, secure: boolean): string {
  if (typeof given !== "string" || given.length > MAX_URI || !URL.canParse(given)) throw unreadable();
  if (new URL(given).protocol !== "https:" && (secure || new URL(given).protocol !== "http:")) throw unreadable();
  return given;
}

export function readOtp({ otp }: Payload): Payload {
  if (!OTP.test(text(otp))) throw new SecureError(INTERNAL, "Invalid code");
  return { otp };
}

const toBase58 = (given: unknown): string => {
  if (typeof given !== "string" || given.length > MAX_BASE58) throw new SecureError(-32602, "Invalid params: transaction");
  try {
    return base58.encode(base64.decode(given));
  } catch {
    throw new SecureError(-32602, "Invalid params: transaction");
  }
};

const toBase64 = (given: unknown): string => {
  if (typeof given !== "string" || given.length > MAX_BASE58) throw unreadable();
  try {
    return base64.encode(base58.decode(given));
  } catch {
    throw unreadable();
  }
};

/** A request's parameters as such a site takes them: it has Solana's transactions in base58. */
export function requestParams(method: string, given: unknown): unknown {
  if (EVM_METHODS.has(method)) return Array.isArray(given) ? given : [];
  const { message, pubkey, account, transaction, transactions, sendOptions } = isRecord(given) ? given : {};
  if (method === "solana_signMessage") return { message, pubkey: pubkey ?? account };
  if (method === "solana_signTransaction") return { transaction: toBase58(transaction) };
  if (method === "solana_signAllTransactions") return { transactions: (Array.isArray(transactions) ? transactions : []).map(toBase58) };
  if (method !== "solana_signAndSendTransaction") throw new SecureError(UNSUPPORTED, `${method} is not supported`);
  return { transaction: toBase58(transaction), ...(isRecord(sendOptions) && { options: sendOptions }) };
}

/** What a request gives, in our forms. */
export function readResult(method: string, value: unknown): unknown {
  if (EVM_METHODS.has(method)) {
    if (typeof value !== "string" || !HEX.test(value)) throw unreadable();
    return value;
  }
  const { signature, transaction, transactions } = readRecord(value);
  const signed = SIGNATURE.test(text(signature)) ? { signature } : null;
  if (method === "solana_signTransaction") return { ...signed, transaction: toBase64(transaction) };
  if (method === "solana_signAllTransactions") {
    if (!Array.isArray(transactions)) throw unreadable();
    return { transactions: transactions.map(toBase64) };
  }
  if (!signed) throw unreadable();
  return signed;
}

/** What went wrong with a request: a visitor's refusal is told from a failure by its words. */
export function readRefusal(error: SecureError): SecureError {
  const { code, message, reason } = error;
  return code === INTERNAL && (message === ABORTED || SAYS_NO.test(message)) ? new SecureError(REJECTED, message, reason) : error;
}
