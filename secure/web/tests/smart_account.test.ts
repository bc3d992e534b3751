// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hex, unhex } from "../src/bytes";
import type { Data, DataObject } from "../src/clean";
import type { Keys } from "../src/keys";
import { readRequest, readWallet } from "../src/requests";
import type { Plan } from "../src/scripts";
import { DELEGATE, decodeExecute, delegateOf, delegation, encodeExecute } from "../src/smart_account/delegator";
import { accountKeys, addresses, carryOut, CORE, OTHER, rows, TOKEN } from "./requests";
import { ask, asked, begin, chain, HASH, hashOf, read, refuse, word, type World } from "./smart_account_stage";

const ENTRY_POINT = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
const FOREIGN = "0x1111111111111111111111111111111111111111";

let keys: Keys;

beforeAll(async () => {
  keys = await accountKeys();
});

beforeEach(begin);

const approve = { to: TOKEN, data: `0x095ea7b3${word(OTHER)}${word(5n)}` };
const pay = { to: OTHER, value: "0x2386f26fc10000" };
const batch = (fields: object = {}, world?: World) => read("wallet_sendCalls", [{ version: "2.0.0", from: addresses.evm, calls: [approve, pay], atomicRequired: true, ...fields }], world);
const titles = ({ summary }: Plan) => summary.sections.map(({ title }) => title).filter(Boolean);

describe("calls at once", () => {
  it("tell what each does, what they send in all, and that the account becomes a smart account", async () => {
    const plan = await batch();
    expect(plan.summary.title).toBe("Make 2 calls at once");
    expect(titles(plan)).toEqual(["Smart account", "1. Allow spending", "2. Send 0.01 of the network's coin", "In all"]);
    expect(rows(plan)).toMatchObject({ "Runs the code of": DELEGATE, Spender: OTHER, To: OTHER, Amount: "0.01 of the network's coin" });
    expect(plan.summary.warnings[0]).toContain("becomes a smart account");
  });

  it("are one transaction of the account to itself, which delegates it first", async () => {
    const plan = await batch();
    expect(plan.sign(keys)).toMatch(/^0x04/);
    expect(plan.sign(keys)).toContain(hex(encodeExecute([{ to: TOKEN, value: 0n, data: unhex(approve.data) }, { to: OTHER, value: BigInt(pay.value), data: new Uint8Array(0) }])));
  });

  it("of a smart account delegate nothing", async () => {
    const plan = await batch({}, { code: delegation(DELEGATE) });
    expect(plan.sign(keys)).toMatch(/^0x02/);
    expect(plan.summary.warnings.join()).not.toContain("smart account");
  });

  it("replace another contract only with a warning that names it", async () => {
    const plan = await batch({}, { code: delegation(FOREIGN) });
    expect(rows(plan)).toMatchObject({ "Instead of": FOREIGN });
    expect(plan.summary.warnings[0]).toContain("Another contract controls this account");
  });

  it("are refused where the network has no smart accounts and the host insists", async () => {
    await expect(batch({}, { delegations: false })).rejects.toMatchObject({ code: 5760 });
    document.head.innerHTML = "";
    await expect(batch()).rejects.toMatchObject({ code: 5760 });
  });

  it("are refused while the owner prefers an ordinary account and the host insists", async () => {
    await ask("walletmodal_accountType", [{ type: "eoa" }]);
    await expect(batch()).rejects.toMatchObject({ code: 5760 });
  });

  it("of a single call are an ordinary transaction", async () => {
    const plan = await read("wallet_sendCalls", [{ calls: [pay] }], { delegations: false });
    expect(plan.summary.title).toBe("Send 0.01 of the network's coin");
    expect(plan.sign(keys)).toMatch(/^0x02/);
  });

  it.each([
    ["no calls", { calls: [] }],
    ["too many", { calls: Array(101).fill(pay) }],
    ["another account", { from: OTHER }],
    ["another network", { chainId: "0x2" }],
    ["a receiver that is none", { calls: [pay, { to: "0x12" }] }],
    ["a wrong checksum", { calls: [pay, { to: OTHER.replace("d8dA", "D8da") }] }],
    ["a contract that is made", { calls: [pay, { data: "0x00" }] }],
    ["an amount that is none", { calls: [pay, { to: OTHER, value: "1" }] }],
    ["half a byte", { calls: [pay, { to: OTHER, data: "0x1" }] }],
    ["an id that is none", { id: 5 }],
  ])("with %s are refused", async (_, fields) => {
    await expect(batch(fields)).rejects.toThrow("Invalid params");
  });

  it("that insist on what the wallet has not are refused, and others not", async () => {
    await expect(batch({ capabilities: { paymasterService: { url: "https://x.example" } } })).rejects.toMatchObject({ code: 5700 });
    await expect(batch({ calls: [approve, { ...pay, capabilities: { other: {} } }] })).rejects.toMatchObject({ code: 5700 });
    await expect(batch({ capabilities: { paymasterService: { optional: true } } })).resolves.toBeDefined();
  });

  it("answer with the host's id, or with the transaction's hash", async () => {
    const named = await batch({ id: "order-7" });
    const unnamed = await batch();
    expect(await carryOut(named, keys)).toEqual({ id: "order-7" });
    expect(await carryOut(unnamed, keys)).toEqual({ id: hashOf(unnamed.sign(keys) as string) });
  });
});

describe("the status of calls", () => {
  const receipt = { status: "0x1", blockHash: HASH, blockNumber: "0x5", gasUsed: "0x6", transactionHash: HASH, logs: [{ address: TOKEN, data: "0x", topics: [], index: 1 }], from: OTHER };

  async function sent(): Promise<string> {
    const plan = await batch({ id: "order-7" });
    await carryOut(plan, keys);
    return "order-7";
  }

  it("is pending, then what the receipt says", async () => {
    const id = await sent();
    expect(await ask("wallet_getCallsStatus", [id])).toMatchObject({ id, status: 100, atomic: true });
    const { from: _, ...rest } = receipt;
    expect(await ask("wallet_getCallsStatus", [id], { receipt })).toMatchObject({ status: 200, receipts: [{ ...rest, logs: [{ address: TOKEN, data: "0x", topics: [] }] }] });
    expect(await ask("wallet_getCallsStatus", [id], { receipt: { ...receipt, status: "0x0" } })).toMatchObject({ status: 500 });
  });

  it("of calls that nobody has made is not known", async () => {
    await expect(ask("wallet_getCallsStatus", ["other"])).rejects.toMatchObject({ code: 5730 });
  });
});

describe("capabilities", () => {
  it.each([
    ["ready", {}],
    ["supported", { code: delegation(DELEGATE) }],
    ["ready", { code: delegation(FOREIGN) }],
    ["unsupported", { delegations: false }],
    ["unsupported", { code: "0x6001" }],
  ])("say %s of an account with %o", async (status, world: World) => {
    const name = `0x${BigInt(chain().slice(7)).toString(16)}`;
    expect(await ask("wallet_getCapabilities", [addresses.evm, [name]], world)).toEqual({ [name]: { atomic: { status } } });
  });

  it("say unsupported while the owner prefers an ordinary account", async () => {
    await ask("walletmodal_accountType", [{ type: "eoa" }]);
    const name = `0x${BigInt(chain().slice(7)).toString(16)}`;
    expect(await ask("wallet_getCapabilities", [addresses.evm, [name]])).toEqual({ [name]: { atomic: { status: "unsupported" } } });
  });

  it("leave out a network that cannot be asked", async () => {
    const failing = { ...asked("wallet_getCapabilities", [addresses.evm], {}), node: () => Promise.reject(refuse()) };
    expect(await readWallet(failing, CORE)).toEqual({});
  });
});

describe("the kind of account", () => {
  const kind = (given: object = {}, world?: World) => ask("walletmodal_accountType", [given], world);

  it("is a smart account where nobody has said anything else", async () => {
    expect(await kind()).toEqual({ type: "smartAccount", status: "ready", foreign: "" });
  });

  it("is the site's default, once: later the owner's choice counts", async () => {
    expect(await kind({ default: "eoa" })).toMatchObject({ type: "eoa" });
    expect(await kind({ type: "smartAccount" })).toMatchObject({ type: "smartAccount" });
    expect(await kind({ default: "eoa" })).toMatchObject({ type: "smartAccount" });
  });

  it("is an ordinary one where the network has no smart accounts, and the choice is kept for the others", async () => {
    expect(await kind({ type: "smartAccount" }, { code: "0x6001" })).toMatchObject({ type: "eoa", status: "unsupported" });
    expect(await kind()).toMatchObject({ type: "smartAccount" });
  });

  it("names another contract that controls the account", async () => {
    expect(await kind({}, { code: delegation(FOREIGN) })).toMatchObject({ status: "ready", foreign: FOREIGN });
  });
});

describe("the end of a smart account", () => {
  it("is a transaction that delegates to nobody", async () => {
    const plan = await read("walletmodal_revokeDelegation", [], { code: delegation(DELEGATE) });
    expect(plan.summary.title).toBe("End the smart account");
    expect(plan.sign(keys)).toMatch(new RegExp(`^0x04.*94${"0".repeat(40)}`));
  });

  it("is refused where there is none", async () => {
    await expect(read("walletmodal_revokeDelegation", [])).rejects.toThrow("no smart account");
  });
});

const OPERATION = {
  nonce: "0x1",
  callData: `0x${hex(encodeExecute([{ to: OTHER, value: 5n, data: new Uint8Array(0) }]))}`,
  callGasLimit: "0x186a0",
  verificationGasLimit: "0x186a0",
  preVerificationGas: "0x0",
  maxFeePerGas: "0x3b9aca00",
  maxPriorityFeePerGas: "0x1",
};
const operation = (fields: object = {}, world?: World) => read("walletmodal_signUserOperation", [{ ...OPERATION, sender: addresses.evm, ...fields }, ENTRY_POINT], world);

describe("a user operation", () => {
  it("is told by its calls, with what it costs at most", async () => {
    const plan = await operation({}, { code: delegation(DELEGATE) });
    expect(plan.summary.title).toBe("Send 0.000000000000000005 of the network's coin");
    expect(rows(plan)).toMatchObject({ To: OTHER, "Network fee": "at most 0.0002 of the network's coin" });
  });

  it("names the paymaster that pays for it", async () => {
    const plan = await operation({ paymaster: TOKEN.toLowerCase(), paymasterVerificationGasLimit: "0x1", paymasterPostOpGasLimit: "0x1" });
    expect(rows(plan)).toMatchObject({ "Network fee": "paid by the paymaster", Paymaster: TOKEN });
    expect(plan.summary.warnings.join()).toContain("It can take tokens for that");
  });

  it("names another contract that it replaces", async () => {
    const plan = await operation({}, { code: delegation(FOREIGN) });
    expect(rows(plan)).toMatchObject({ "Runs the code of": DELEGATE, "Instead of": FOREIGN });
    expect(plan.summary.warnings[0]).toContain("Another contract controls this account");
  });

  it("comes with an authorization while the account is no smart account", async () => {
    expect((await operation()).sign(keys)).toMatchObject({ eip7702Auth: { address: DELEGATE, nonce: "0x5" } });
    expect((await operation({}, { code: delegation(DELEGATE) })).sign(keys)).not.toHaveProperty("eip7702Auth");
  });

  it.each([
    ["of another account", { sender: OTHER }],
    ["that makes an account", { factory: OTHER }],
    ["whose calls cannot be read", { callData: "0x12345678" }],
    ["with something behind its calls", { callData: `${OPERATION.callData}00` }],
    ["with gas that is none", { callGasLimit: "5" }],
    ["with gas that overflows its field", { callGasLimit: `0x1${"0".repeat(32)}` }],
    ["with a paymaster that is none", { paymaster: "0x12" }],
    ["with nobody as its paymaster, for which the account itself pays", { paymaster: `0x${"0".repeat(40)}` }],
  ])("%s is refused", async (_, fields) => {
    await expect(operation(fields)).rejects.toThrow("Invalid params");
  });

  it.each([
    ["walletmodal_signUserOperation", [{ ...OPERATION, sender: addresses.evm }, ENTRY_POINT], "callData", `0x${hex(encodeExecute([{ to: OTHER, value: 6n, data: new Uint8Array(0) }]))}`],
    ["wallet_sendCalls", [{ version: "2.0.0", calls: [approve, pay], atomicRequired: true }], "calls", [pay, pay]],
  ])("of %s that is changed after it was shown is signed as it was shown", async (method, params, name, later) => {
    const given = asked(method, params, { code: delegation(DELEGATE) });
    const plan = await readRequest(given, CORE);
    const before = plan.sign(keys);
    ((given.params as Data[])[0] as DataObject)[name] = later as Data;
    expect(plan.sign(keys)).toEqual(before);
    expect((await readRequest(given, CORE)).sign(keys)).not.toEqual(before);
  });

  describe("whose fee is paid in a token", () => {
    const SINGLETON = "0x777777777777AeC03fd955926DbF81597e66834C";
    const RATE = 3_000_000_000n;
    // 400,002 gas at 1 gwei, and 50,000 for the taking.
    const MOST = 1_350_006n;
    const bytes = (value: bigint | string, length: number) => (typeof value === "string" ? value.slice(2) : value.toString(16)).padStart(length * 2, "0").toLowerCase();
    const terms = ({ flags = 0n, until = 9_999_999_999n, after = 0n, token = TOKEN, rate = RATE, rest = bytes(FOREIGN, 20) + "11".repeat(65) } = {}) =>
      `0x03${bytes(flags, 1)}${bytes(until, 6)}${bytes(after, 6)}${bytes(token, 20)}${bytes(50_000n, 16)}${bytes(rate, 32)}${bytes(60_000n, 16)}${rest}`;
    const allow = (amount: bigint, spender = SINGLETON, to = TOKEN) => ({ to, value: 0n, data: unhex(`0x095ea7b3${word(spender)}${word(amount)}`) });
    const paid = { to: OTHER, value: 5n, data: new Uint8Array(0) };
    const paying = (calls = [allow(MOST), paid], paymasterData = terms(), paymaster = SINGLETON) =>
      operation(
        { callData: `0x${hex(encodeExecute(calls))}`, paymaster, paymasterData, paymasterVerificationGasLimit: "0x186a1", paymasterPostOpGasLimit: "0x186a1" },
        { code: delegation(DELEGATE) },
      );

    it("is told with the most that it takes, apart from its calls", async () => {
      const plan = await paying();
      expect(plan.summary.title).toBe("Send 0.000000000000000005 of the network's coin");
      expect(rows(plan)).toMatchObject({ "Network fee": `at most ${MOST} base units`, "If it takes less": "the rest stays allowed to the paymaster", "Token contract": TOKEN, "Paid to": FOREIGN, Paymaster: SINGLETON });
      expect(plan.summary.warnings).toEqual([]);
    });

    it("may first take back what is left of an allowance", async () => {
      expect(rows(await paying([allow(0n), allow(MOST), paid]))).toMatchObject({ "Network fee": `at most ${MOST} base units` });
    });

    it("is no fee where the paymaster's terms cannot be read, but an allowance like any other", async () => {
      const plan = await paying([allow(7n, OTHER), paid], "0x1234", OTHER);
      expect(plan.summary.title).toBe("Make 2 calls at once");
      expect(plan.summary.sections[0]?.title).toBe("1. Allow spending");
      expect(rows(plan)).toMatchObject({ Spender: OTHER, "Network fee": "paid by the paymaster", Paymaster: OTHER });
      expect(plan.summary.warnings.join()).toContain("It can take tokens for that");
    });

    it.each([
      ["takes more", [allow(MOST - 1n), paid], {}],
      ["takes another token", [allow(MOST), paid], { token: OTHER }],
      ["charges a higher price", [allow(MOST), paid], { rate: RATE + 1n }],
      ["has a fixed fee", [allow(MOST), paid], { flags: 1n }],
      ["pays no more", [allow(MOST), paid], { until: 1_000_000_000n }],
      ["does not pay yet", [allow(MOST), paid], { after: 9_999_999_999n }],
      ["hides whom it pays", [allow(MOST), paid], { rest: "" }],
      ["may take of an older allowance", [paid], {}],
      ["may take without a limit", [allow(2n ** 256n - 1n), paid], {}],
      ["is allowed more afterwards", [allow(MOST), allow(MOST + 1n), paid], {}],
      ["is allowed more by the account's own execute", [allow(MOST), { to: addresses.evm, value: 0n, data: encodeExecute([allow(MOST + 1n), paid]) }], {}],
      ["is allowed more in the end", [allow(MOST), paid, allow(MOST + 1n)], {}],
      ["is allowed another token alone", [allow(MOST, SINGLETON, OTHER), paid], {}],
    ])("is refused where the paymaster %s", async (_, calls, changed) => {
      await expect(paying(calls, terms(changed))).rejects.toThrow("its paymaster");
    });
  });

  it("for another entry point is refused", async () => {
    await expect(read("walletmodal_signUserOperation", [{ ...OPERATION, sender: addresses.evm }, OTHER])).rejects.toThrow("another entry point");
  });
});

describe("typed data", () => {
  it.each([
    ["a delegation", "0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3"],
    ["what the account itself obeys", ""],
  ])("that is %s is refused: it would hand over the account", async (_, verifyingContract) => {
    const data = { types: { Delegation: [{ name: "delegate", type: "address" }] }, primaryType: "Delegation", domain: { verifyingContract: verifyingContract || addresses.evm }, message: { delegate: OTHER } };
    await expect(read("eth_signTypedData_v4", [addresses.evm, data])).rejects.toThrow("hand over a smart account");
  });
});

describe("typed data of a user operation", () => {
  const ENTRY_POINT_08 = "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108";
  const types = { PackedUserOperation: [{ name: "sender", type: "address" }, { name: "nonce", type: "uint256" }, { name: "callData", type: "bytes" }] };

  it.each([
    ["of the account's own", addresses.evm],
    ["of an account that the key may own", OTHER],
  ])("%s is refused: an account that runs another contract's code may obey it", async (_, sender) => {
    const domain = { name: "ERC4337", version: "1", chainId: 1, verifyingContract: ENTRY_POINT_08 };
    const data = { types, primaryType: "PackedUserOperation", domain, message: { sender, nonce: 0, callData: "0x" } };
    await expect(read("eth_signTypedData_v4", [addresses.evm, data])).rejects.toThrow("hand over a smart account");
  });
});

describe("execute", () => {
  const calls = [
    { to: TOKEN.toLowerCase(), value: 0n, data: unhex("0x0102") },
    { to: OTHER.toLowerCase(), value: 2n ** 200n, data: new Uint8Array(0) },
    { to: OTHER.toLowerCase(), value: 1n, data: new Uint8Array(70).fill(7) },
  ];

  it.each([1, 2, 3])("of %d calls is read as it is written", (count) => {
    expect(decodeExecute(encodeExecute(calls.slice(0, count)))).toEqual(calls.slice(0, count));
  });

  const WHOLE = hex(encodeExecute(calls));
  const EXECUTE = WHOLE.slice(0, 8);
  it.each([
    ["runs foreign code", `${EXECUTE}ff${WHOLE.slice(10)}`],
    ["goes on where a call fails", `${EXECUTE}0101${WHOLE.slice(12)}`],
    ["has a mode of another standard", `${EXECUTE}01000000000078210002${WHOLE.slice(28)}`],
    ["has its calls at an odd offset", `${EXECUTE}${WHOLE.slice(8, 72)}${word(96n)}${word(0n)}${WHOLE.slice(136)}`],
    ["has something in its padding", `${WHOLE.slice(0, -2)}01`],
    ["has something behind it", `${WHOLE}${word(0n)}`],
    ["is cut off", WHOLE.slice(0, -64)],
    ["has no calls", `${EXECUTE}01${"0".repeat(62)}${word(64n)}${word(64n)}${word(32n)}${word(0n)}`],
  ])("is not read where it %s", (_what, given) => {
    expect(decodeExecute(unhex(`0x${given}`))).toBeNull();
  });

  it("is not read where any byte of it is another", () => {
    const whole = encodeExecute(calls);
    for (let at = 4; at < whole.length; at++) {
      const changed = whole.slice();
      changed[at] = (changed[at] as number) ^ 1;
      const found = decodeExecute(changed);
      // A byte of a call's own fields makes another call; all others make nothing that can be read.
      if (found) expect(hex(encodeExecute(found))).toBe(hex(changed));
    }
  });
});

describe("code of an account", () => {
  it.each([
    ["0x", ""],
    [delegation(DELEGATE), DELEGATE.toLowerCase()],
    ["0x6001", null],
    [`${delegation(DELEGATE)}00`, null],
  ])("%s delegates to %s", (code, expected) => {
    expect(delegateOf(code)).toBe(expected);
  });
});
