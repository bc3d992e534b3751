// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { concat, unhex, utf8 } from "../src/bytes";
import { isLarge, spendingOf } from "../src/later/sums";
import { bytesOf, encode } from "../src/requests/rlp";
import { decode } from "../src/requests/rlp_reading";
import type { Plan } from "../src/scripts";

const TOKEN = `0x${"Ab".repeat(20)}`;
const TO = unhex(`0x${"12".repeat(20)}`);
const FEE = 21_000n;

/** A transaction that costs a base unit for each of its gas. */
const coins = (value: bigint, chain = 1n, to: Uint8Array = TO, data: Uint8Array = new Uint8Array(0)) =>
  concat(Uint8Array.of(2), encode([...[chain, 0n, 1n, 1n, FEE].map(bytesOf), to, bytesOf(value), data, []]));
const word = (amount: bigint) => unhex(`0x${amount.toString(16).padStart(64, "0")}`);
const token = (amount: bigint, selector = "0xa9059cbb") => coins(0n, 1n, unhex(TOKEN), concat(unhex(selector), word(1n), word(amount)));

const plan = (transactions?: Uint8Array[], summary: object = {}) =>
  ({ ...(transactions && { transactions }), summary: { title: "", sections: [], warnings: [], ...summary } }) as unknown as Plan;
const large = (...transactions: Uint8Array[]) => isLarge(plan(transactions), "eip155:1");

function above(amounts: string): void {
  document.head.innerHTML = `<meta name="walletmodal-window-above" content="${amounts}">`;
}

beforeEach(() => above(`eip155:1=${100n + FEE} eip155:1:${TOKEN}=50`));

describe("a request is approved in a window of its own", () => {
  it("above the amount of a coin, the fee included", () => {
    expect([large(coins(100n)), large(coins(101n))]).toEqual([false, true]);
  });

  it("above the amount of a token, whatever letters name it", () => {
    expect([large(token(50n)), large(token(51n))]).toEqual([false, true]);
  });

  it("when it allows more than that, without limit too", () => {
    expect([large(token(50n, "0x095ea7b3")), large(token(2n ** 256n - 1n, "0x095ea7b3"))]).toEqual([false, true]);
  });

  it("when several together are more", () => {
    expect(large(coins(60n), coins(60n))).toBe(true);
  });

  it("on a network, or of a token, without an amount", () => {
    expect([large(coins(1n, 137n)), large(coins(0n, 1n, TO, concat(unhex("0xa9059cbb"), word(1n), word(1n))))]).toEqual([true, true]);
  });

  it("when nobody here can tell what it takes", () => {
    const calls = [coins(0n, 1n, unhex(TOKEN), unhex("0x12345678")), coins(0n, 1n, new Uint8Array(0), unhex("0x60")), utf8("nonsense")];
    expect(calls.map((one) => large(one))).toEqual([true, true, true]);
  });

  it("when it is typed data, or a message that nobody can read", () => {
    const [typed, text, hash] = [plan(), plan(undefined, { text: "Good morning" }), plan(undefined, { text: "0x00ff", unreadable: true })];
    expect([typed, text, hash].map((one) => isLarge(one, "eip155:1"))).toEqual([true, false, true]);
  });

  it("never where the operator has set no amounts", () => {
    above("");
    expect([large(coins(10n ** 30n)), isLarge(plan(), "eip155:1")]).toEqual([false, false]);
  });
});

describe("bytes that are signed", () => {
  it.each(["", "02", "02c0", "f8", "c1".repeat(40), "b801"])("are not measured where they are malformed: %s", (digits) => {
    expect(spendingOf(unhex(`0x${digits}`), "eip155:1")).toBeNull();
    expect(spendingOf(unhex(`0x${digits}`), "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")).toBeNull();
  });

  it("are read as they are written, short and long", () => {
    const items = [utf8("a"), utf8(""), utf8("x".repeat(55)), utf8("y".repeat(300)), [utf8("z"), []]];
    expect(decode(encode(items))).toEqual(items);
  });

  it("with something behind them are refused", () => {
    expect(() => decode(concat(encode(utf8("abc")), Uint8Array.of(0)))).toThrow("something follows");
  });
});
