import { beforeAll, describe, expect, it } from "vitest";
import { base64, concat, hex, unbase64, utf8 } from "../src/bytes";
import { clean, type Data } from "../src/clean";
import { FrameError } from "../src/errors";
import { addressesOf, base58, checksummed, deriveKeys, keccak, signDigest, signSolana, type Addresses } from "../src/keys";
import { readRequest } from "../src/requests";
import type { Core, Plan } from "../src/scripts";

const ORIGIN = "https://shop.example";
const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const TOKEN = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const OTHER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const CORE = { keccak, base58, checksummed, signDigest, signSolana, FrameError } as unknown as Core;
const NODE: Record<string, Data> = {
  eth_getTransactionCount: "0x5",
  eth_estimateGas: "0x5208",
  eth_gasPrice: "0x3b9aca00",
  eth_feeHistory: { baseFeePerGas: ["0x1", "0x3b9aca00"], reward: [["0x5f5e100"]] },
};

let addresses: Addresses;

beforeAll(async () => {
  addresses = addressesOf(await deriveKeys(new Uint8Array(16).fill(5)));
});

const refusedByNode = () => new FrameError("execution reverted", 3, "rpc", "0x1234");

function read(method: string, params: unknown, chain = "eip155:1", node: Record<string, Data> = NODE): Promise<Plan> {
  const ask = async (name: string) => {
    const answer = node[name];
    if (answer === undefined) throw refusedByNode();
    return answer;
  };
  return readRequest({ method, params: clean(params), chain, origin: ORIGIN, addresses, node: ask }, CORE);
}

const message = (text: string) => read("personal_sign", [`0x${hex(utf8(text))}`, addresses.evm]);
const send = (fields: object, chain?: string, node?: Record<string, Data>) => read("eth_sendTransaction", [fields], chain, node);
const rows = ({ summary }: Plan) => Object.fromEntries(summary.sections.flatMap((section) => section.rows.map(({ label, value }) => [label, value])));

const signIn = (domain: string, changes: { account?: string; uri?: string; end?: string } = {}) =>
  `${domain} wants you to sign in with your Ethereum account:\n${changes.account ?? addresses.evm}\n\nWelcome.\n\n` +
  `URI: ${changes.uri ?? `https://${domain}/in`}\nVersion: 1\nChain ID: 1\nNonce: abcdefgh\nIssued At: 2026-01-01T00:00:00Z${changes.end ?? ""}`;

describe("a message", () => {
  it("is shown as it is signed", async () => {
    const { summary } = await message("Good morning\nagain");
    expect(summary).toEqual({ title: "Sign a message", text: "Good morning\nagain", sections: [], warnings: [] });
  });

  it("that is no text is shown as bytes, with a warning", async () => {
    const { summary } = await read("personal_sign", [`0x${"00ff".repeat(16)}`, addresses.evm]);
    expect(summary).toMatchObject({ title: "Sign data", text: `0x${"00ff".repeat(16)}` });
    expect(summary.warnings).toHaveLength(1);
  });

  it.each(["a\u202eb", "a\u200bb", "a\u0000b", "a\u3164b", "a\u2800b"])("hides nothing: %j", async (text) => {
    const { summary } = await message(text);
    expect(summary.text).toMatch(/^a\[U\+[0-9A-F]{4}\]b$/);
    expect(summary.warnings).toHaveLength(1);
  });

  it("that is a hash is warned of", async () => {
    expect((await message("ab".repeat(32))).summary.warnings).toHaveLength(1);
  });

  it("that signs in to the site that asks is named so", async () => {
    const { summary } = await message(signIn("shop.example"));
    expect([summary.title, summary.warnings]).toEqual(["Sign in to shop.example", []]);
  });

  it.each([
    ["another site", () => signIn("bank.example"), "This signs you in to bank.example, and shop.example asks for it"],
    ["a part of the site's name", () => signIn("shop.example.evil"), "This signs you in to shop.example.evil"],
    ["another account", () => signIn("shop.example", { account: OTHER }), "It names another account"],
    ["another page", () => signIn("shop.example", { uri: "https://evil.example" }), "The page that it leads to"],
    ["abilities", () => signIn("shop.example", { end: "\nResources:\n- urn:recap:eyJhdHQiOnt9fQ" }), "It is more than a sign-in"],
    ["a sign-in further down", () => `Hi\n${signIn("bank.example")}`, "It speaks of a sign-in"],
  ])("of %s is warned of", async (_, text, warning) => {
    expect((await message(text())).summary.warnings.join("\n")).toContain(warning);
  });

  it.each([
    ["another account", ["0x00", OTHER]],
    ["no account", ["0x00"]],
    ["an account first", [OTHER, "0x00"]],
    ["half a byte", ["0x0", ""]],
    ["digits without 0x", ["abcdef", ""]],
    ["no text", [1, ""]],
    ["one that is too long", ["x".repeat(70_000), ""]],
    ["no list", { message: "x" }],
  ])("with %s is refused", async (_, params) => {
    const filled = Array.isArray(params) ? params.map((one) => (one === "" ? addresses.evm : one)) : params;
    await expect(read("personal_sign", filled)).rejects.toThrow("Invalid params");
  });

  it("of Ethereum is not signed for Solana", async () => {
    await expect(read("personal_sign", ["0x00", addresses.evm], SOLANA)).rejects.toThrow("chainId is no network of Ethereum");
  });
});

const word = (value: bigint | string) => (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(64, "0");

describe("a transaction", () => {
  it("of coins names the receiver, the amount and what it costs at most", async () => {
    const plan = await send({ to: OTHER.toLowerCase(), value: "0x2386f26fc10000" });
    expect(plan.summary).toMatchObject({ title: "Send 0.01 ETH", warnings: [] });
    expect(rows(plan)).toEqual({ To: OTHER, Amount: "0.01 ETH", "Network fee": "at most 0.0000441 ETH" });
    expect([plan.network, plan.account]).toEqual(["Ethereum", addresses.evm]);
  });

  it("on a network that nobody knows says so", async () => {
    const plan = await send({ to: OTHER, value: "0x1" }, "eip155:987654");
    expect(rows(plan)["Amount"]).toBe("0.000000000000000001 of the network's coin");
    expect(plan.network).toBe("eip155:987654");
  });

  it("of a token names the receiver, not only the contract", async () => {
    const plan = await send({ to: TOKEN, data: `0xa9059cbb${word(OTHER)}${word(5n)}` });
    expect(rows(plan)).toMatchObject({ To: OTHER, Amount: "5 base units", "Token contract": TOKEN });
  });

  it.each([
    ["an allowance of everything", `0x095ea7b3${word(OTHER)}${"f".repeat(64)}`, "Allow spending", "unlimited"],
    ["an allowance of nearly everything", `0x095ea7b3${word(OTHER)}${word(2n ** 255n)}`, "Allow spending", "unlimited"],
    ["a higher allowance", `0x39509351${word(OTHER)}${"f".repeat(64)}`, "Allow more spending", "unlimited"],
  ])("of %s is warned of", async (_, data, title, amount) => {
    const plan = await send({ to: TOKEN, data });
    expect(plan.summary.title).toBe(title);
    expect(plan.summary.warnings.join()).toContain("take all of a token");
    expect(rows(plan)).toMatchObject({ Spender: OTHER, Amount: amount });
  });

  it("of a small allowance, or of one that is taken back, is not", async () => {
    for (const [amount, title] of [[5n, "Allow spending"], [0n, "Take back an allowance"]] as const) {
      const { summary } = await send({ to: TOKEN, data: `0x095ea7b3${word(OTHER)}${word(amount)}` });
      expect(summary.title).toBe(title);
      // Collections have the same function, for one item.
      expect(summary.warnings).toEqual([`If the contract is a collection, this lets the spender take its item ${amount}.`]);
    }
  });

  it("of a whole collection is warned of", async () => {
    const plan = await send({ to: TOKEN, data: `0xa22cb465${word(OTHER)}${word(1n)}` });
    expect(plan.summary.warnings.join()).toContain("every item of a collection");
  });

  it.each([
    ["what nobody knows", "0x12345678"],
    ["a transfer with something behind it", `0xa9059cbb${word(OTHER)}${word(5n)}00`],
    ["a transfer to more than an address", `0xa9059cbb${"f".repeat(64)}${word(5n)}`],
    ["less than a selector", "0x1234"],
  ])("that calls %s is a contract call, with a warning", async (_, data) => {
    const plan = await send({ to: TOKEN, data });
    expect(plan.summary.title).toBe("Contract call");
    expect(plan.summary.warnings.join()).toContain("cannot be read here");
    expect(rows(plan)["Contract"]).toBe(TOKEN);
  });

  it("that sends coins along with a call says so", async () => {
    const plan = await send({ to: TOKEN, value: "0xde0b6b3a7640000", data: `0x095ea7b3${word(OTHER)}${word(5n)}` });
    expect(rows(plan)["Sends along"]).toBe("1 ETH");
  });

  it.each([
    ["from another account", { from: OTHER, to: OTHER }],
    ["for another network", { to: OTHER, chainId: "0x2" }],
    ["with two different data", { to: OTHER, data: "0x01", input: "0x02" }],
    ["with two different gas limits", { to: OTHER, gas: "0x1", gasLimit: "0x2" }],
    ["with a field that hands over the account", { to: OTHER, authorizationList: [{}] }],
    ["with blobs", { to: OTHER, blobVersionedHashes: ["0x01"] }],
    ["of another type", { to: OTHER, type: "0x4" }],
    ["of two types", { to: OTHER, gasPrice: "0x1", maxFeePerGas: "0x1" }],
    ["of a type without its fields", { to: OTHER, gasPrice: "0x1", type: "0x2" }],
    ["with a tip above the fee", { to: OTHER, maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x2" }],
    ["to a wrong checksum", { to: OTHER.replace("d8dA", "D8da") }],
    ["to half an address", { to: OTHER.slice(0, 20) }],
    ["to nobody, of nothing", {}],
    ["with an amount that is none", { to: OTHER, value: "1 ETH" }],
    ["with a fraction", { to: OTHER, value: 0.5 }],
    ["with half a byte", { to: OTHER, data: "0x1" }],
    ["with too much data", { to: OTHER, data: `0x${"00".repeat(30_000)}` }],
    ["with an access list that is none", { to: OTHER, accessList: [{ address: OTHER, storageKeys: ["0x1"] }] }],
  ])("%s is refused", async (_, fields) => {
    await expect(send(fields)).rejects.toThrow("Invalid params");
  });

  it("that would fail is refused with the node's words", async () => {
    await expect(send({ to: OTHER, data: "0x01" }, "eip155:1", { ...NODE, eth_estimateGas: undefined as never })).rejects.toMatchObject({
      ...{ message: "execution reverted", code: 3, data: "0x1234" },
    });
  });

  it.each([
    ["does not know", undefined],
    ["knows nothing of", {}],
  ])("is legacy where the network %s fees of the new kind", async (_, history) => {
    const plan = await send({ to: OTHER, value: "0x1" }, "eip155:1", { ...NODE, eth_feeHistory: history as never });
    expect(rows(plan)["Network fee"]).toBe("at most 0.000021 ETH");
  });

  it.each(["", "5", null, [], {}])("is not filled with %j of a node", async (answer) => {
    await expect(send({ to: OTHER }, "eip155:1", { ...NODE, eth_getTransactionCount: answer as Data })).rejects.toThrow("the network's answer");
  });

  it("is sent again when the answer was lost, and is then one that the node has", async () => {
    const keys = await deriveKeys(new Uint8Array(16).fill(5));
    const sent: string[] = [];
    const ask = async (name: string, params: Data) => {
      if (name !== "eth_sendRawTransaction") return NODE[name] ?? { found: true };
      sent.push((params as string[])[0] as string);
      throw new FrameError("lost", undefined, sent.length === 1 ? "unreachable" : "rpc");
    };
    const asked = { method: "eth_sendTransaction", params: clean([{ to: OTHER }]), chain: "eip155:1", origin: ORIGIN, addresses, node: ask };
    const plan = await readRequest(asked, CORE);
    expect(await plan.send?.(plan.sign(keys))).toMatch(/^0x[0-9a-f]{64}$/);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
  });
});

const DOMAIN = { name: "USD Coin", version: "2", chainId: 1, verifyingContract: TOKEN };
const PERMIT = {
  types: {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  },
  primaryType: "Permit",
  domain: DOMAIN,
  message: { owner: OTHER, spender: OTHER, value: "5", nonce: 0, deadline: 1900000000 },
};

const typed = (data: unknown, chain?: string) => read("eth_signTypedData_v4", [addresses.evm, data], chain);
const permit = (message: object) => typed({ ...PERMIT, message: { ...PERMIT.message, ...message } });

describe("typed data", () => {
  it("names spender, token and amount of a permit", async () => {
    const plan = await permit({});
    expect(plan.summary.title).toBe("Sign a permit");
    expect(rows(plan)).toMatchObject({ Spender: OTHER, Token: TOKEN, Amount: "5 base units", Until: "2030-03-17 17:46 UTC" });
    expect(plan.summary.warnings).toEqual(["It lets somebody else take tokens of yours, without another question."]);
  });

  it("warns of a permit for everything", async () => {
    expect((await permit({ value: (2n ** 256n - 1n).toString() })).summary.warnings.join()).toContain("take all of a token");
  });

  it("names every token of Permit2", async () => {
    const details = [{ name: "token", type: "address" }, { name: "amount", type: "uint160" }, { name: "expiration", type: "uint48" }];
    const plan = await typed({
      types: {
        PermitBatch: [{ name: "details", type: "PermitDetails[]" }, { name: "spender", type: "address" }, { name: "sigDeadline", type: "uint256" }],
        PermitDetails: details,
      },
      primaryType: "PermitBatch",
      domain: { name: "Permit2", chainId: 1, verifyingContract: TOKEN },
      message: {
        ...{ spender: OTHER, sigDeadline: "1" },
        details: [TOKEN, OTHER].map((token) => ({ token, amount: (2n ** 160n - 1n).toString(), expiration: 2 })),
      },
    });
    const allowed = plan.summary.sections[0]?.rows.filter(({ label }) => label === "Token").map(({ value }) => value);
    expect(allowed).toEqual([TOKEN, OTHER]);
    expect(plan.summary.warnings.join()).toContain("take all of a token");
  });

  it("shows every field that is signed, and no other", async () => {
    const plan = await permit({ extra: "not signed" });
    expect(Object.keys(rows(plan))).toEqual(expect.arrayContaining(["owner", "spender", "value", "nonce", "deadline", "name", "chainId"]));
    expect(JSON.stringify(plan.summary)).not.toContain("not signed");
  });

  it("names in a permit nothing that is not signed", async () => {
    const { Permit } = PERMIT.types;
    const types = { EIP712Domain: [{ name: "name", type: "string" }], Permit: Permit.filter(({ name }) => name !== "value") };
    const [allowed] = (await typed({ ...PERMIT, types })).summary.sections;
    expect(allowed?.title).toBe("It allows");
    expect(JSON.stringify(allowed)).toContain(OTHER);
    expect(JSON.stringify(allowed)).not.toContain(TOKEN);
    expect(JSON.stringify(allowed)).not.toContain("Amount");
  });

  it("of another network is warned of", async () => {
    expect((await typed(PERMIT, "eip155:137")).summary.warnings.join()).toContain("another network, number 1");
  });

  it("reveals what is hidden in a text", async () => {
    const data = { types: { Note: [{ name: "text", type: "string" }] }, primaryType: "Note", domain: {}, message: { text: "a\u202eb" } };
    const plan = await typed(data);
    expect(rows(plan)["text"]).toBe("a[U+202E]b");
    expect(plan.summary.warnings).toHaveLength(1);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["no types", { ...PERMIT, types: undefined }],
    ["a type that is nowhere", { ...PERMIT, primaryType: "Other" }],
    ["a type that every object has", { ...PERMIT, primaryType: "constructor" }],
    ["the domain alone", { ...PERMIT, primaryType: "EIP712Domain" }],
    ["a field that is missing", { ...PERMIT, message: { owner: OTHER } }],
    ["an amount that is too large", { ...PERMIT, message: { ...PERMIT.message, value: (2n ** 256n).toString() } }],
    ["an amount below nothing", { ...PERMIT, message: { ...PERMIT.message, value: "-1" } }],
    ["an amount that a reader would round", { ...PERMIT, message: { ...PERMIT.message, value: 1e20 } }],
    ["an amount with spaces", { ...PERMIT, message: { ...PERMIT.message, value: " 5" } }],
    ["an address that is none", { ...PERMIT, message: { ...PERMIT.message, spender: "0x1" } }],
    ["a type's name that is more than a name", { ...PERMIT, types: { ...PERMIT.types, "A(uint b)": [] } }],
    ["a field's name that is more than a name", { ...PERMIT, types: { Permit: [{ name: "a,uint b", type: "uint256" }] } }],
    ["a field twice", { ...PERMIT, types: { Permit: [...PERMIT.types.Permit, { name: "value", type: "uint8" }] } }],
    ["a type that is not known", { ...PERMIT, types: { Permit: [{ name: "value", type: "uint7" }] } }],
    ["bytes of another length", { types: { A: [{ name: "a", type: "bytes4" }] }, primaryType: "A", domain: {}, message: { a: "0x01" } }],
    ["a list of another length", { types: { A: [{ name: "a", type: "bool[2]" }] }, primaryType: "A", domain: {}, message: { a: [true] } }],
    ["more than can be shown", { types: { A: [{ name: "a", type: "bool[]" }] }, primaryType: "A", domain: {}, message: { a: Array(500).fill(true) } }],
  ])("with %s is refused", async (_, data) => {
    await expect(typed(data)).rejects.toThrow("Invalid params: typed data");
  });

  it("of another account is refused", async () => {
    await expect(read("eth_signTypedData_v4", [OTHER, PERMIT])).rejects.toThrow("Invalid params: another account");
  });
});

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
    const plan = await readRequest({ method: "solana_signAndSendTransaction", params, chain: SOLANA, origin: ORIGIN, addresses, node }, CORE);
    expect(plan.summary.title).toBe("Sign and send a transaction");
    const signed = plan.sign(await deriveKeys(new Uint8Array(16).fill(5)));
    expect(await plan.send?.(signed)).toEqual({ signature: "signature" });
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

  it.each([["no base58 0OIl"], ["1".repeat(20_000)], [5], [undefined]])("that is none is refused: %s", async (given) => {
    await expect(read("solana_signMessage", { message: given }, SOLANA)).rejects.toThrow("Invalid params");
  });
});
