import { describe, expect, it } from "vitest";
import { addresses, OTHER, read, rows, TOKEN } from "./requests";

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
