// @vitest-environment happy-dom
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configureSecure } from "$/public/external/walletmodal/components/embedded/embedded/config.ts";
import { secureAsked, tellLogin } from "$/public/external/walletmodal/components/embedded/embedded/exchange.ts";
import { LostLogin } from "$/public/external/walletmodal/components/embedded/embedded/lost_login.tsx";
import { CHAINS, CONFIG, ORIGIN, Secure } from "./secure";

const EVM = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const SOLANA = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const email = "kim@example.org";
const session = (address: string, chain: string) => ({
  connector: "ID_AUTH", accounts: [address], chain, approved: null, peer: { name: "Email wallet", icon: "" }, user: { email, name: "", provider: "" },
});
const SESSIONS = { eip155: session(EVM, "1"), solana: session(SOLANA, "5eykt4") };
const MESSAGE = { namespace: "eip155", chain: "eip155:1", method: "personal_sign", params: ["0x00", EVM] };

let secure: Secure;
let life = 0;

beforeEach(() => {
  life++;
  secure = new Secure();
});
afterEach(() => secure.end());

/** The loader asks; the answer comes under its id. */
function asks(name: string, method: string, params: object = {}): () => Promise<unknown> {
  const id = `${life}-${name}`;
  secureAsked(id, { method, params });
  return () => secure.told(id);
}

const leave = (): void => configureSecure(CONFIG, false);

/** A site that names the account of the network that it is asked about, and no other. */
async function users(first = 1): Promise<void> {
  await secure.answer("GET_USER", { email, address: EVM }, first);
  await secure.answer("GET_USER", { email, address: SOLANA }, first + 1);
}

describe("connecting", () => {
  it("asks once where the frame names every account", async () => {
    const answer = asks("c", "connect");
    await secure.start();
    await secure.answer("GET_USER", { email, address: EVM, addresses: { eip155: EVM, solana: SOLANA } });
    expect([await answer(), secure.asked.filter(({ type }) => type.endsWith("GET_USER")).length]).toEqual([{ ok: true, value: { sessions: SESSIONS }, error: null }, 1]);
  });

  it.each([[7], [null], [{ eip155: 7 }], [{ eip155: "" }]])("asks for each where it names %j", async (addresses) => {
    const answer = asks("c", "connect");
    await secure.start();
    await secure.answer("GET_USER", { email, address: EVM, addresses } as never);
    await secure.answer("GET_USER", { email, address: SOLANA }, 2);
    expect(await answer()).toMatchObject({ value: { sessions: SESSIONS } });
  });

  it("has the frame name the account of each namespace, one after the other", async () => {
    const answer = asks("c", "connect");
    await secure.start();
    expect((await secure.question("GET_USER")).payload).toEqual({ chainId: "eip155:1" });
    await users();
    expect(await answer()).toEqual({ ok: true, value: { sessions: SESSIONS }, error: null });
  });

  it("says by its word that the wallet is to be recovered", async () => {
    const answer = asks("c", "connect");
    await secure.start();
    await secure.refuse("GET_USER", { code: 4100, message: "No key here", reason: "recovery_needed" });
    expect(await answer()).toMatchObject({ ok: false, error: { code: 4100, message: "recovery_needed" } });
  });

  it.each([[null], [{}], [{ address: 7 }]])("fails with an account like %j", async (user) => {
    const answer = asks("c", "connect");
    await secure.start();
    await secure.answer("GET_USER", user as never);
    expect(await answer()).toMatchObject({ ok: false, error: { code: -32603 } });
  });
});

describe("a Safe and its owner", () => {
  const SAFE = "0x08eA90D108291a05830B25E8eFaF027979dEb8D1";
  const both = (fields: object = {}) => ({ email, address: EVM, addresses: { eip155: EVM, solana: SOLANA }, addressesByType: { eoa: EVM, smartAccount: SAFE }, ...fields });
  const accounts = async (answer: () => Promise<unknown>) =>
    ((await answer()) as { value: { sessions: typeof SESSIONS } }).value.sessions.eip155.accounts;

  it.each([
    ["the Safe by the host's default", {}, "smartAccount", [SAFE, EVM]],
    ["the owner by the host's default", {}, "eoa", [EVM, SAFE]],
    ["what the owner has chosen", { preferredAccountType: "eoa" }, "smartAccount", [EVM, SAFE]],
  ])("stand in the order of preference: %s", async (_, fields, accountType, expected) => {
    configureSecure({ ...CONFIG, accountType }, true);
    const answer = asks("c", "connect");
    await secure.start();
    await secure.answer("GET_USER", both(fields));
    expect(await accounts(answer)).toEqual(expected);
  });

  it("change places for the loader once the other is chosen, before the server hears of it", async () => {
    const params = { ...MESSAGE, method: "walletmodal_accountType", params: [{ type: "eoa" }] };
    const answer = asks("t", "request", params);
    await secure.start();
    await secure.answer("RPC_REQUEST", { type: "eoa", status: "supported", foreign: "", address: SAFE });
    await secure.answer("GET_USER", both({ preferredAccountType: "eoa" }));
    expect(await answer()).toMatchObject({ ok: true, value: { type: "eoa" } });
    const types = secure.posted.map(([type]) => type);
    expect(types.slice(-2)).toEqual(["sessions", "paired"]);
    expect(secure.posted.at(-2)?.[1]).toMatchObject({ sessions: { eip155: { accounts: [EVM, SAFE] } } });
  });
});

describe("a return", () => {
  it("brings back who is logged in", async () => {
    const answer = asks("s", "sessions");
    await secure.start();
    await secure.answer("IS_CONNECTED", { isConnected: true });
    await users();
    expect(await answer()).toMatchObject({ value: { sessions: SESSIONS } });
  });

  it("brings nobody where nobody is", async () => {
    const answer = asks("s", "sessions");
    await secure.start();
    await secure.answer("IS_CONNECTED", { isConnected: false });
    expect(await answer()).toMatchObject({ ok: true, value: { sessions: {} } });
  });

  it("brings nobody whose key is not here", async () => {
    const answer = asks("s", "sessions");
    await secure.start();
    await secure.answer("IS_CONNECTED", { isConnected: true });
    await secure.refuse("GET_USER", { message: "No key", reason: "recovery_needed" });
    expect(await answer()).toMatchObject({ ok: true, value: { sessions: {} } });
  });

  it("says nothing of who cannot be asked for", async () => {
    const answer = asks("s", "sessions");
    await secure.start();
    await secure.refuse("IS_CONNECTED", { message: "The server could not be reached" });
    expect(await answer()).toMatchObject({ ok: false });
  });

  it("makes no frame where there is no secure site", async () => {
    secure.end();
    secure = new Secure({ url: "" });
    expect([await asks("s", "sessions")(), secure.element]).toEqual([{ ok: true, value: { sessions: {} }, error: null }, null]);
  });
});

describe("a reload in a browser that keeps nothing", () => {
  const place = document.createElement("div");
  let root: Root;
  const show = (): void => act(() => (root = createRoot(place)).render(createElement(LostLogin, null, "Log in again")));
  beforeEach(() => {
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    show();
  });
  afterEach(() => act(() => root.unmount()));

  async function reloads(told: object): Promise<void> {
    const answer = asks("s", "sessions");
    await secure.start();
    await secure.answer("IS_CONNECTED", told as never);
    await act(async () => void (await answer()));
  }

  it("is told of until it was read", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    await reloads({ isConnected: false, forgets: true });
    const told = [100, 3_000, 0].map((read) => {
      const text = place.textContent;
      now += read;
      act(() => root.unmount());
      show();
      return text;
    });
    expect(told).toEqual(["Log in again", "Log in again", ""]);
  });

  it.each([[{ isConnected: false }], [{ isConnected: true, forgets: true }], [{ isConnected: false, forgets: "yes" }]])("is none where the frame says %j", async (told) => {
    const done = reloads(told);
    if (told.isConnected) await users();
    await done;
    expect(place.textContent).toBe("");
  });
});

describe("a login that nobody has asked for yet", () => {
  it("is told to the loader, which says at once what it holds by then", async () => {
    const done = tellLogin();
    await secure.start();
    await users();
    await done;
    expect(secure.posted).toEqual([["sessions", { connector: "ID_AUTH", sessions: SESSIONS, now: true }, undefined]]);
  });

  it("is not waited for where the loader does not say what it holds", async () => {
    const done = tellLogin().catch((error: Error) => error.message);
    await secure.start();
    const post = vi.spyOn(window.__walletmodal, "post").mockReturnValue(undefined);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await users();
    await vi.waitFor(() => expect(post).toHaveBeenCalledWith("sessions", expect.objectContaining({ now: true })));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await done).toBe("Something went wrong");
  });

  it("is not told where its accounts do not come", async () => {
    const done = tellLogin().catch((error: Error) => error.message);
    await secure.start();
    await secure.refuse("GET_USER", { message: "No key here", reason: "recovery_needed" });
    expect([await done, secure.posted]).toEqual(["No key here", []]);
  });
});

it("a session that has ended is told of", async () => {
  const answer = asks("s", "sessions");
  await secure.start();
  await secure.answer("IS_CONNECTED", { isConnected: false });
  await answer();
  secure.say("SESSION_UPDATE", { isConnected: false });
  await vi.waitFor(() => expect(secure.posted).toContainEqual(["sessions", { connector: "ID_AUTH", sessions: {} }, undefined]));
});

it("another address of who is logged in is told to the loader", async () => {
  const answer = asks("s", "sessions");
  await secure.start();
  await secure.answer("IS_CONNECTED", { isConnected: false });
  await answer();
  secure.say("SESSION_UPDATE", { isConnected: true });
  await users();
  await vi.waitFor(() => expect(secure.posted).toContainEqual(["sessions", { connector: "ID_AUTH", sessions: SESSIONS }, undefined]));
});

it("disconnecting signs out", async () => {
  const answer = asks("d", "disconnect");
  await secure.start();
  await secure.answer("SIGN_OUT", {});
  expect(await answer()).toEqual({ ok: true, value: null, error: null });
});

describe("a request", () => {
  it("goes to the frame with its network, the site and our hint", async () => {
    const hint = { title: "Sign", lines: ["A new receiver"] };
    const answer = asks("r", "request", { ...MESSAGE, hint });
    await secure.start();
    expect((await secure.question("RPC_REQUEST")).payload).toEqual({
      method: "personal_sign", params: ["0x00", EVM], chainId: "eip155:1", hint, site: { origin: "https://host.example", name: "Shop" },
    });
    secure.say("RPC_REQUEST_SUCCESS", "0x12" as never, (await secure.question("RPC_REQUEST")).id);
    expect(await answer()).toEqual({ ok: true, value: "0x12", error: null });
  });

  it("waits until the one before is answered", async () => {
    const first = asks("1", "request", MESSAGE);
    const second = asks("2", "request", MESSAGE);
    await secure.start();
    await secure.question("RPC_REQUEST");
    expect(secure.asked.filter(({ type }) => type.endsWith("RPC_REQUEST"))).toHaveLength(1);
    await secure.refuse("RPC_REQUEST", { code: 4001, message: "User rejected the request" });
    expect(await first()).toMatchObject({ error: { code: 4001, message: "User rejected the request" } });
    await secure.answer("RPC_REQUEST", { signature: "x" }, 2);
    expect(await second()).toMatchObject({ ok: true, value: { signature: "x" } });
  });

  it("that nobody sees any more is taken back, with those that wait behind it", async () => {
    const first = asks("1", "request", MESSAGE);
    const second = asks("2", "request", MESSAGE);
    await secure.start();
    await secure.question("RPC_REQUEST");
    leave();
    await secure.question("RPC_ABORT");
    await secure.refuse("RPC_REQUEST", { code: 4001, message: "Request was aborted" });
    const aborted = { code: 4001, message: "Request was aborted" };
    expect([await first(), await second()]).toMatchObject([{ error: aborted }, { error: aborted }]);
  });

  it("that was sent before it could be taken back has its answer", async () => {
    const answer = asks("1", "request", MESSAGE);
    await secure.start();
    await secure.question("RPC_REQUEST");
    leave();
    await secure.question("RPC_ABORT");
    secure.say("RPC_REQUEST_SUCCESS", "0xhash" as never, (await secure.question("RPC_REQUEST")).id);
    expect(await answer()).toMatchObject({ ok: true, value: "0xhash" });
  });

  it("of nobody is not taken back", async () => {
    const answer = asks("s", "sessions");
    await secure.start();
    leave();
    await secure.answer("IS_CONNECTED", { isConnected: false });
    await answer();
    expect(secure.asked.some(({ type }) => type.endsWith("RPC_ABORT"))).toBe(false);
  });
});

it("what it does not know is refused", async () => {
  expect(await asks("x", "fly")()).toMatchObject({ ok: false, error: { code: 4200 } });
});

it("what an account can do is told while the visitor is asked about something else", async () => {
  const signed = asks("r", "request", MESSAGE);
  await secure.start();
  await secure.question("RPC_REQUEST");
  const answer = asks("c", "request", { ...MESSAGE, method: "wallet_getCapabilities", params: [EVM] });
  await secure.question("RPC_REQUEST", 2);
  await secure.answer("RPC_REQUEST", { "0x1": { atomic: { status: "ready" } } } as never, 2);
  expect(await answer()).toMatchObject({ ok: true, value: { "0x1": { atomic: { status: "ready" } } } });
  await secure.answer("RPC_REQUEST", "0x12" as never);
  expect(await signed()).toMatchObject({ ok: true, value: "0x12" });
});
