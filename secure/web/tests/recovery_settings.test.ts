// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import { base64url, hex, random, unbase64url, xor } from "../src/bytes";
import { Custody } from "../src/custody";
import { Device } from "../src/device";
import { oneTimeKey, openSealed, rawPoint } from "../src/ecies";
import type { Parts } from "../src/frame";
import { serve } from "../src/later";
import { recoveryWays } from "../src/later/recovery";
import { Login } from "../src/login";
import { derive } from "../src/recovery_settings/derivation";
import { weakness } from "../src/recovery_settings/strength";
import { Screen } from "../src/screen";
import { MemoryStore } from "../src/storage";
import { failure, refusal, Server, type Handler } from "./server";

const PASSWORD = "correct horse battery staple";
/** By another implementation: `cryptography`'s Argon2id, salt of sixteen sevens. */
const DERIVED = "7c9cc0287b3f8152968fd3d198b344374a17cc1949c04112c86afcc457a079ba9ad16aa829e6884ca2d02d12309a643e36c35a7757792a6d8e18902beb34b738";

/** Whether the visitor approves cards, and what codes the visitor types. */
let approves = true;
let shown: string[] = [];

vi.mock("../src/scripts", () => ({
  loadRequests: async () => ({
    askConsent: ({ warnings }: { warnings: string[] }) => {
      shown.push(...warnings);
      return { card: document.createElement("main"), given: Promise.resolve(approves), working: () => undefined, stop: () => undefined };
    },
    askCode: (_email: string, _signal: AbortSignal, { lead }: { lead: string }) => {
      shown.push(lead);
      return { card: document.createElement("form"), input: { focus: () => undefined }, next: async () => "12345678", wait: () => undefined };
    },
    mayTryAgain: () => false,
    RESEND: "resend",
    CANCEL: "cancel",
  }),
  loadRecoverySettings: () => import("../src/recovery_settings"),
}));

beforeEach(() => {
  approves = true;
  shown = [];
  document.body.replaceChildren();
});

interface Kept {
  evm: string;
  solana: string;
  halves: Map<string, string>;
  password: Record<string, string> | null;
  escrow: Record<string, string> | null;
}

async function makeSite() {
  const service = await oneTimeKey();
  const kept: Kept = { evm: "", solana: "", halves: new Map(), password: null, escrow: null };
  const deviceOf = (headers: Headers) => headers.get("x-device") ?? "";
  const user = (headers: Headers) => ({
    ...{ id: "kim", email: "kim@example.org", escrow: kept.escrow !== null, frozenUntil: null, device: kept.halves.has(deviceOf(headers)) },
    wallet: kept.evm ? { evm: kept.evm, solana: kept.solana } : null,
  });
  const proven = (body: Record<string, string>, then: () => object) => (body["proof"] === "fresh" ? then() : (refusal(403, "proof") as object));
  const handlers: Record<string, Handler> = {
    "/v1/login/email": () => ({ attempt: "a1", action: "VERIFY_OTP" }),
    "/v1/login/otp": (_, headers) => ({ session: "s1", user: user(headers) }),
    "/v1/me": (_, headers) => ({ user: user(headers) }),
    "/v1/wallet": ({ evm = "", solana = "", deviceHalf = "" }, headers) => {
      Object.assign(kept, { evm, solana });
      kept.halves.set(deviceOf(headers), deviceHalf);
      return { user: user(headers) };
    },
    "/v1/wallet/half": (_, headers) => ({ half: kept.halves.get(deviceOf(headers)) }),
    "/v1/wallet/device": ({ deviceHalf = "" }, headers) => (kept.halves.set(deviceOf(headers), deviceHalf), { user: user(headers) }),
    "/v1/passkeys": () => ({ passkeys: [] }),
    "/v1/proof/start": () => ({ attempt: "p1", action: "VERIFY_PROOF", retryAfter: 30 }),
    "/v1/proof/finish": () => ({ proof: "fresh" }),
    "/v1/password/set": (body) => proven(body, () => ((kept.password = body), {})),
    "/v1/password/remove": (body) => proven(body, () => ((kept.password = null), {})),
    "/v1/password/open": () => ({ salt: kept.password?.["salt"] }),
    "/v1/password/opened": ({ auth }) =>
      auth === kept.password?.["auth"]
        ? { box: kept.password?.["box"], serverHalf: kept.password?.["half"], grant: "grant", evm: kept.evm, solana: kept.solana }
        : refusal(403, "wrong_password"),
    "/v1/escrow/off": (body, headers) => proven(body, () => ((kept.escrow = null), { user: user(headers) })),
    "/v1/escrow/on": (body, headers) => proven(body, () => ((kept.escrow = body), { user: user(headers) })),
  };
  const server = new Server(handlers);
  document.head.innerHTML = `<meta name="walletmodal-recovery-key" content="${base64url(await rawPoint(service.publicKey))}">`;
  return { server, kept, service };
}

async function visitor() {
  const store = new MemoryStore();
  const device = await Device.open(store);
  const api = new Api(device);
  const custody = new Custody(store, device, api, "");
  const screen = new Screen(() => undefined);
  const login = new Login(api, store, custody, () => undefined);
  await login.begin("kim@example.org");
  await login.enter("123456");
  const parts = { api, custody, login, screen, store } as unknown as Parts;
  return { custody, login, ask: (type: string, payload: object = {}) => serve(type, payload as never, parts) };
}

/** Who has made the wallet here. */
async function owner() {
  const found = await visitor();
  await found.login.userWithWallet();
  return found;
}

async function type(password: string, again = password): Promise<void> {
  await vi.waitFor(() => expect(document.querySelector<HTMLButtonElement>("[data-testid=password-submit]")?.disabled).toBe(false), 20_000);
  const values = [password, again];
  document.querySelectorAll<HTMLInputElement>("input[type=password]").forEach((field, at) => (field.value = values[at]!));
  document.querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
}

const said = () => document.querySelector("#password-error")?.textContent;

it.each([[{ password: false }, false], [{ password: true }, true], [{}, true]])("tells the modal whether a password could be a way: %j", async (told, could) => {
  const api = { call: async () => ({ ways: ["passkey"], ...told }) };
  expect((await recoveryWays({ api } as unknown as Parts))["password"]).toBe(could);
});

describe("keys of a password", () => {
  it("are what argon2id says elsewhere", async () => {
    const { auth, key } = await derive(PASSWORD, new Uint8Array(16).fill(7));
    expect(hex(auth) + hex(key)).toBe(DERIVED);
  });
});

describe("a new password", () => {
  it.each([
    ["too-short", "at least 12"],
    ["abababababab", "different"],
    ["123456789012345", "Digits alone"],
    ["my kim@example.org!", "email"],
    [PASSWORD, ""],
  ])("%j: %s", (password, wrong) => {
    if (wrong) expect(weakness(password, "kim@example.org")).toContain(wrong);
    else expect(weakness(password, "kim@example.org")).toBe("");
  });
});

describe("a recovery password", () => {
  it("opens the wallet on another device, and the wrong one says so and changes nothing", async () => {
    const { server, kept } = await makeSite();
    const { ask, login } = await owner();
    const set = ask("PASSWORD_SET");
    await type("too short");
    expect(said()).toContain("at least 12");
    await type(PASSWORD, "correct horse battery stable");
    expect(said()).toBe("The two are not the same.");
    await type(PASSWORD);
    await set;
    expect(shown).toEqual(["You are about to set a recovery password. Enter the eight digits that we sent to"]);
    expect(server.calls.map(({ text }) => text).join()).not.toContain(PASSWORD);
    const other = await visitor();
    const before = kept.halves.size;
    const opening = other.ask("RECOVERY", { way: "password" });
    await type("another horse battery staple");
    await vi.waitFor(() => expect(said()).toBe("Refused: wrong_password"), 20_000);
    expect(kept.halves.size).toBe(before);
    await type(PASSWORD);
    await opening;
    expect((await other.login.userWithWallet()).wallet).toEqual((await login.user()).wallet);
  });

  it("is not set by who cancels", async () => {
    const { kept } = await makeSite();
    const { ask } = await owner();
    const set = failure(ask("PASSWORD_SET") as Promise<unknown>);
    await vi.waitFor(() => expect(document.querySelector("form input")).not.toBeNull());
    document.querySelector<HTMLButtonElement>("[data-testid=password-cancel]")!.click();
    expect([(await set).code, kept.password]).toEqual([4001, null]);
  });

  it("is removed with a fresh proof", async () => {
    const { kept } = await makeSite();
    const { ask } = await owner();
    kept.password = { salt: base64url(random(16)) };
    await ask("PASSWORD_REMOVE");
    expect(kept.password).toBeNull();
  });
});

describe("escrow", () => {
  it("is turned off after a warning that names what is lost", async () => {
    const { kept } = await makeSite();
    const { ask, login } = await owner();
    kept.escrow = {};
    await ask("ESCROW_OFF");
    expect(shown.join()).toContain("are lost");
    expect([kept.escrow, (await login.user()).escrow]).toEqual([null, false]);
  });

  it("stays where the visitor rejects that", async () => {
    const { kept, server } = await makeSite();
    const { ask } = await owner();
    kept.escrow = {};
    approves = false;
    expect((await failure(ask("ESCROW_OFF") as Promise<unknown>)).code).toBe(4001);
    expect(server.paths()).not.toContain("/v1/proof/start");
  });

  it("is turned on with a new set that gives the same wallet", async () => {
    const { kept, service } = await makeSite();
    const { ask, custody, login } = await owner();
    await ask("ESCROW_ON");
    const half = await openSealed(service.privateKey, unbase64url(kept.escrow?.["escrow"] ?? ""), "walletmodal escrow 1", "kim");
    const root = xor(half, unbase64url(kept.escrow?.["recoveryHalf"] ?? ""));
    await custody.withKeys(await login.user(), (_, own) => expect(hex(root)).toBe(hex(own)));
  });
});
