// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { unhex, hex } from "../src/bytes";
import type { Data } from "../src/clean";
import type { Keys } from "../src/keys";
import { decode } from "../src/requests/rlp_reading";
import { accountKeys, addresses, carryOut, OTHER, rows, TOKEN } from "./requests";
import { ask, begin, HASH, hashOf, read, word, type World } from "./smart_account_stage";

const approve = { to: TOKEN, data: `0x095ea7b3${word(OTHER)}${word(5n)}` };
const swap = { to: OTHER, data: "0x12345678" };
const pay = { to: OTHER, value: "0x2386f26fc10000" };
const MINED = { status: "0x1", blockHash: HASH, transactionHash: HASH, logs: [] };
const REVERTED = { ...MINED, status: "0x0" };

let keys: Keys;
beforeAll(async () => {
  keys = await accountKeys();
});
beforeEach(begin);

const calls = (world: World = {}, all: object[] = [approve, swap, pay]) =>
  read("wallet_sendCalls", [{ version: "2.0.0", from: addresses.evm, id: "order-7", atomicRequired: false, calls: all }], { delegations: false, ...world });
/** Sends them on a network that has mined what it gets at once. */
async function made(world: World = {}) {
  const sent: string[] = [];
  const answer = await carryOut(await calls({ receipt: MINED, sent, ...world }), keys);
  return { sent, answer };
}
const status = (receipt: World["receipt"] = MINED) => ask("wallet_getCallsStatus", ["order-7"], { delegations: false, ...(receipt !== undefined && { receipt }) });
const nonces = (sent: string[]) => sent.map((raw) => hex((decode(unhex(`0x${raw.slice(4)}`)) as Uint8Array[])[1] as Uint8Array));

describe("calls of an account that cannot make them at once", () => {
  it("are shown together, and said not to be made at once", async () => {
    const { summary } = await calls();
    expect(summary.title).toBe("Make 3 calls one after the other");
    expect(summary.warnings[0]).toContain("not made at once");
    expect(summary.sections.map(({ title }) => title).filter(Boolean)).toEqual(["1. Allow spending", "2. Contract call", "3. Send 0.01 of the network's coin", "In all"]);
  });

  it("cost at most what is shown for all", async () => {
    // 240,000 gas of the first, and twice what each of the others takes now.
    expect(rows(await calls())["Network fees"]).toBe("at most 0.002352 of the network's coin");
  });

  it("count with a million gas where the network cannot tell yet", async () => {
    const gas = (data: string) => (data === swap.data ? null : "0x5208");
    expect(rows(await calls({ gas }, [pay, swap]))["Network fees"]).toBe("at most 0.0021441 of the network's coin");
  });

  it("are sent in the order of the account's nonces", async () => {
    const { sent, answer } = await made();
    expect(nonces(sent)).toEqual(["05", "06", "07"]);
    expect(answer).toEqual({ id: "order-7" });
    expect(await status()).toMatchObject({ status: 200, atomic: false, receipts: [MINED, MINED, MINED] });
  });

  it("are made so while the owner prefers an ordinary account", async () => {
    await ask("walletmodal_accountType", [{ type: "eoa" }]);
    expect((await calls({ delegations: true })).summary.title).toContain("one after the other");
  });

  it("stop where one fails", async () => {
    const sent: string[] = [];
    const receipt = (hash: string): Data => (sent[1] && hash === hashOf(sent[1]) ? REVERTED : MINED);
    await made({ receipt, sent });
    expect(sent).toHaveLength(2);
    expect(await status(receipt)).toMatchObject({ status: 600, receipts: [MINED, REVERTED] });
  });

  it("stop where one takes more gas than was agreed to", async () => {
    let told = 0;
    // The first time for the card, then when its turn comes.
    const gas = (data: string) => (data === swap.data && told++ ? "0xf4240" : "0x5208");
    expect((await made({ gas })).sent).toHaveLength(1);
    expect(await status()).toMatchObject({ status: 600, receipts: [MINED] });
  });

  it("stop where the network does not take one", async () => {
    expect((await made({ refused: 1 })).sent).toHaveLength(1);
    expect(await status()).toMatchObject({ status: 600 });
  });

  it("are an error where the network does not take the first", async () => {
    await expect(made({ refused: 0 })).rejects.toThrow("execution reverted");
    expect(await status()).toMatchObject({ status: 400 });
  });

  it("take the places after what was sent meanwhile", async () => {
    const sent: string[] = [];
    await made({ sent, count: () => (sent.length ? "0x8" : "0x5") });
    expect(nonces(sent)).toEqual(["05", "08", "08"]);
  });

  it("keep their status beside other calls that are made meanwhile", async () => {
    const one = (id: string) => read("wallet_sendCalls", [{ version: "2.0.0", id, atomicRequired: false, calls: [approve, swap] }], { delegations: false, receipt: MINED });
    const both = await Promise.all(["first", "second"].map(one));
    await Promise.all(both.map((plan) => carryOut(plan, keys)));
    const told = await Promise.all(["first", "second"].map((id) => ask("wallet_getCallsStatus", [id], { receipt: MINED })));
    expect(told).toMatchObject([{ status: 200 }, { status: 200 }]);
  });

  it("are refused where others have their id", async () => {
    await made();
    await expect(calls()).rejects.toMatchObject({ code: 5720 });
  });

  it("have failed as a whole where the first one fails", async () => {
    expect((await made({ receipt: REVERTED })).sent).toHaveLength(1);
    expect(await status(REVERTED)).toMatchObject({ status: 500 });
  });
});
