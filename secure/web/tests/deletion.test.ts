import { beforeEach, describe, expect, it, vi } from "vitest";
import { deleteAccount } from "../src/account";
import { Api } from "../src/api";
import type { Card } from "../src/cards/card";
import { Device } from "../src/device";
import type { Parts } from "../src/frame";
import { Screen } from "../src/screen";
import { MemoryStore } from "../src/storage";
import { failure, refusal, Server, type Handler } from "./server";

const WALLET = { evm: `0x${"Ab".repeat(20)}`, solana: "1".repeat(32) };
const HALF = `half:u:${WALLET.evm.toLowerCase()}`;

const shown: Card[] = [];
let approves = true;

vi.mock("../src/scripts", () => ({
  loadRequests: async () => ({
    askConsent: (card: Card) => (shown.push(card), { card: { children: [] }, given: Promise.resolve(approves), working: () => undefined, stop: () => undefined }),
    askCode: () => ({ card: { children: [] }, input: { focus: () => undefined }, wait: () => undefined, next: async () => "12345678", say: () => undefined, fail: () => undefined }),
    mayTryAgain: () => false,
  }),
}));

beforeEach(() => {
  shown.length = 0;
  approves = true;
  vi.stubGlobal("document", { body: { replaceChildren: () => undefined }, getElementById: () => null });
  vi.stubGlobal("location", { ancestorOrigins: ["https://shop.example"] });
  vi.stubGlobal("ResizeObserver", class { observe() {} disconnect() {} });
});

async function open(answers: Record<string, Handler> = {}, device = true) {
  const server = new Server({
    "/v1/passkeys": () => ({ passkeys: [] }),
    "/v1/proof/start": () => ({ attempt: "a", retryAfter: 30 }),
    "/v1/proof/finish": () => ({ proof: "the proof" }),
    "/v1/account/delete": () => ({}),
    "/v1/account/delete/request": () => ({ deletesAt: 1_900_000_000_000 }),
    "/v1/recovery/ways": () => ({ ways: [], deletionHours: 168 }),
    ...answers,
  });
  const store = new MemoryStore();
  await store.put(HALF, "sealed");
  const api = new Api(await Device.open(store));
  const ended = vi.fn();
  api.onSessionEnd = ended;
  const user = { id: "u", email: "ada@example.com", wallet: WALLET, device };
  const parts = { api, store, screen: new Screen(() => undefined), login: { user: async () => user } } as unknown as Parts;
  return { server, store, ended, parts };
}

describe("the end of an account", () => {
  it("is approved in a window of this site's own, on a card that names what is lost", async () => {
    const { parts } = await open();
    await deleteAccount(parts);
    expect(shown[0]?.apart).toBe(true);
    expect(shown[0]?.sections[0]?.rows.map(({ value }) => value)).toEqual(expect.arrayContaining(["ada@example.com", WALLET.evm, WALLET.solana]));
    expect(shown[0]?.warnings.join(" ")).toContain("Export that first");
  });

  it("leaves nothing on this device, and ends its session", async () => {
    const { parts, store, ended } = await open();
    await store.put(`former:${HALF}`, "sealed before");
    await deleteAccount(parts);
    expect([await store.get(HALF), await store.get(`former:${HALF}`)]).toEqual([undefined, undefined]);
    expect(ended).toHaveBeenCalledOnce();
  });

  it("does not come about when the visitor refuses", async () => {
    const { parts, store, ended } = await open();
    approves = false;
    expect((await failure(deleteAccount(parts))).code).toBe(4001);
    expect([await store.get(HALF), ended.mock.calls.length]).toEqual(["sealed", 0]);
  });

  it("keeps this device's half when the server refuses", async () => {
    const { parts, store } = await open({ "/v1/account/delete": () => refusal(423, "held") });
    expect((await failure(deleteAccount(parts))).reason).toBe("held");
    expect(await store.get(HALF)).toBe("sealed");
  });

  it("has come about although the answer was lost, when nobody knows the session any more", async () => {
    const { parts, server, store } = await open({ "/v1/me": () => refusal(401, "session") });
    server.lost.push("/v1/account/delete");
    await deleteAccount(parts);
    expect(await store.get(HALF)).toBeUndefined();
  });

  it("has not when the call was lost on its way", async () => {
    const { parts, server, store } = await open({ "/v1/me": () => ({ user: {} }) });
    server.lost.push("/v1/account/delete");
    expect((await failure(deleteAccount(parts))).reason).toBe("unreachable");
    expect(await store.get(HALF)).toBe("sealed");
  });

});

describe("on a device that cannot open the wallet, the end of an account", () => {
  it("is asked for, and due later: the card says when, and what stops it", async () => {
    const { parts, ended } = await open({}, false);
    expect(await deleteAccount(parts)).toEqual({ deletesAt: 1_900_000_000_000 });
    const words = shown[0]?.sections[0]?.rows.map(({ value }) => value).join(" ");
    expect(words).toContain("In 7 days. Until then a link in our mails stops it");
    expect([shown[0]?.apart, ended.mock.calls.length]).toEqual([true, 0]);
  });

  it("needs a proof for it", async () => {
    const { parts, server } = await open({}, false);
    await deleteAccount(parts);
    expect(server.calls.find(({ path }) => path === "/v1/account/delete/request")?.body).toEqual({ proof: "the proof" });
    expect(server.paths()).not.toContain("/v1/account/delete");
  });
});
