// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hex, unhex } from "../src/bytes";
import { clean, type Data } from "../src/clean";
import { FrameError, invalid } from "../src/errors";
import type { Parts } from "../src/frame";
import { addressesOf, base58, checksummed, keccak, signDigest, signSolana, type Addresses, type Keys } from "../src/keys";
import { readRequest, readWallet } from "../src/requests";
import { decodeCalls, encodeCalls } from "../src/safe/calls";
import { factoryCall, MODULE, safeAddress } from "../src/safe/contracts";
import type { Asked, Core, Plan, SafeScript } from "../src/scripts";
import * as script from "../src/safe";
import { MemoryStore, type Store } from "../src/storage";
import { NO_API } from "./requests";
import MADE from "./safes.json";

const SCRIPT = script as SafeScript;
const CORE = {
  ...{ keccak, base58, checksummed, signDigest, signSolana, FrameError, invalid },
  loadSmartAccount: async () => SCRIPT,
} as unknown as Core;
const OTHER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const ENTRY_POINT = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
const SAFE = MADE.address;

let keys: Keys;
let addresses: Addresses;
let store: Store;

beforeAll(() => {
  keys = { evm: unhex(MADE.key), solana: new Uint8Array(32).fill(1) };
  addresses = addressesOf(keys);
});

beforeEach(() => {
  store = new MemoryStore();
  document.head.innerHTML = '<meta name="walletmodal-safe" content="eip155:1">';
});

/** A chain where these have code. */
const node = (...standing: string[]): Asked["node"] => async (method, params) => {
  if (method !== "eth_getCode") throw new FrameError("execution reverted", 3, "rpc");
  return standing.some((one) => one.toLowerCase() === String((params as Data[])[0]).toLowerCase()) ? "0x60" : "0x";
};
const asked = (method: string, params: unknown, ...standing: string[]): Asked => ({
  ...{ method, params: clean(params), chain: "eip155:1", origin: "https://shop.example", addresses, node: node(MODULE, ...standing), store, api: NO_API },
});
const read = (method: string, params: unknown, ...standing: string[]): Promise<Plan> => SCRIPT.planRequest(asked(method, params, ...standing), CORE, readRequest);
const ask = (method: string, params: unknown, ...standing: string[]): Promise<Data> => readWallet(asked(method, params, ...standing), CORE);
const rows = ({ summary }: Plan) => Object.fromEntries(summary.sections.flatMap((section) => section.rows.map(({ label, value }) => [label, value])));

describe("the Safe of a key", () => {
  it("is where permissionless has it, and made by the same call", () => {
    const { factory, factoryData } = factoryCall(MADE.owner);
    expect([addresses.evm, checksummed(safeAddress(MADE.owner, keccak))]).toEqual([MADE.owner, SAFE]);
    expect([factory, `0x${hex(factoryData)}`]).toEqual([MADE.factory, MADE.factoryData]);
  });
});

/** Where the call data of `executeUserOp` says how the Safe calls: its last digit. */
const OPERATION = 2 + 8 + 4 * 64 - 1;
const { first, sponsored } = MADE.operations;
const operation = (fields: object = {}, given: object = first, entryPoint = ENTRY_POINT) => read("walletmodal_signUserOperation", [{ ...given, ...fields }, entryPoint]);

describe("an operation", () => {
  it.each([
    ["that makes the Safe", first, MADE.operation],
    ["that somebody pays for", sponsored, MADE.sponsored],
  ])("%s is signed as the module wants it", async (_, given, signature) => {
    expect((await operation({}, given)).sign(keys)).toEqual({ signature });
  });

  it("is told by its calls, what it makes, through which contract, and what it costs at most", async () => {
    const { summary, account } = await operation();
    expect([summary.title, account]).toEqual(["Make 2 calls at once", SAFE]);
    expect(summary.sections.map(({ title }) => title).filter(Boolean).slice(0, 3)).toEqual(["New smart account", "1. Allow spending", "2. Send 0.000000000000000005 ETH"]);
    expect(rows(await operation())).toMatchObject({ Makes: SAFE, Module: MODULE, Spender: OTHER, To: OTHER, "Network fee": "at most 0.000250001 ETH" });
  });

  it("of a Safe that is there makes nothing", async () => {
    const plan = await operation({}, sponsored);
    expect(rows(plan)).not.toHaveProperty("Makes");
    expect(rows(plan)).toMatchObject({ "Network fee": "paid by the paymaster" });
  });

  it("whose paymaster's terms cannot be read tells what its calls allow it", async () => {
    expect(rows(await operation({ paymaster: OTHER }))).toMatchObject({ Spender: OTHER, "Network fee": "paid by the paymaster", Paymaster: OTHER });
  });

  it.each([
    ["of the owner's own account", { sender: MADE.owner }],
    ["of another Safe", { sender: OTHER }],
    ["with another factory", { factory: OTHER }],
    ["that makes another Safe", { factoryData: MADE.factoryData.replace(MADE.owner.slice(2).toLowerCase(), OTHER.slice(2).toLowerCase()) }],
    ["that calls no factory with something", { factory: undefined }],
    ["whose calls cannot be read", { callData: "0x12345678" }],
    ["with something behind its calls", { callData: `${first.callData}00` }],
    ["that runs foreign code as its own", { callData: `${MADE.one.slice(0, OPERATION)}1${MADE.one.slice(OPERATION + 1)}` }],
  ])("%s is refused", async (_, fields) => {
    await expect(operation(fields)).rejects.toThrow("Invalid params");
  });

  it.each([
    ["the Safe itself", SAFE],
    ["its module, which has it run any code as its own", MODULE],
  ])("that tells %s something is refused: it could hand over the Safe", async (_, to) => {
    const calls = (data: string) => `0x${hex(encodeCalls([{ to: OTHER, value: 1n, data: new Uint8Array() }, { to, value: 1n, data: unhex(data) }]))}`;
    await expect(operation({ callData: calls("0x610b5925") })).rejects.toThrow("hand over the smart account");
    await expect(operation({ callData: calls("0x") })).resolves.toBeDefined();
  });

  const word = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");
  const ONE = "1".padStart(64, "0");
  const told = (data: string, value = 0n) => ({ callData: `0x${hex(encodeCalls([{ to: SAFE, value, data: unhex(`0x${data}`) }]))}` });

  it("that adds an owner says who will control the account", async () => {
    const plan = await operation(told(`0d582f13${word(OTHER)}${ONE}`));
    expect(plan.summary.title).toBe("Add an owner");
    expect(rows(plan)).toMatchObject({ "Will control this account": OTHER, Makes: SAFE, "Network fee": "at most 0.000250001 ETH" });
    expect(plan.summary.warnings.join()).toContain(`${OTHER} will control this account`);
    expect(plan.sign(keys)).toHaveProperty("signature");
  });

  it("that removes an owner says who will not any more", async () => {
    const plan = await operation(told(`f8dc5dd9${word(MADE.owner)}${word(OTHER)}${ONE}`));
    expect([plan.summary.title, plan.summary.warnings]).toEqual(["Remove an owner", [expect.stringContaining("is made on this network first")]]);
    expect(rows(plan)).toMatchObject({ "Will no longer control this account": OTHER });
  });

  it.each([
    ["needs two signatures from then on", `0d582f13${word(OTHER)}${ONE.replace("1", "2")}`],
    ["removes the wallet's own key", `f8dc5dd9${ONE}${word(MADE.owner)}${ONE}`],
    ["adds nobody", `0d582f13${word(`0x${"0".repeat(40)}`)}${ONE}`],
    ["adds the Safe", `0d582f13${word(SAFE)}${ONE}`],
    ["has something behind it", `0d582f13${word(OTHER)}${ONE}00`],
    ["has another address in unread bytes", `0d582f13${"1".repeat(24)}${OTHER.slice(2).toLowerCase()}${ONE}`],
    ["replaces an owner", `e318b52b${ONE}${word(MADE.owner)}${word(OTHER)}`],
    ["changes how many must sign", `694e80c3${ONE}`],
  ])("that %s is refused", async (_, data) => {
    await expect(operation(told(data))).rejects.toThrow("hand over the smart account");
  });

  it("that changes an owner and does more is refused", async () => {
    const add = { to: SAFE, value: 0n, data: unhex(`0x0d582f13${word(OTHER)}${ONE}`) };
    const callData = `0x${hex(encodeCalls([add, { to: OTHER, value: 1n, data: new Uint8Array() }]))}`;
    await expect(operation({ callData })).rejects.toThrow("hand over the smart account");
    await expect(operation(told(`0d582f13${word(OTHER)}${ONE}`, 1n))).rejects.toThrow("hand over the smart account");
  });

  it("for another entry point is refused", async () => {
    await expect(operation({}, first, OTHER)).rejects.toThrow("another entry point");
  });
});

describe("calls of the module", () => {
  const calls = decodeCalls(unhex(first.callData)) ?? [];

  it.each([
    [1, MADE.one],
    [2, first.callData],
  ])("of %d are written as the server writes them", (count, expected) => {
    expect(calls).toHaveLength(2);
    expect(`0x${hex(encodeCalls(calls.slice(0, count)))}`).toBe(expected);
  });

  it("are not read where any byte is another, but for the calls' own", () => {
    const whole = unhex(first.callData);
    for (let at = 4; at < whole.length; at += 3) {
      const changed = whole.slice();
      changed[at] = (changed[at] as number) ^ 1;
      const found = decodeCalls(changed);
      if (found) expect(hex(encodeCalls(found))).toBe(hex(changed));
    }
  });
});

describe("signatures", () => {
  it("of a Safe that is not there bring what makes it", async () => {
    const plan = await read("eth_signTypedData_v4", [SAFE.toLowerCase(), MADE.data]);
    expect([plan.account, plan.sign(keys)]).toEqual([SAFE, MADE.typed]);
  });

  it("of a Safe that is there are the owner's alone", async () => {
    const plan = await read("eth_signTypedData_v4", [SAFE, MADE.data], SAFE);
    expect(MADE.typed).toContain(String(plan.sign(keys)).slice(2));
  });

  it("of a message name the Safe", async () => {
    const plan = await read("personal_sign", ["hello", SAFE]);
    expect(plan.account).toBe(SAFE);
    expect(plan.sign(keys)).toMatch(/(?:6492){16}$/);
  });

  it("of the owner's own account stay what they are", async () => {
    const plan = await read("personal_sign", ["hello", MADE.owner]);
    expect([plan.account, String(plan.sign(keys)).length]).toEqual([MADE.owner, 132]);
  });

  it("are refused where no Safe can be", async () => {
    const elsewhere = { ...asked("personal_sign", ["hello", SAFE]), chain: "eip155:5" };
    await expect(SCRIPT.planRequest(elsewhere, CORE, readRequest)).rejects.toMatchObject({ code: 4200 });
  });

  it("of anybody else are refused", async () => {
    await expect(read("personal_sign", ["hello", OTHER])).rejects.toThrow("another account");
    await expect(read("personal_sign", ["hello", MODULE])).rejects.toThrow("another account");
  });

  it.each([
    ["the module", MODULE],
    ["the Safe itself", SAFE],
    ["the owner's account", MADE.owner],
  ])("of typed data for %s are refused: they could hand over the Safe", async (_, verifyingContract) => {
    const data = { types: { SafeOp: [{ name: "safe", type: "address" }] }, primaryType: "SafeOp", domain: { chainId: 1, verifyingContract }, message: { safe: SAFE } };
    for (const signer of [MADE.owner, SAFE]) {
      await expect(read("eth_signTypedData_v4", [signer, data])).rejects.toThrow("hand over a smart account");
    }
  });

  it("of the owner under 32 bytes are refused, which a Safe obeys as the hash of an operation", async () => {
    await expect(read("personal_sign", [`0x${"ab".repeat(32)}`, MADE.owner])).rejects.toThrow("hand over the smart account");
    await expect(read("personal_sign", [`0x${"ab".repeat(32)}`, SAFE])).resolves.toBeDefined();
  });
});

describe("requests of the owner's own account", () => {
  it("are transactions, and none of the Safe", async () => {
    await expect(read("eth_sendTransaction", [{ from: SAFE, to: OTHER }])).rejects.toThrow("another account");
    await expect(read("wallet_sendCalls", [{ from: SAFE, calls: [{ to: OTHER }] }])).rejects.toThrow("another account");
  });

  it.each([
    ["eth_sendTransaction", (call: object) => ({ from: MADE.owner, ...call })],
    ["wallet_sendCalls", (call: object) => ({ from: MADE.owner, calls: [{ to: OTHER }, call] })],
  ])("tell the Safe nothing by %s, which would obey its owner, nor what code the owner's account runs", async (method, params) => {
    for (const fields of [{ data: "0x6a761202" }, { data: "0x", input: "0x6a761202" }]) {
      await expect(read(method, [params({ to: SAFE.toLowerCase(), ...fields })])).rejects.toThrow("hand over the smart account");
      await expect(read(method, [params({ to: MADE.owner, ...fields })])).rejects.toThrow("hand over the smart account");
    }
  });

  it("are no calls at once", async () => {
    await expect(read("wallet_sendCalls", [{ from: MADE.owner, atomicRequired: true, calls: [{ to: OTHER }, { to: OTHER }] }])).rejects.toMatchObject({ code: 5760 });
  });
});

describe("what the accounts can do", () => {
  it.each([
    [SAFE, "supported"],
    [MADE.owner, "unsupported"],
  ])("calls at once of %s are %s", async (account, status) => {
    expect(await ask("wallet_getCapabilities", [account, ["0x1"]])).toEqual({ "0x1": { atomic: { status } } });
  });
});

describe("the kind of account", () => {
  const kind = (given: object = {}) => ask("walletmodal_accountType", [given]);

  it("is the Safe where nobody has said anything else, and says where that is", async () => {
    expect(await kind()).toEqual({ type: "smartAccount", status: "supported", foreign: "", address: SAFE });
  });

  it("is the owner's choice from then on", async () => {
    expect(await kind({ type: "eoa" })).toMatchObject({ type: "eoa" });
    expect(await kind({ default: "smartAccount" })).toMatchObject({ type: "eoa" });
  });
});

describe("the user", () => {
  const parts = (standing: string[] = []) =>
    ({
      store,
      requests: { core: CORE },
      login: { userWithWallet: async () => ({ wallet: addresses }) },
      api: { call: async (_: string, { method, params }: { method: string; params: Data }) => ({ result: await node(MODULE, ...standing)(method, params) }) },
    }) as unknown as Parts;
  const user = () => ({ address: MADE.owner, chainId: 1, addresses: { eip155: MADE.owner, solana: addresses.solana }, accounts: [], preferredAccountType: "eoa" });
  const told = (payload: object = {}, standing: string[] = []) => SCRIPT.withSafe(user(), payload as Record<string, Data>, parts(standing));

  it("has both accounts, the Safe in use, and no choice of its own", async () => {
    expect(await told()).toMatchObject({
      ...{ address: SAFE, addressesByType: { eoa: MADE.owner, smartAccount: SAFE }, smartAccountDeployed: false, preferredAccountType: undefined },
      accounts: [{ address: MADE.owner, type: "eoa" }, { address: SAFE, type: "smartAccount" }],
    });
  });

  it("uses the kind that was chosen, before the one that the asker prefers", async () => {
    expect(await told({ preferredAccountType: "eoa" })).toMatchObject({ address: MADE.owner, preferredAccountType: "eoa" });
    expect(await SCRIPT.setPreferredAccount("smartAccount", parts())).toEqual({ type: "smartAccount", address: SAFE });
    expect(await told({ preferredAccountType: "eoa" }, [SAFE])).toMatchObject({ address: SAFE, preferredAccountType: "smartAccount", smartAccountDeployed: true });
  });

  it("chooses no kind that there is not", async () => {
    await expect(SCRIPT.setPreferredAccount("other", parts())).rejects.toThrow("type");
  });

  it("can use Safes where their module is", async () => {
    expect(await SCRIPT.enabledNetworks(parts())).toEqual({ smartAccountEnabledNetworks: [1] });
  });
});
