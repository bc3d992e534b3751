// @vitest-environment happy-dom
/** Calls of the account's own `execute`, wherever a page puts them: told one by one where the account runs the code that makes them. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hex, unhex } from "../src/bytes";
import type { Keys } from "../src/keys";
import type { Call } from "../src/requests/calls";
import type { Plan } from "../src/scripts";
import { DELEGATE, delegation, encodeExecute } from "../src/smart_account/delegator";
import { accountKeys, addresses, OTHER, rows, TOKEN } from "./requests";
import { begin, read, word, type World } from "./smart_account_stage";

const ENTRY_POINT = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
const FOREIGN = "0x1111111111111111111111111111111111111111";
const SMART: World = { code: delegation(DELEGATE) };

const allow: Call = { to: TOKEN, value: 0n, data: unhex(`0x095ea7b3${word(OTHER)}${word(5n)}`) };
const pay: Call = { to: OTHER, value: 5n, data: new Uint8Array(0) };
const own = (...calls: Call[]): Call => ({ to: addresses.evm, value: 0n, data: encodeExecute(calls) });

const written = ({ to, value, data }: Call) => ({ to, value: `0x${value.toString(16)}`, data: `0x${hex(data)}` });
const sent = (call: Call, world = SMART) => read("eth_sendTransaction", [{ from: addresses.evm, ...written(call) }], world);
const together = (calls: Call[], world = SMART) => read("wallet_sendCalls", [{ version: "2.0.0", from: addresses.evm, atomicRequired: true, calls: calls.map(written) }], world);
const operation = (...calls: Call[]) =>
  read("walletmodal_signUserOperation", [{ sender: addresses.evm, nonce: "0x1", callData: `0x${hex(encodeExecute(calls))}`, callGasLimit: "0x1", maxFeePerGas: "0x1" }, ENTRY_POINT], SMART);

const titles = ({ summary }: Plan) => summary.sections.map(({ title }) => title).filter(Boolean);
const warned = ({ summary }: Plan) => summary.warnings.join();

let keys: Keys;

beforeAll(async () => {
  keys = await accountKeys();
});

beforeEach(begin);

describe("the account's own execute", () => {
  it("in a user operation is told by its calls, however deep they are", async () => {
    const plan = await operation(own(own(allow), pay), pay);
    expect(plan.summary.title).toBe("Make 3 calls at once");
    expect(titles(plan).slice(0, 3)).toEqual(["1. Allow spending", "2. Send 0.000000000000000005 of the network's coin", "3. Send 0.000000000000000005 of the network's coin"]);
    expect(warned(plan)).not.toContain("cannot be read here");
  });

  it("in a batch is told by its calls", async () => {
    expect(titles(await together([own(allow), pay])).slice(0, 2)).toEqual(["1. Allow spending", "2. Send 0.000000000000000005 of the network's coin"]);
  });

  it.each([
    ["in a transaction", () => sent(own(allow, pay))],
    ["as the one call of a batch", () => together([own(allow, pay)])],
  ])("%s is told by its calls, with the fee, and sent as it is", async (_, asks) => {
    const plan = await asks();
    expect([plan.summary.title, warned(plan)]).toEqual(["Make 2 calls at once", expect.not.stringContaining("cannot be read here")]);
    expect(titles(plan)).toEqual(["1. Allow spending", "2. Send 0.000000000000000005 of the network's coin", "In all"]);
    expect(rows(plan)).toMatchObject({ Spender: OTHER, To: OTHER, "Network fee": expect.stringContaining("at most") });
    expect(plan.sign(keys)).toContain(hex(own(allow, pay).data));
  });

  it("of one call is told as that call", async () => {
    expect((await sent(own(allow))).summary.title).toBe("Allow spending");
  });

  it("stays closed where it is deeper than anybody needs", async () => {
    expect(warned(await operation(own(own(own(own(own(allow)))))))).toContain("It may move everything that this account has");
  });

  it.each<[string, Call]>([
    ["of another account", { ...own(pay), to: FOREIGN }],
    ["that sends coins along", { ...own(pay), value: 1n }],
    ["with something behind it", { ...own(pay), data: unhex(`0x${hex(own(pay).data)}00`) }],
  ])("%s is told as one that cannot be read", async (_, call) => {
    for (const plan of [await operation(call), await sent(call)]) {
      expect([plan.summary.title, warned(plan)]).toEqual(["Contract call", expect.stringContaining("cannot be read here")]);
    }
  });

  it.each([
    ["an ordinary account", "0x"],
    ["an account that runs another contract's code", delegation(FOREIGN)],
  ])("of %s does nobody knows what", async (_, code) => {
    expect(warned(await sent(own(pay), { code }))).toContain("It may move everything that this account has");
  });
});
