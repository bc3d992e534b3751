import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import type { Card } from "../src/cards/card";
import { Custody } from "../src/custody";
import { Device } from "../src/device";
import type { Parts } from "../src/frame";
import { serve } from "../src/later";
import { Login } from "../src/login";
import { Screen } from "../src/screen";
import { MemoryStore } from "../src/storage";
import { failure, Server } from "./server";

const USER = { id: "kim", email: "kim@example.org", wallet: null, device: false, escrow: false, frozenUntil: null };
const HOST = "https://shop.example";

/** What the visitor was shown, and what the visitor does then. */
const shown: Card[] = [];
let approves = true;

vi.mock("../src/scripts", () => ({
  loadRequests: async () => ({
    askConsent: (card: Card) => (shown.push(card), { card: { children: [] }, given: Promise.resolve(approves), working: () => undefined, stop: () => undefined }),
    askInWindow: () => Promise.reject(new Error("no window is asked for")),
  }),
}));

beforeEach(() => {
  shown.length = 0;
  approves = true;
  const body = { replaceChildren: () => undefined };
  vi.stubGlobal("document", { body, getElementById: () => null });
  vi.stubGlobal("location", { ancestorOrigins: ["https://modal.example", HOST] });
  vi.stubGlobal("ResizeObserver", class { observe() {} disconnect() {} });
});

async function open(user: object = USER) {
  const server = new Server({
    "/v1/login/email": () => ({ attempt: "a1", action: "VERIFY_OTP" }),
    "/v1/login/otp": () => ({ session: "s1", user }),
    "/v1/email/update": () => ({ attempt: "u1", action: "VERIFY_PRIMARY_OTP", words: "amber fjord", retryAfter: 30 }),
    "/v1/email/primary": () => ({ attempt: "u2", action: "VERIFY_SECONDARY_OTP", words: "quiet harbor", retryAfter: 30 }),
    "/v1/email/secondary": () => ({ user: { ...USER, email: "lee@example.org" } }),
  });
  const store = new MemoryStore();
  const device = await Device.open(store);
  const api = new Api(device);
  const custody = new Custody(store, device, api, "");
  const told: [string, object][] = [];
  const screen = new Screen((type, payload) => told.push([type, payload]));
  const login = new Login(api, store, custody, () => undefined);
  await login.begin("kim@example.org");
  await login.enter("123456");
  const parts = { api, custody, login, screen, store } as unknown as Parts;
  return { server, login, told, ask: (type: string, payload: object) => serve(type, payload as never, parts) };
}

const begun = { email: "lee@example.org" };

describe("a change of the address", () => {
  it("is approved on a card that names both addresses and the site", async () => {
    const { ask } = await open();
    await ask("UPDATE_EMAIL", begun);
    const [{ origin, sections, network } = {} as Card] = shown;
    expect([origin, network, sections[0]?.rows.map(({ value }) => value)]).toEqual([HOST, "", ["kim@example.org", "lee@example.org"]]);
  });

  it("names a domain as mail servers have it", async () => {
    const { ask } = await open();
    await ask("UPDATE_EMAIL", { email: "lee@ex\u0430mple.org" });
    expect(shown[0]?.sections[0]?.rows[1]?.value).toBe("lee@xn--exmple-4nf.org");
  });

  it("that the visitor rejects is not asked for", async () => {
    approves = false;
    const { ask, server } = await open();
    expect((await failure(ask("UPDATE_EMAIL", begun))).code).toBe(4001);
    expect(server.paths()).not.toContain("/v1/email/update");
  });

  it("of who has no address is refused, and nothing is shown", async () => {
    const { ask } = await open({ ...USER, email: "" });
    expect((await failure(ask("UPDATE_EMAIL", begun))).reason).toBe("no_email");
    expect(shown).toEqual([]);
  });

  it("goes on with one code after the other, and tells that somebody else's name stands there now", async () => {
    const { ask, server, told, login } = await open();
    await ask("UPDATE_EMAIL", begun);
    expect(await ask("UPDATE_EMAIL_PRIMARY_OTP", { otp: "111111" })).toEqual({ words: "quiet harbor" });
    expect(await ask("UPDATE_EMAIL_SECONDARY_OTP", { otp: "222222" })).toEqual({ newEmail: "lee@example.org" });
    expect(server.calls.slice(-2).map(({ body }) => body)).toEqual([
      { attempt: "u1", otp: "111111" },
      { attempt: "u2", otp: "222222" },
    ]);
    expect(told.at(-1)).toEqual(["SESSION_UPDATE", { isConnected: true }]);
    expect((await login.user()).email).toBe("lee@example.org");
  });
});
