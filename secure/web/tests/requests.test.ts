import { describe, expect, it } from "vitest";
import { hex, utf8 } from "../src/bytes";
import { clean, type Data } from "../src/clean";
import { FrameError } from "../src/errors";
import { readRequest } from "../src/requests";
import { accountKeys, addresses, carryOut, CORE, NO_API, NODE, ORIGIN, OTHER, read, rows, SOLANA, TOKEN } from "./requests";
import { MemoryStore } from "../src/storage";

const message = (text: string) => read("personal_sign", [`0x${hex(utf8(text))}`, addresses.evm]);

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

  it.each(["ab".repeat(32), `0x${"AB".repeat(32)}`, "k#9q$Zr!w0p)Xe~t7&Lm^c2*Vb5+Ns8=", "\u4f60\u597d".repeat(5) + "ok", "a\u0001".repeat(16)])(
    "that may be a hash is warned of, and waits as what moves value does: %j",
    async (text) => {
      const { summary } = await message(text);
      expect(summary.unreadable).toBe(true);
      expect(summary.warnings.join()).toContain("Nobody can read what is signed here");
    },
  );

  it("in words is no hash, though it is as long as one", async () => {
    const text = "Sign in to Lemon Market, please!";
    expect((await message(text)).summary).toEqual({ title: "Sign a message", text, sections: [], warnings: [] });
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

const send = (fields: object, chain?: string, node?: Record<string, Data>) => read("eth_sendTransaction", [fields], chain, node);

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
    const keys = await accountKeys();
    const sent: string[] = [];
    const ask = async (name: string, params: Data) => {
      if (name !== "eth_sendRawTransaction") return NODE[name] ?? { found: true };
      sent.push((params as string[])[0] as string);
      throw new FrameError("lost", undefined, sent.length === 1 ? "unreachable" : "rpc");
    };
    const asked = { method: "eth_sendTransaction", params: clean([{ to: OTHER }]), chain: "eip155:1", origin: ORIGIN, addresses, node: ask, store: new MemoryStore(), api: NO_API };
    const plan = await readRequest(asked, CORE);
    expect(await carryOut(plan, keys)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
  });
});
