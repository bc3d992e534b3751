// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hex, utf8 } from "../src/bytes";
import type { Data, DataObject } from "../src/clean";
import { keccak, type Keys } from "../src/keys";
import { DELEGATE, delegation, encodeExecute } from "../src/smart_account/delegator";
import { accountKeys, addresses, carryOut, OTHER, rows, TOKEN } from "./requests";
import { begin, chain, HASH, read, type World } from "./smart_account_stage";

/** Of the private key 1, whose account everybody knows. */
const SERVICE_KEY = "0x0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";
const SERVICE = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf";
const PCI = "6f0c7a9e-3f51-4a6b-9a52-0a2f6a0a3c11";
const SMART: World = { code: delegation(DELEGATE), answers: { eth_call: `0x${"0".repeat(63)}3` } };
const ORDINARY: World = { ...SMART, code: "0x", receipt: { status: "0x1" } };

let keys: Keys;
beforeAll(async () => {
  keys = await accountKeys();
});
beforeEach(begin);

const key = (publicKey = SERVICE_KEY) => ({ type: "secp256k1", publicKey });
const asked = (changes: object = {}) => ({
  ...{ chainId: `0x${BigInt(chain().slice(7)).toString(16)}`, address: addresses.evm, expiry: 4_000_000_000, policies: [] },
  signer: { type: "keys", data: { keys: [key(), key(`0x04${"1".repeat(128)}`)] } },
  permissions: [{ type: "native-token-recurring-allowance", data: { allowance: "0xde0b6b3a7640000", start: 1_700_000_000_000, period: 86_400 } }],
  ...changes,
});
const grant = (changes: object = {}, world = SMART) => read("wallet_grantPermissions", [asked(changes)], world);
const granted = async (changes: object = {}, world = SMART) => (await carryOut(await grant(changes, world), keys)) as DataObject;
const operation = (to: string = addresses.evm) => ({
  ...{ sender: addresses.evm, nonce: "0x0", callData: `0x${hex(encodeExecute([{ to, value: 0n, data: new Uint8Array(0) }]))}` },
  ...{ callGasLimit: "0x186a0", verificationGasLimit: "0x186a0", preVerificationGas: "0x1", maxFeePerGas: "0x3b9aca00", maxPriorityFeePerGas: "0x1" },
  ...{ paymaster: TOKEN.toLowerCase(), paymasterVerificationGasLimit: "0x1", paymasterPostOpGasLimit: "0x1" },
});
const ENTRY_POINT = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
const selector = (text: string) => hex(keccak(new TextEncoder().encode(text))).slice(0, 8);

describe("a grant to the keys of a sessions service and a page", () => {
  it("is shown with its limit, its end and the service's account", async () => {
    const plan = await grant();
    expect(plan.summary.title).toBe("Grant a permission");
    expect(rows(plan)).toMatchObject({ "Who may act": SERVICE, "At most every day": "1 of the network's coin", Starts: "2023-11-14 22:13 UTC" });
  });

  it("answers with what was asked for and a context of the service's account", async () => {
    const answer = await granted();
    expect(answer).toMatchObject({ ...asked(), address: addresses.evm });
    expect(answer["context"]).toContain(SERVICE.slice(2).toLowerCase());
  });

  it("of tokens counts altogether", async () => {
    const plan = await grant({ permissions: [{ type: "erc20-token-transfer", data: { address: TOKEN, allowance: "0x5" } }] });
    expect(rows(plan)).toMatchObject({ Token: TOKEN.toLowerCase(), "Altogether at most": "5 base units" });
  });

  const mint = { functionName: "mint", valueLimit: "0xde0b6b3a7640000" };
  const abi = [{ type: "function", name: "mint", inputs: [{ type: "tuple[]", components: [{ type: "address" }, { type: "uint8" }] }] }];
  const calls = (changes: object = {}, more: object = {}) => ({
    permissions: [{ type: "contract-call", data: { address: TOKEN, abi, functions: [{ ...mint, ...changes }], ...more } }],
    policies: [{ type: "call-limit", data: { count: 3 } }],
  });

  it("to call a contract is shown with its functions' names and the most coins", async () => {
    const method = `0x${selector("mint((address,uint8)[])")}`;
    const plan = await grant(calls());
    expect(rows(plan)).toMatchObject({
      Contract: TOKEN.toLowerCase(),
      Function: `mint((address,uint8)[]), which is ${method}`,
      "Calls at most": "3",
      "Altogether at most": "3 of the network's coin",
    });
  });

  it("to call a contract is held by target, functions, coins, number, end and nonce", async () => {
    const context = String((await granted(calls()))["context"]);
    const enforcers = ["7f20f61b1f09b08d970938f6fa563634d65c4eeb", "2c21fd0cb9dc8445cb3fb0dc5e7bb0aca01842b5", "92bf12322527caa612fd31a0e810472bbb106a8f"];
    for (const one of [...enforcers, "04658b29f6b82ed55274221a06fc97d318e25416", "1046bb45c8d673d4ea75321280db34899413c069"]) expect(context).toContain(one);
  });

  it.each([
    ["with conditions on arguments", calls({ args: [{ operator: "EQUAL", value: "0x1" }] }), "conditions on arguments are not supported"],
    ["as its own code", calls({ operation: "DelegateCall" }), "operation is not supported"],
    ["of a function that the abi has not", calls({ functionName: "burn" }), "functionName is in the abi not exactly once"],
    ["of functions with several limits", calls({}, { functions: [mint, { functionName: "mint" }] }), "functions with several limits are not supported"],
    ["of no function", calls({}, { functions: [] }), "functions"],
    ["with a policy that nothing holds", { ...calls(), policies: [{ type: "gas-limit", data: { limit: "0x1" } }] }, "policies other than call-limit"],
    ["with coins and any number", { ...calls(), policies: [] }, "it would hand over a smart account"],
    ["that moves tokens", calls({ functionName: "approve" }, { abi: [{ type: "function", name: "approve", inputs: [{ type: "address" }, { type: "uint256" }] }] }), "hand over"],
    ["of the account itself", calls({}, { address: addresses.evm }), "it would hand over a smart account"],
  ])("to call a contract %s is refused", async (_what, changes, why) => {
    await expect(grant(changes)).rejects.toThrow(why);
  });

  it("makes an ordinary account a smart account", async () => {
    const plan = await grant({}, ORDINARY);
    expect(rows(plan)).toMatchObject({ "Runs the code of": DELEGATE });
    expect((plan.sign(keys) as DataObject)["transaction"]).toMatch(/^0x04/);
    expect((await granted({}, ORDINARY))["hash"]).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it("makes it one by an operation that somebody pays for", async () => {
    const plan = await read("wallet_grantPermissions", [asked(), operation(), ENTRY_POINT], ORDINARY);
    expect(rows(plan)).toMatchObject({ "Who may act": SERVICE, "Runs the code of": DELEGATE, "Network fee": "paid by the paymaster" });
    expect(rows(plan)).not.toHaveProperty("Amount");
    expect(plan.sign(keys)).not.toHaveProperty("transaction");
    expect(await carryOut(plan, keys)).toMatchObject({ context: expect.any(String), operation: { eip7702Auth: { address: DELEGATE } } });
  });

  it("is refused with an operation that does more", async () => {
    const more = [asked(), operation(OTHER), ENTRY_POINT];
    await expect(read("wallet_grantPermissions", more, ORDINARY)).rejects.toThrow("Invalid params: the operation does more");
  });

  it.each([
    ["of no known type", { permissions: [{ type: "gas", data: {} }] }],
    ["of a field that nobody knows", { permissions: [{ type: "native-token-transfer", data: { allowance: "0x1", to: OTHER } }] }],
    ["of two permissions", { permissions: [asked().permissions[0], asked().permissions[0]] }],
    ["with policies", { policies: [{ type: "gas-limit", data: { limit: "0x1" } }] }],
    ["that has ended", { expiry: 5 }],
    ["without a limit", { permissions: [{ type: "native-token-transfer", data: { allowance: `0x${"f".repeat(64)}` } }] }],
    ["to another account's name", { address: OTHER }],
    ["for another network", { chainId: "0x2" }],
    ["to a compressed key", { signer: { type: "keys", data: { keys: [key(`0x02${"1".repeat(64)}`)] } } }],
    ["to three keys", { signer: { type: "keys", data: { keys: [key(), key(), key()] } } }],
    ["to a signer of another type", { signer: { type: "account", data: { address: OTHER } } }],
  ])("%s is refused", async (_, changes) => {
    await expect(grant(changes)).rejects.toThrow("Invalid params");
  });

  it("is refused on a network without the contracts that would hold it", async () => {
    await expect(grant({}, { ...SMART, answers: { eth_call: "0x" } })).rejects.toMatchObject({ code: 4200 });
  });
});

describe("the end of a grant", () => {
  const end = (changes: object = {}) => {
    const { expiry, permissions } = asked();
    return read("wallet_revokePermissions", [{ pci: PCI, expiry, permissions, address: `${chain()}:${addresses.evm}`, ...changes }], SMART);
  };

  it("disables the delegation on the chain, and answers with the signed id", async () => {
    const { context } = await granted();
    const plan = await end();
    expect(plan.summary.title).toBe("Take back a permission");
    expect(rows(plan)).toMatchObject({ "Who may no longer act": SERVICE, "Signs its id": PCI });
    expect(plan.message).toEqual(utf8(PCI));
    const { transaction, signature } = plan.sign(keys) as { transaction: string; signature: Data };
    const call = selector("disableDelegation((address,address,bytes32,(address,bytes,bytes)[],uint256,bytes))");
    expect(transaction).toContain(call + "0".repeat(62) + "20" + (context as string).slice(2 + 3 * 64));
    expect(await carryOut(plan, keys)).toBe(signature);
  });

  it("finds a permission of another browser by its context", async () => {
    const { context } = await granted();
    begin();
    await expect(end()).rejects.toThrow("no permission that was granted here");
    expect((await end({ context })).summary.title).toBe("Take back a permission");
  });

  it("signs nothing that could be another message", async () => {
    await granted();
    await expect(end({ pci: "shop.example wants you to sign in" })).rejects.toThrow("pci");
  });

  it("takes no context that is none", async () => {
    await expect(end({ context: HASH })).rejects.toThrow("no permission");
  });
});
