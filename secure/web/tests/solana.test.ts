import { describe, expect, it } from "vitest";
import { base64, concat, unbase64, utf8 } from "../src/bytes";
import { clean, type Data } from "../src/clean";
import { base58 } from "../src/keys";
import { readRequest } from "../src/requests";
import { accountKeys, addresses, carryOut, CORE, NO_API, ORIGIN, read, rows, SOLANA } from "./requests";
import { MemoryStore } from "../src/storage";

const SYSTEM = new Uint8Array(32);
const TOKENS = () => base58.decode("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const key = (byte: number) => new Uint8Array(32).fill(byte);

/** A transaction of one instruction, which the account signs and pays. */
function transaction(program: Uint8Array, data: number[], others: Uint8Array[], first = base58.decode(addresses.solana)): string {
  const keys = [first, ...others, program];
  const accounts = [0, ...others.map((_, at) => at + 1)];
  const message = concat(
    Uint8Array.of(1, 0, 1, keys.length),
    ...keys,
    key(7),
    Uint8Array.of(1, keys.length - 1, accounts.length, ...accounts, data.length, ...data),
  );
  return base64(concat(Uint8Array.of(1), new Uint8Array(64), message));
}

const signSolanaTransaction = (text: string, more: object = {}) => read("solana_signTransaction", { transaction: text, ...more }, SOLANA);
const amount = (value: number) => [value & 255, value >> 8, 0, 0, 0, 0, 0, 0];

describe("a transaction of Solana", () => {
  it("of coins names the receiver, the amount and what it costs at most", async () => {
    const plan = await signSolanaTransaction(transaction(SYSTEM, [2, 0, 0, 0, ...amount(5)], [key(1)]));
    expect(plan.summary.sections[0]?.title).toBe("Send 0.000000005 SOL");
    expect(rows(plan)).toMatchObject({ From: addresses.solana, To: base58.encode(key(1)), "Network fee": "at most 0.000005 SOL" });
    expect(plan.summary.warnings).toEqual([]);
  });

  it("of a token names its accounts and the amount", async () => {
    const plan = await signSolanaTransaction(transaction(TOKENS(), [12, ...amount(1234), 2], [key(1), key(2), key(3)]));
    expect(rows(plan)).toMatchObject({ Amount: "12.34", "To token account": base58.encode(key(2)), Token: base58.encode(key(1)) });
  });

  it.each([
    ["an allowance", () => transaction(TOKENS(), [4, ...amount(5)], [key(1), key(2)]), "take tokens from your account"],
    ["a handed over account", () => transaction(TOKENS(), [6, 2, 1], [key(1)]), "gives away the control"],
    ["a burnt token", () => transaction(TOKENS(), [8, ...amount(5)], [key(1), key(2)]), "destroys tokens"],
    ["a program that nobody knows", () => transaction(key(9), [1, 2, 3], [key(1)]), "cannot be read here"],
    ["a token's instruction that nobody knows", () => transaction(TOKENS(), [200], [key(1)]), "cannot be read here"],
    ["a transfer with something behind it", () => transaction(SYSTEM, [2, 0, 0, 0, ...amount(5), 1], [key(1)]), "cannot be read here"],
  ])("with %s is warned of", async (_, text, warning) => {
    expect((await signSolanaTransaction(text())).summary.warnings.join()).toContain(warning);
  });

  it.each([
    ["that another account signs", () => transaction(SYSTEM, [2, 0, 0, 0, ...amount(5)], [key(1)], key(2)), {}],
    ["of another account by its name", () => transaction(SYSTEM, [], []), { pubkey: base58.encode(key(2)) }],
    ["that is cut off", () => transaction(SYSTEM, [], []).slice(0, -4), {}],
    ["with something behind it", () => base64(concat(unbase64(transaction(SYSTEM, [], [])), Uint8Array.of(1))), {}],
    ["in base58", () => base58.encode(unbase64(transaction(SYSTEM, [], []))), {}],
    ["that is too large", () => "A".repeat(9000), {}],
    ["that is none", () => 5 as unknown as string, {}],
  ])("%s is refused", async (_, text, more) => {
    await expect(signSolanaTransaction(text(), more)).rejects.toThrow("Invalid params");
  });

  it("for a test network is one that counts on the main network too", async () => {
    const text = transaction(SYSTEM, [2, 0, 0, 0, ...amount(5)], [key(1)]);
    const plan = await read("solana_signTransaction", { transaction: text }, "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1");
    expect(plan.summary.warnings.join()).toContain("main network");
  });

  it("that allows as much as there can be is unlimited", async () => {
    const most = transaction(TOKENS(), [4, ...Array<number>(8).fill(255)], [key(1), key(2)]);
    expect(rows(await signSolanaTransaction(most))["Amount"]).toBe("unlimited");
  });

  it("says that it is sent as well, with the options that nodes know", async () => {
    const sent: Data[] = [];
    const text = transaction(SYSTEM, [2, 0, 0, 0, ...amount(5)], [key(1)]);
    const params = clean({ transaction: text, sendOptions: { skipPreflight: true, maxRetries: -1, other: 1 } });
    const node = async (_: string, given: Data) => (sent.push(given), "signature");
    const plan = await readRequest({ method: "solana_signAndSendTransaction", params, chain: SOLANA, origin: ORIGIN, addresses, node, store: new MemoryStore(), api: NO_API }, CORE);
    expect(plan.summary.title).toBe("Sign and send a transaction");
    const signed = plan.sign(await accountKeys());
    expect(await carryOut(plan, await accountKeys())).toEqual({ signature: "signature" });
    expect(sent).toEqual([[(signed as { transaction: string }).transaction, { skipPreflight: true, encoding: "base64" }]]);
  });

  it("is not signed for a network of Ethereum", async () => {
    await expect(read("solana_signTransaction", { transaction: "" }, "eip155:1")).rejects.toThrow("chainId is no network of Solana");
  });
});

describe("a message of Solana", () => {
  it("is read from base58", async () => {
    const plan = await read("solana_signMessage", { message: base58.encode(utf8("Good morning")), pubkey: addresses.solana }, SOLANA);
    expect(plan.summary.text).toBe("Good morning");
  });

  it.each([["as it is", []], ["of version 0", [0x80]], ["of a version that nobody knows here", [0x81]]])("that is a transaction %s is refused", async (_, version) => {
    const message = unbase64(transaction(SYSTEM, [2, 0, 0, 0, ...amount(5)], [key(1)])).subarray(65);
    const tables = version.length ? [0] : [];
    const given = base58.encode(concat(Uint8Array.of(...version), message, Uint8Array.of(...tables)));
    await expect(read("solana_signMessage", { message: given }, SOLANA)).rejects.toThrow("this is a transaction, and no message");
  });

  it.each([["no base58 0OIl"], ["1".repeat(20_000)], [5], [undefined]])("that is none is refused: %s", async (given) => {
    await expect(read("solana_signMessage", { message: given }, SOLANA)).rejects.toThrow("Invalid params");
  });
});
