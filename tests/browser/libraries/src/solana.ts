/** A host that uses @solana/web3.js. */
import { Connection, PublicKey, SystemProgram, Transaction, TransactionMessage, VersionedTransaction } from "@solana/web3.js";

const provider = () => window.modal.getProvider("solana");
const connected = (): PublicKey => new PublicKey(provider().publicKey.toBase58());

export async function connect(): Promise<string> {
  const address: string = await provider().connect();
  if (!connected().equals(new PublicKey(address))) throw new Error("another account");
  return address;
}

/** Hex of the signature's bytes. */
export async function sign(text: string): Promise<string> {
  const signature: Uint8Array = await provider().signMessage(new TextEncoder().encode(text));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function transfer(connection: Connection, to: string, lamports: number, versioned: boolean) {
  const payer = connected();
  const instruction = SystemProgram.transfer({ fromPubkey: payer, toPubkey: new PublicKey(to), lamports });
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  if (!versioned) return new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight }).add(instruction);
  const message = new TransactionMessage({ payerKey: payer, recentBlockhash: blockhash, instructions: [instruction] });
  return new VersionedTransaction(message.compileToV0Message());
}

/** The wallet signs and the host sends. */
export async function signAndSend(node: string, to: string, lamports: number, versioned: boolean): Promise<string> {
  const connection = new Connection(node, "confirmed");
  const signed = await provider().signTransaction(await transfer(connection, to, lamports, versioned));
  return connection.sendRawTransaction(signed.serialize());
}

/** The wallet signs and sends. */
export async function send(node: string, to: string, lamports: number): Promise<string> {
  const connection = new Connection(node, "confirmed");
  return provider().signAndSendTransaction(await transfer(connection, to, lamports, true));
}

/** The wallet signs and the provider sends over the host's connection, as wallet adapters do. */
export async function sendOver(node: string, to: string, lamports: number): Promise<string> {
  const connection = new Connection(node, "confirmed");
  return provider().sendTransaction(await transfer(connection, to, lamports, false), connection);
}

export async function signAll(node: string, to: string, lamports: number[]): Promise<number> {
  const connection = new Connection(node, "confirmed");
  const transactions = await Promise.all(lamports.map((each) => transfer(connection, to, each, false)));
  const signed: Transaction[] = await provider().signAllTransactions(transactions);
  return signed.filter((each) => each.verifySignatures()).length;
}
