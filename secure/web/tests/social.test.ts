import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import { Custody } from "../src/custody";
import { Device } from "../src/device";
import type { Parts } from "../src/frame";
import { beginFarcaster, beginSocial, connectSocial, readAttempt, returnedSocial } from "../src/later/social";
import { Login } from "../src/login";
import { MemoryStore } from "../src/storage";
import { aborted, failure, refusal, Server, type Handler } from "./server";

const USER = { id: "kim", email: "", wallet: null, device: false, escrow: false, frozenUntil: null };
const ENDED = { session: "s1", user: USER, provider: "google", userName: "Kim" };
const ATTEMPT = "a".repeat(32);
const OTHER = "b".repeat(32);

let store: MemoryStore;

beforeEach(() => {
  store = new MemoryStore();
});

async function open(handlers: Record<string, Handler>) {
  const server = new Server(handlers);
  const device = await Device.open(store);
  const api = new Api(device);
  const custody = new Custody(store, device, api, "");
  const login = new Login(api, store, custody, vi.fn());
  await login.resume();
  return { server, login, parts: { api, custody, login, store } as unknown as Parts };
}

describe("an attempt", () => {
  it.each([["a".repeat(31)], ["a".repeat(33)], ["../".repeat(11).slice(0, 32)], [`${"a".repeat(31)}\n`], [7], [undefined]])("is none: %j", (attempt) => {
    expect(() => readAttempt({ attempt } as never)).toThrow("Invalid params");
  });
});

describe("a login at a provider", () => {
  it("tells where its window goes", async () => {
    const { server, parts } = await open({ "/v1/oauth/start": () => ({ url: "https://secure.example/oauth/go/google/a" }) });
    expect(await beginSocial("google", ATTEMPT, "", parts)).toEqual({ uri: "https://secure.example/oauth/go/google/a" });
    expect(server.calls[0]?.body).toEqual({ provider: "google", attempt: ATTEMPT });
  });

  it("signs in with what the server says of its attempt", async () => {
    const answers = [{ pending: true }, ENDED];
    const { parts, login } = await open({ "/v1/oauth/finish": () => answers.shift()! });
    expect(await connectSocial("oauth", ATTEMPT, parts)).toEqual({ provider: "google", userName: "Kim", email: "" });
    expect((await login.user()).id).toBe("kim");
  });

  it("says why it could not be begun, to who waits for its end", async () => {
    const { parts } = await open({ "/v1/oauth/start": () => refusal(400, "not_offered"), "/v1/oauth/finish": () => ENDED });
    const begun = failure(beginSocial("google", OTHER, "", parts));
    expect((await failure(connectSocial("oauth", OTHER, parts))).reason).toBe("not_offered");
    await begun;
  });

  it("that failed is told as the server tells it", async () => {
    const { parts } = await open({ "/v1/oauth/finish": () => refusal(400, "denied") });
    expect((await failure(connectSocial("oauth", ATTEMPT, parts))).reason).toBe("denied");
  });

  it("that was taken just before the page was loaded anew counts without being asked for again", async () => {
    await connectSocial("oauth", ATTEMPT, (await open({ "/v1/oauth/finish": () => ENDED })).parts);
    const { server, parts } = await open({ "/v1/me": () => ({ user: USER }) });
    expect(await connectSocial("oauth", ATTEMPT, parts)).toEqual({ provider: "google", userName: "Kim", email: "" });
    expect(server.paths()).not.toContain("/v1/oauth/finish");
  });

  it("is waited for by the page that was loaded anew, on the same device", async () => {
    const { parts } = await open({ "/v1/oauth/start": () => ({ url: "https://secure.example/oauth/go/google/a" }) });
    await beginSocial("google", ATTEMPT, "", parts);
    const before = (await Device.open(store)).id;
    vi.resetModules();
    const anew = await import("../src/later/social");
    const { server, login, parts: next } = await open({ "/v1/oauth/finish": () => ENDED });
    await anew.connectSocial("oauth", ATTEMPT, next);
    expect((await login.user()).id).toBe("kim");
    expect(server.calls.map(({ path }) => path)).toEqual(["/v1/oauth/finish"]);
    expect((await Device.open(store)).id).toBe(before);
  });

  it("that nobody waits for any more ends", async () => {
    const { parts, login } = await open({});
    const asked = new Promise<void>((resolve) => {
      vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => {
        resolve();
        return aborted(signal);
      });
    });
    const waiting = failure(connectSocial("oauth", ATTEMPT, parts));
    await asked;
    login.cancel();
    expect((await waiting).message).toBe("Request was aborted");
  });

  it.each([[{}], [{ session: "s1" }], [{ user: USER }]])("is not made of an answer that makes no sense: %j", async (answer) => {
    const { parts, login } = await open({ "/v1/oauth/finish": () => answer });
    await expect(connectSocial("oauth", ATTEMPT, parts)).rejects.toThrow();
    expect(await login.isConnected()).toBe(false);
  });
});

describe("a login for which the page is left", () => {
  const BACK = "https://shop.example/cart";
  const handlers = { "/v1/oauth/start": () => ({ url: "https://secure.example/oauth/go/google/a" }), "/v1/oauth/finish": () => ENDED };

  it("tells the server where it comes back to, and is known by the page that comes back", async () => {
    const { server, parts } = await open(handlers);
    await beginSocial("google", ATTEMPT, BACK, parts);
    expect(server.calls[0]?.body).toEqual({ provider: "google", attempt: ATTEMPT, back: BACK });
    expect(await returnedSocial((await open(handlers)).parts)).toEqual({ attempt: ATTEMPT, provider: "google" });
  });

  it("is over once it has signed in", async () => {
    const { parts } = await open(handlers);
    await beginSocial("google", ATTEMPT, BACK, parts);
    await connectSocial("oauth", ATTEMPT, parts);
    expect(await returnedSocial(parts)).toEqual({});
  });

  it("is none that has a window", async () => {
    const { parts } = await open(handlers);
    await beginSocial("google", ATTEMPT, "", parts);
    expect(await returnedSocial(parts)).toEqual({});
  });
});

describe("a login with Farcaster", () => {
  it("has a link and an attempt", async () => {
    const begun = { attempt: ATTEMPT, url: "https://farcaster.xyz/~/siwf", expiresAt: 5 };
    const { parts } = await open({ "/v1/farcaster/start": () => begun });
    expect(await beginFarcaster(parts)).toEqual(begun);
  });

  it.each([[{}], [{ attempt: ATTEMPT }], [{ url: "x" }]])("is not begun by %j", async (answer) => {
    const { parts } = await open({ "/v1/farcaster/start": () => answer });
    await expect(beginFarcaster(parts)).rejects.toThrow();
  });

  it("ends at a path of its own", async () => {
    const { server, parts } = await open({ "/v1/farcaster/finish": () => ({ ...ENDED, provider: "farcaster" }) });
    expect((await connectSocial("farcaster", ATTEMPT, parts))["provider"]).toBe("farcaster");
    expect(server.calls[0]?.body).toEqual({ attempt: ATTEMPT });
  });
});
