import { describe, expect, it } from "vitest";
import {
  approvedChains,
  chainReference,
  describeSession,
  type HeldSession,
  isApprovedMethod,
  isHeldSession,
} from "$/public/external/walletmodal/components/pairing/pairing/sessions.ts";

const SOLANA = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const NOTHING = { chains: {}, accounts: {} };

function session(namespaces: Record<string, Partial<HeldSession["namespaces"][string]>>, peer = {}): HeldSession {
  const whole = Object.entries(namespaces).map(([key, part]) => [key, { accounts: [], methods: [], events: [], ...part }]);
  const metadata = { name: "Lantern", icons: ["https://lantern.example/i.png"], ...peer };
  return { topic: "t", expiry: 1, namespaces: Object.fromEntries(whole), peer: { metadata } };
}

describe("what a session holds", () => {
  it("is told for each namespace of ours", () => {
    const held = session({
      eip155: { accounts: ["eip155:1:0xA"] },
      solana: { accounts: [`solana:${SOLANA}:So1`] },
      cosmos: { accounts: ["cosmos:hub:c1"] },
    });
    const found = describeSession(held, NOTHING);
    expect(Object.keys(found)).toEqual(["eip155", "solana"]);
    expect(found.solana).toMatchObject({ chain: SOLANA, accounts: ["So1"], approved: [`solana:${SOLANA}`] });
  });

  it("leaves out a namespace that nobody asked for", () => {
    const held = session({ eip155: { accounts: ["eip155:1:0xA"] }, solana: { accounts: [`solana:${SOLANA}:So1`] } });
    const found = describeSession({ ...held, optionalNamespaces: { eip155: {} } }, NOTHING);
    expect(Object.keys(found)).toEqual(["eip155"]);
  });

  it("is gathered from namespaces that are listed chain by chain", () => {
    const held = session({ "eip155:1": { accounts: ["eip155:1:0xA"] }, "eip155:10": { accounts: ["eip155:10:0xB"] } });
    expect(describeSession(held, NOTHING).eip155).toMatchObject({ accounts: ["0xA", "0xB"], approved: ["eip155:1", "eip155:10"] });
  });

  it("begins with the account in use on the chain in use", () => {
    const accounts = ["eip155:1:0xA", "eip155:10:0xB", "eip155:10:0xC"];
    const chosen = { chains: { eip155: "10" }, accounts: { eip155: "0xC" } };
    expect(describeSession(session({ eip155: { accounts } }), chosen).eip155).toMatchObject({
      chain: "10",
      accounts: ["0xC", "0xB", "0xA"],
    });
  });

  it("ignores a chain and an account that were not approved", () => {
    const chosen = { chains: { eip155: "56" }, accounts: { eip155: "0xEVIL" } };
    expect(describeSession(session({ eip155: { accounts: ["eip155:1:0xA"] } }), chosen).eip155).toMatchObject({
      chain: "1",
      accounts: ["0xA"],
    });
  });

  it("is any network for the one wallet that says so by its name", () => {
    const held = session({ eip155: { accounts: ["eip155:1:0xA"] } }, { name: "MetaMask Wallet" });
    const found = describeSession(held, { chains: { eip155: "8453" }, accounts: {} });
    expect(found.eip155).toMatchObject({ approved: null, chain: "8453" });
  });

  it.each([
    ["no accounts", { eip155: { accounts: [] } }],
    ["accounts of another namespace", { eip155: { accounts: ["solana:x:y"] } }],
    ["accounts that are none", { eip155: { accounts: ["", "eip155", "eip155:1", "eip155:1:0xA:more", "eip155:1:<b>"] } }],
  ])("is nothing with %s", (_, namespaces) => {
    expect(describeSession(session(namespaces), NOTHING)).toEqual({});
  });

  it("leaves out an icon that is no picture's address, and shortens a name without end", () => {
    const held = session({ eip155: { accounts: ["eip155:1:0xA"] } }, { name: "n".repeat(10_000), icons: ["javascript:alert(1)"] });
    expect(describeSession(held, NOTHING).eip155?.peer).toEqual({ name: "n".repeat(100), icon: "" });
  });

  it.each([
    ["no peer", undefined],
    ["a peer without a description", {}],
    ["a description that is null", { metadata: null }],
    ["a description that is a text", { metadata: "Lantern" }],
    ["a name and icons of another kind", { metadata: { name: { toString: "x" }, icons: { 0: "https://x.example/i.png" } } }],
  ])("has a nameless wallet where it says of itself %s", (_, peer) => {
    const held = { ...session({ eip155: { accounts: ["eip155:1:0xA"] } }), peer } as HeldSession;
    expect(describeSession(held, NOTHING).eip155).toMatchObject({ accounts: ["0xA"], peer: { name: "", icon: "" } });
  });

  it.each([{}, 7, "eip155:10", [10, null, ["eip155:10"]]])("has no chains where they are %j", (chains) => {
    const held = session({ eip155: { accounts: ["eip155:1:0xA"], chains: chains as string[] } });
    expect(describeSession(held, NOTHING).eip155).toMatchObject({ approved: ["eip155:1"] });
  });

  it("is nothing without a session", () => {
    expect(describeSession(undefined, NOTHING)).toEqual({});
  });
});

it("chains are those approved and those of accounts", () => {
  const held = session({ eip155: { chains: ["eip155:1", "nonsense"], accounts: ["eip155:10:0xA"] } });
  expect(approvedChains(held, "eip155")).toEqual(["eip155:1", "eip155:10"]);
});

it("a method counts for the namespace that has it", () => {
  const held = session({ eip155: { methods: ["personal_sign"] } });
  expect([isApprovedMethod(held, "eip155", "personal_sign"), isApprovedMethod(held, "solana", "personal_sign")]).toEqual([true, false]);
});

it.each([
  [1, "1"],
  ["0x89", "137"],
  ["137", "137"],
  ["eip155:137", "137"],
  [`solana:${SOLANA}`, SOLANA],
  [Number.NaN, "fallback"],
  [-1, "fallback"],
  [{}, "fallback"],
  ["<script>", "fallback"],
])("the chain %j is %s", (data, reference) => {
  expect(chainReference(data, "fallback")).toBe(reference);
});

it.each([
  null,
  "text",
  [],
  { topic: 1 },
  { topic: "t", expiry: 1, namespaces: {} },
  { topic: "t", expiry: 1, namespaces: { eip155: {} }, peer: { metadata: {} } },
  { topic: "t", expiry: 1, state: { accounts: ["0x1@eip155:1"] } },
])("%j is no session of today", (value) => {
  expect(isHeldSession(value)).toBe(false);
});
