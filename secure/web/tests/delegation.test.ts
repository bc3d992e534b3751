import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clean, type Data } from "../src/clean";
import type { Summary } from "../src/cards/card";
import { coins, isUnlimited, moment, tokens } from "../src/requests/amounts";
import { isDelegation } from "../src/requests/delegated";
import { readSummary } from "../src/requests/typed_data";
import { readInteger, readTypedData } from "../src/requests/typed_data_hash";
import { isBounded, readDelegation } from "../src/smart_account/delegation";
// Typed data of `Delegation.typed_data` (walletmodal/core/permissions/delegation.py); tests/secure/test_delegations.py holds it to that.
import MADE from "./delegations.json";

type Made = (typeof MADE)["periodic"];
const SHOP = "0x016562aA41A8697720ce0943F003141f5dEAe006";
const UNREADABLE = "Nobody can say what it allows";

/** From when on all that is granted here counts. */
const START = 1_795_000_000;
const at = (seconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: seconds * 1000 });
beforeEach(() => {
  at(START);
});
afterEach(() => {
  vi.useRealTimers();
});

const TOOLS = { coins, isUnlimited, moment, tokens, readInteger };
const read = (made: object): Summary => {
  const data = readTypedData(clean(made) as Data);
  return readSummary(data, "eip155:1", isDelegation(data) ? readDelegation(data, "eip155:1", TOOLS) : undefined);
};
const changed = (message: object, domain: object = {}): Summary =>
  read({ ...MADE.periodic, message: { ...MADE.periodic.message, ...message }, domain: { ...MADE.periodic.domain, ...domain } });
const allowed = ({ sections }: Summary) => Object.fromEntries((sections[0]?.rows ?? []).map(({ label, value }) => [label, value]));
const without = (enforcer: string) => MADE.periodic.message.caveats.filter((caveat) => caveat.enforcer !== enforcer);

const TIME = "0x1046bb45C8d673d4ea75321280DB34899413c069";
const ending = (end: string) => ({
  ...MADE.periodic,
  message: { ...MADE.periodic.message, caveats: MADE.periodic.message.caveats.map((one) => (one.enforcer === TIME ? { ...one, terms: `0x${"0".repeat(32)}${end}` } : one)) },
});

const WORD = SHOP.slice(2).padStart(64, "0");
const ruled = (enforcer: string, terms: string) => [...MADE.periodic.message.caveats, { enforcer, terms: `0x${terms}` }];
const streaming = (second: bigint) => {
  const [limit, ...rest] = MADE.stream.message.caveats;
  const terms = limit?.terms.replace(`${"0".repeat(63)}5`, second.toString(16).padStart(64, "0"));
  return { ...MADE.stream, message: { ...MADE.stream.message, caveats: [{ ...limit, terms }, ...rest] } };
};

describe("a delegation", () => {
  it("is told as the permission that it is", () => {
    const summary = read(MADE.periodic);
    expect(summary.title).toBe("Grant a permission");
    expect(allowed(summary)).toEqual({
      "Who may act": SHOP,
      Token: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      "At most every day": "10000000 base units",
      "At once at most": "20000000 base units, where one period ends and the next begins",
      "Altogether at most": "300000000 base units",
      Starts: "2026-11-18 11:06 UTC",
      Until: "2026-12-18 11:06 UTC",
    });
    expect(summary.warnings).toEqual(["It lets somebody act for you later without asking you again."]);
  });

  it("of one period has no other behind it", () => {
    expect(allowed(read(ending((START + 86_400).toString(16).padStart(32, "0"))))).not.toHaveProperty("At once at most");
    expect(allowed(read(ending((START + 86_401).toString(16).padStart(32, "0"))))).toHaveProperty("At once at most");
  });

  it("that began long ago has fewer periods left", () => {
    at(START + 2 * 86_400);
    expect(allowed(read(MADE.periodic))["Altogether at most"]).toBe("280000000 base units");
  });

  const EVERY = "0x474e3ae7E169e940607cC624Da8A15Eb120139aB";
  const every = (seconds: bigint, amount: bigint) => {
    const words = [amount, seconds, BigInt(START)].map((one) => one.toString(16).padStart(64, "0"));
    return changed({ caveats: MADE.periodic.message.caveats.map((one) => (one.enforcer.toLowerCase() === EVERY.toLowerCase() ? { ...one, terms: one.terms.slice(0, 42) + words.join("") } : one)) });
  };

  it("of little in a short time is told by what it comes to, and has no limit where that is more than there is", () => {
    expect(allowed(every(1n, 1000n))).toMatchObject({ "At most every second": "1000 base units", "Altogether at most": "2592000000 base units" });
    expect(every(1n, 2n ** 80n).warnings.join()).toContain("all of it can be taken");
    expect(every(0n, 1000n).warnings.join()).toContain(UNREADABLE);
  });

  it("names payees and redeemers", () => {
    const rows = allowed(read(MADE.native));
    expect(rows["Altogether at most"]).toBe("1 ETH");
    expect([rows["Handed in by"], rows["Paid to"]]).toEqual([SHOP.toLowerCase(), "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"]);
  });

  it("names the payee of a token", () => {
    const { caveats } = MADE.periodic.message;
    const payee = { enforcer: "0xc2b0d624c1c4319760C96503BA27C347F3260f55", terms: `0x${"4".padStart(64, "0")}${WORD}` };
    expect(allowed(changed({ caveats: [...caveats, payee] }))["Paid to"]).toBe(SHOP.toLowerCase());
  });

  it("tells of a stream what it frees, and at most", () => {
    const rows = allowed(read(MADE.stream));
    expect([rows["Altogether at most"], rows["At once"]]).toEqual(["1 ETH", "0.000000000000000001 ETH"]);
  });

  it("tells of a stream that began long ago what is free by now", () => {
    const since = (seconds: number) => {
      at(START + seconds);
      return allowed(read(streaming(10n ** 16n)))["At once"];
    };
    expect([since(-1), since(7), since(1000)]).toEqual(["0.000000000000000001 ETH", "0.070000000000000001 ETH", "1 ETH"]);
  });

  it("is warned of where it never ends", () => {
    expect(read(MADE.endless).warnings).toContain("It never ends by itself.");
  });

  it("is warned of where it has no limit", () => {
    expect(read(MADE.unlimited).warnings.join()).toContain("all of it can be taken");
  });

  it("without caveats allows everything", () => {
    expect(changed({ caveats: [] }).warnings.join()).toContain("whatever you can");
  });

  it("for nobody in particular is warned of", () => {
    expect(changed({ delegate: "0x0000000000000000000000000000000000000a11" }).warnings.join()).toContain("everybody who gets hold of it");
  });

  it.each([
    ["a caveat of no known contract", { caveats: [...MADE.periodic.message.caveats, { enforcer: SHOP, terms: "0x" }] }, {}],
    ["a caveat that stands there twice", { caveats: [...MADE.periodic.message.caveats, MADE.periodic.message.caveats[0]] }, {}],
    ["no nonce", { caveats: without("0xDE4f2FAC4B3D87A1d9953Ca5FC09FCa7F366254f") }, {}],
    ["no word on coins", { caveats: without("0x92Bf12322527cAA612fd31a0e810472BBB106A8F") }, {}],
    ["another manager", {}, { verifyingContract: SHOP }],
    ["a payee in the place of the amount", { caveats: ruled("0xc2b0d624c1c4319760C96503BA27C347F3260f55", 36n.toString(16).padStart(64, "0") + WORD) }, {}],
    ["payees of coins", { caveats: ruled("0x7F20f61b1f09b08D970938F6fa563634d65c4EeB", SHOP.slice(2)) }, {}],
    ["half a redeemer", { caveats: ruled("0xE144b0b2618071B4e56F746313528a669c7E65c5", SHOP.slice(22)) }, {}],
  ])("cannot be read with %s", (_what, message, domain) => {
    expect(changed(message, domain).warnings.join()).toContain(UNREADABLE);
  });

  const FRIEND = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
  const TARGETS = "0x7F20f61b1f09b08D970938F6fa563634d65c4EeB";
  const METHODS = "0x2c21fD0Cb9DC8445CB3fb0DC5E7Bb0Aca01842B5";
  const COUNT = "0x04658B29F6b82ed55274221a06Fc97D318E25416";
  const calls = (enforcer: string, terms: string | null) => {
    const caveats = MADE.calls.message.caveats.filter((one) => one.enforcer !== enforcer);
    return { ...MADE.calls, message: { ...MADE.calls.message, caveats: terms === null ? caveats : [...caveats, { enforcer, terms: `0x${terms}` }] } };
  };

  it("to call a contract tells its functions, and the most coins that go along", () => {
    const { sections, warnings } = read(MADE.calls);
    expect(sections[0]?.rows.map(({ label, value }) => [label, value])).toEqual([
      ["Who may act", SHOP],
      ["Contract", FRIEND],
      ["Function", "0x6a627842"],
      ["Function", "0x4e71d92d"],
      ["Calls at most", "5"],
      ["Altogether at most", "0.5 ETH"],
      ["Until", "2026-12-18 11:06 UTC"],
    ]);
    expect(warnings.join()).toContain("Nothing limits what the contract does");
  });

  it.each([
    ["the manager of delegations", TARGETS, "db9b1e94b5b69df7e401ddbede43491141047db3"],
    ["an entry point", TARGETS, "0000000071727de22e5e9d8baf0edac6f37da032"],
    ["the account itself", TARGETS, MADE.calls.message.delegator.slice(2)],
    ["two contracts", TARGETS, SHOP.slice(2).repeat(2)],
    ["half a function", METHODS, "6a62"],
    ["no function", METHODS, ""],
    ["a count of another form", COUNT, "05"],
    ["an amount besides", "0x9BC0FAf4Aca5AE429F4c06aEEaC517520CB16BD9", "0".repeat(192)],
  ])("to call %s cannot be read", (_what, enforcer, terms) => {
    expect(read(calls(enforcer, terms)).warnings.join()).toContain(UNREADABLE);
  });

  it("to pay with a number of calls cannot be read", () => {
    expect(changed({ caveats: ruled(COUNT, "1".padStart(64, "0")) }).warnings.join()).toContain(UNREADABLE);
  });

  it("is not taken for one of votes", () => {
    const votes: Partial<Made> & object = {
      types: { Delegation: [{ name: "delegatee", type: "address" }, { name: "nonce", type: "uint256" }] },
      primaryType: "Delegation",
      domain: {},
      message: { delegatee: SHOP, nonce: "0" },
    } as never;
    expect(read(votes).title).toBe("Sign typed data");
  });

  const ME = MADE.periodic.message.delegator;
  const bounded = (made: object, account = ME, chain = "eip155:1") => isBounded(readTypedData(clean(made) as Data), chain, account, TOOLS);

  it("whose end is the number that the contract takes for none is told so", () => {
    const summary = read(ending("0".repeat(32)));
    expect([allowed(summary)["Until"], summary.warnings.includes("It never ends by itself.")]).toEqual(["never", true]);
  });

  it("with a limit, an end and a holder is signed", () => {
    expect([MADE.periodic, MADE.native, MADE.stream, MADE.calls].map((made) => bounded(made))).toEqual([true, true, true, true]);
  });

  it.each([
    ["never ends", MADE.endless],
    ["ends at a moment that the contract takes for none", ending("0".repeat(32))],
    ["ends in the year 2200", ending((7_258_118_400).toString(16).padStart(32, "0"))],
    ["has no limit", MADE.unlimited],
    ["takes coins along with any number of calls", calls(COUNT, null)],
    ["moves tokens", calls(METHODS, "6a627842a9059cbb")],
    ["has no caveats", { ...MADE.periodic, message: { ...MADE.periodic.message, caveats: [] } }],
    ["hands on what somebody else has granted", { ...MADE.periodic, message: { ...MADE.periodic.message, authority: `0x${"1".repeat(64)}` } }],
  ])("that %s is not signed", (_what, made) => {
    expect(bounded(made)).toBe(false);
  });

  const typed = (types: object) => ({ ...MADE.periodic, types: { ...MADE.periodic.types, ...types } });
  const fields = (type: "Delegation" | "Caveat", name: string) => ({ [type]: MADE.periodic.types[type].filter((field) => field.name !== name) });
  it.each([
    ["another manager", { ...MADE.periodic, domain: { ...MADE.periodic.domain, verifyingContract: SHOP } }],
    ["no manager", typed({ EIP712Domain: MADE.periodic.types.EIP712Domain.filter(({ name }) => name !== "verifyingContract") })],
    ["no network", typed({ EIP712Domain: MADE.periodic.types.EIP712Domain.filter(({ name }) => name !== "chainId") })],
    ["caveats that nobody signs", typed(fields("Delegation", "caveats"))],
    ["an account that nobody signs", typed(fields("Delegation", "delegator"))],
    ["an authority that nobody signs", typed(fields("Delegation", "authority"))],
    ["terms that nobody signs", typed(fields("Caveat", "terms"))],
    ["enforcers that nobody signs", typed(fields("Caveat", "enforcer"))],
  ])("with %s is not signed", (_what, made) => {
    expect(bounded(made)).toBe(false);
  });

  it("with a type that makes up the text of its own is refused", () => {
    const [delegate, ...rest] = MADE.periodic.types.Delegation;
    const spelled = { name: "delegate,address delegator", type: delegate?.type };
    expect(() => bounded(typed({ Delegation: [spelled, ...rest] }))).toThrow("types");
    expect(() => bounded(typed({ "Caveat(address enforcer,bytes terms)": MADE.periodic.types.Caveat }))).toThrow("types");
  });

  it("of another account, or for another network, is not signed", () => {
    expect([bounded(MADE.periodic, SHOP), bounded(MADE.periodic, ME, "eip155:137")]).toEqual([false, false]);
  });
});
