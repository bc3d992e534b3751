import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Code, Codes } from "$/public/external/walletmodal/components/pairing/pairing/codes.ts";
import { LIFETIME, RENEW_BEFORE } from "$/public/external/walletmodal/components/pairing/pairing/store.ts";

type Made = Code<string> & { approve(who: string): void; lose(error: unknown): void };

let made: Made[];
let watched: boolean;
let problem: unknown;
const shown: string[] = [];
const lapse = vi.fn();

async function propose(): Promise<Code<string>> {
  if (problem) throw problem;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const code = { uri: `code ${made.length + 1}`, approval: promise, approve: resolve, lose: reject };
  made.push(code);
  return code;
}

const begin = (make = propose) =>
  new Codes<string>(make, { show: (uri) => void shown.push(uri), lapse, isWatched: () => watched });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  made = [];
  watched = true;
  problem = null;
  shown.length = 0;
  lapse.mockClear();
});
afterEach(() => vi.useRealTimers());

describe("a code", () => {
  it("is replaced ten seconds before its end", async () => {
    begin();
    await pass(LIFETIME - RENEW_BEFORE - 1);
    expect(shown).toEqual(["code 1"]);
    await pass(1);
    expect(shown).toEqual(["code 1", "code 2"]);
  });

  it("counts after it was replaced", async () => {
    const codes = begin();
    await pass(LIFETIME - RENEW_BEFORE);
    made[0]!.approve("phone");
    await expect(codes.outcome).resolves.toBe("phone");
  });

  it("that a person refuses ends the wish, also when it was replaced", async () => {
    const codes = begin();
    await pass(LIFETIME - RENEW_BEFORE);
    made[0]!.lose({ code: 5000, message: "no" });
    await expect(codes.outcome).rejects.toMatchObject({ code: 5000 });
    await pass(2 * LIFETIME);
    expect(made).toHaveLength(2);
  });

  it("that the protocol ended is replaced at once", async () => {
    begin();
    await pass(0);
    made[0]!.lose({ code: 0, message: "Proposal expired" });
    await pass(0);
    expect(shown).toEqual(["code 1", "code 2"]);
  });

  it("that nobody looks at lapses, and comes back with the first look", async () => {
    const codes = begin();
    await pass(0);
    watched = false;
    await pass(LIFETIME);
    expect([lapse.mock.calls.length, made.length]).toEqual([1, 1]);
    codes.look();
    await pass(0);
    expect(shown).toEqual(["code 1", "code 2"]);
  });

  it("that cannot be replaced yet stays until its end, and is tried again meanwhile", async () => {
    const codes = begin();
    await pass(0);
    problem = new Error("no relay");
    await pass(LIFETIME - RENEW_BEFORE + 3_000);
    problem = null;
    await pass(2_000);
    expect([shown.length, codes.ended]).toEqual([2, false]);
  });

  it("that cannot be replaced until its end is an error", async () => {
    const codes = begin();
    await pass(0);
    problem = new Error("no relay");
    await pass(LIFETIME + 2_000);
    await expect(codes.outcome).rejects.toThrow("no relay");
  });
});

it("a wish that is given up asks for no more codes", async () => {
  const codes = begin();
  await pass(0);
  codes.end();
  await pass(2 * LIFETIME);
  expect(made).toHaveLength(1);
  await expect(codes.outcome).rejects.toMatchObject({ message: "orphaned" });
});

it("two looks at once make one code", async () => {
  const codes = begin();
  await pass(0);
  void codes.renew();
  void codes.renew();
  await pass(0);
  expect(made).toHaveLength(2);
});
