/** What hosts of Solana know from the providers of its wallets, over the requests that every provider has. */
import { fail } from "../errors";
import { fromBase58, fromBase64, toBase58, toBase64 } from "./encoding";
import { UNAUTHORIZED } from "./line";
import { page } from "./page";

/** A transaction of @solana/web3.js, with a version or without; it is made anew by the host's own library. */
type Transaction = { serialize(how?: object): Uint8Array; constructor: Library };
/** Its class: those with a version have `deserialize`. */
type Library = { deserialize?: Reader; from: Reader };
type Reader = (bytes: Uint8Array) => Transaction;
type Signed = { signature: string };
type Changed = { transaction: unknown };
type Connection = { sendRawTransaction(bytes: Uint8Array, options?: object): Promise<string> };

/** The answer is our own server's, whose shape docs/protocol.md §6 has. */
async function request<Answer>(method: string, params: object): Promise<Answer> {
  if (!page.solanaAddress()) throw fail(UNAUTHORIZED, "No wallet is connected");
  // The seam has this provider as an object, so that the first script tells the second nothing of its type.
  return (page.solana as { request(asked: object): Promise<Answer> }).request({ method, params });
}

const text = (transaction: Transaction) => toBase64(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }));

const read = ({ constructor }: Transaction, signed: unknown): Transaction => (constructor.deserialize ?? constructor.from)(fromBase64(signed));

const methods = {
  /** What a `PublicKey` is made of; null while nobody is connected. */
  get publicKey() {
    const address = page.solanaAddress();
    const toString = () => address;
    return address ? { toString, toJSON: toString, toBase58: toString, toBytes: () => fromBase58(address) } : null;
  },
  async signMessage(message: Uint8Array): Promise<Uint8Array> {
    const { signature } = await request<Signed>("solana_signMessage", { message: toBase58(message), pubkey: page.solanaAddress() });
    return fromBase58(signature);
  },
  async signTransaction(transaction: Transaction): Promise<Transaction> {
    return read(transaction, (await request<Changed>("solana_signTransaction", { transaction: text(transaction) })).transaction);
  },
  async signAllTransactions(given: Transaction[]): Promise<Transaction[]> {
    const { transactions } = await request<{ transactions: unknown[] }>("solana_signAllTransactions", { transactions: given.map(text) });
    return given.map((transaction, index) => read(transaction, transactions[index]));
  },
  /** The wallet sends; gives the signature. */
  async signAndSendTransaction(transaction: Transaction, sendOptions?: object): Promise<string> {
    return (await request<Signed>("solana_signAndSendTransaction", { transaction: text(transaction), ...(sendOptions && { sendOptions }) })).signature;
  },
  /** The host's own connection sends; gives the signature. */
  async sendTransaction(transaction: Transaction, connection: Connection, options?: object): Promise<string> {
    return connection.sendRawTransaction((await methods.signTransaction(transaction)).serialize(), options);
  },
};

/** Gives the page's provider of Solana its methods. */
export const lendSolana = (): object => Object.defineProperties(page.solana, Object.getOwnPropertyDescriptors(methods));
