// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { secureAsked } from "$/public/external/components/embedded/embedded/exchange.ts";
import { configureSecure } from "$/public/external/components/embedded/embedded/config.ts";
import { abortRequests, ask } from "$/public/external/components/embedded/embedded/frame.ts";
import { holdPlace, place } from "$/public/external/components/embedded/embedded/place_store.ts";
import { beginSocial } from "$/public/external/components/embedded/embedded/social_window.ts";
import { NOT_LOADED, READY_MS } from "$/public/external/components/embedded/embedded/types.ts";
import { AppKitSite } from "./appkit_site";
import { CONFIG, ORIGIN } from "./secure";

const EVM = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const SOLANA = "7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv";
const user = (address = EVM, changes: object = {}) => ({ address, email: "kim@example.org", chainId: 1, accounts: [{ address, type: "eoa" }], ...changes });

let site: AppKitSite;

beforeEach(() => {
  site = new AppKitSite();
});
afterEach(() => {
  site.end();
  vi.useRealTimers();
});

type Failure = { code: number; message: string; reason: string };
const settled = (promise: Promise<unknown>): Promise<unknown> => promise.then((value) => ({ value }), ({ code, message }: Failure) => [code, message]);
const UNREADABLE = [-32603, "The wallet service gave an answer that cannot be read"];

/** Asks a page that has come; how it ends is in `outcome`. */
async function asks(type: string, payload?: object): Promise<{ outcome: Promise<unknown> }> {
  const outcome = settled(ask(type, payload as never));
  await site.start();
  return { outcome };
}

/** Logged in, with the page there. */
async function there(): Promise<void> {
  const answer = ask("IS_CONNECTED");
  await site.start();
  await site.answer("IS_CONNECTED", { isConnected: true });
  await answer;
}

describe("the page of a site of AppKit's", () => {
  it("is loaded with what it reads from its address, and may make no passkeys", async () => {
    void settled(ask("IS_CONNECTED"));
    await site.start();
    const query = `projectId=p1&chainId=eip155%3A1&version=4&enableLogger=false`;
    expect([site.element.src, site.element.allow]).toEqual([`${ORIGIN}/sdk?${query}`, `clipboard-write ${ORIGIN}`]);
  });

  it("is spoken to at its own origin alone", async () => {
    await there();
    expect([...site.targets]).toEqual([ORIGIN]);
  });

  it("is told where it stands, for which project, and how it looks here", async () => {
    await there();
    expect((await site.question("SYNC_DAPP_DATA")).payload).toEqual({
      metadata: { name: "Shop", description: "", url: "https://host.example", icons: [] }, sdkType: "appkit", projectId: "p1",
    });
    expect((await site.question("SYNC_THEME")).payload).toEqual({
      themeMode: "dark", w3mThemeVariables: { "--w3m-accent": "hsla(230, 100%, 67%, 1)", "--w3m-background": "#121313" },
    });
  });

  it.each([
    ["another origin", "https://other.example", undefined],
    ["another window", ORIGIN, {}],
    ["no window", ORIGIN, null],
  ])("is not believed when it comes from %s", async (_, from, source) => {
    const { outcome: answer } = await asks("IS_CONNECTED");
    const { id } = await site.question("IS_CONNECTED");
    const forged = { id, type: "@w3m-frame/IS_CONNECTED_SUCCESS", payload: { isConnected: true } };
    if (source === undefined) site.say(forged, from);
    else site.say(forged, from, source);
    await site.answer("IS_CONNECTED", { isConnected: false });
    expect(await answer).toEqual({ value: { isConnected: false } });
  });

  it("answers a question by its own type alone", async () => {
    const { outcome: answer } = await asks("IS_CONNECTED");
    const { id } = await site.question("IS_CONNECTED");
    site.say({ id, type: "@w3m-frame/SIGN_OUT_SUCCESS" });
    await site.answer("IS_CONNECTED", { isConnected: true });
    expect(await answer).toEqual({ value: { isConnected: true } });
  });

  it("that was loaded anew has forgotten what it was asked", async () => {
    const { outcome: answer } = await asks("CONNECT_DEVICE");
    await site.question("CONNECT_DEVICE");
    site.ready();
    expect(await answer).toEqual([-32603, "Something went wrong"]);
  });

  it.each(["PASSKEY_LIST", "DEVICE_LIST", "EXPORT", "RECOVERY_WAYS", "ACCOUNT_DELETE"])("is not asked for %s, which it does not know", async (type) => {
    const { outcome: answer } = await asks(type);
    expect(await answer).toEqual([4200, "The wallet service of this site cannot do this"]);
    expect(site.asked.map((one) => one.type)).not.toContain(`@w3m-app/${type}`);
  });
});

describe("a login by email", () => {
  it.each(["VERIFY_OTP", "VERIFY_DEVICE", "CONNECT"])("goes on with %s", async (action) => {
    const { outcome: answer } = await asks("CONNECT_EMAIL", { email: "kim@example.org" });
    expect(await site.answer("CONNECT_EMAIL", { action, more: 1 })).toEqual({ email: "kim@example.org" });
    expect(await answer).toEqual({ value: { action } });
  });

  it.each([[{ action: "VERIFY_PRIMARY_OTP" }], [{}], [null], ["VERIFY_OTP"]])("does not go on with %j", async (told) => {
    const { outcome: answer } = await asks("CONNECT_EMAIL", { email: "kim@example.org" });
    await site.answer("CONNECT_EMAIL", told);
    expect(await answer).toEqual(UNREADABLE);
  });

  it("has another mail sent by the question of before", async () => {
    const { outcome: answer } = await asks("RESEND_CODE", { email: "kim@example.org" });
    expect(await site.answer("CONNECT_EMAIL", { action: "VERIFY_OTP" })).toEqual({ email: "kim@example.org" });
    expect(await answer).toEqual({ value: { action: "VERIFY_OTP" } });
  });

  it("says what the site says of a wrong code", async () => {
    const { outcome: answer } = await asks("CONNECT_OTP", { otp: "123456" });
    await site.refuse("CONNECT_OTP", { message: "Invalid code" });
    expect(await answer).toEqual([-32603, "Invalid code"]);
  });

  it.each(["CONNECT_DEVICE", "CONNECT_OTP"])("waits for a person at %s as long as it takes", async (type) => {
    await there();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = settled(ask(type, { otp: "123456" }));
    await site.question(type);
    await vi.advanceTimersByTimeAsync(600_000);
    await site.answer(type);
    expect(await answer).toMatchObject({ value: undefined });
  });
});

describe("the accounts", () => {
  it("are asked for by a number on Ethereum's networks, with a key of their own", async () => {
    const { outcome: answer } = await asks("GET_USER", { chainId: "eip155:137" });
    expect(await site.answer("GET_USER", user())).toEqual({ chainId: 137, preferredAccountType: "eoa" });
    expect(await answer).toEqual({ value: { address: EVM, email: "kim@example.org", isSmart: false, provider: "", userName: "", chainId: "eip155:137" } });
  });

  it("are asked for by CAIP-2 on others", async () => {
    const { outcome: answer } = await asks("GET_USER", { chainId: "solana:5eykt4" });
    expect(await site.answer("GET_USER", user(SOLANA, { email: null }))).toMatchObject({ chainId: "solana:5eykt4" });
    expect(await answer).toMatchObject({ value: { address: SOLANA, email: "" } });
  });

  it.each([[user("0x1")], [user(SOLANA)], [user("javascript:alert(1)")], [{}], [null]])("are none of the shape %j", async (told) => {
    const { outcome: answer } = await asks("GET_USER", { chainId: "eip155:1" });
    await site.answer("GET_USER", told);
    expect(await answer).toEqual(UNREADABLE);
  });

  it("are those with a key of their own where the site prefers smart ones", async () => {
    const { outcome: answer } = await asks("GET_USER", { chainId: "eip155:1" });
    const smart = `0x${"5".repeat(40)}`;
    await site.answer("GET_USER", user(smart, { accounts: [{ address: smart, type: "smartAccount" }, { address: EVM, type: "eoa" }] }));
    expect(await site.answer("SET_PREFERRED_ACCOUNT", { type: "eoa", address: EVM })).toEqual({ type: "eoa" });
    await site.answer("GET_USER", user(), 2);
    expect(await answer).toMatchObject({ value: { address: EVM } });
  });

  it("are none where the site gives a smart one alone", async () => {
    const { outcome: answer } = await asks("GET_USER", { chainId: "eip155:1" });
    const smart = user(EVM, { accounts: [{ address: EVM, type: "smartAccount" }] });
    await site.answer("GET_USER", smart);
    await site.answer("SET_PREFERRED_ACCOUNT", { type: "eoa", address: EVM });
    await site.answer("GET_USER", smart, 2);
    expect(await answer).toEqual([4200, "This wallet has a smart account alone, which cannot be used here"]);
  });
});

describe("a request", () => {
  const sign = { method: "personal_sign", params: ["0x00", EVM], chainId: "eip155:137", site: { origin: "https://host.example", name: "Shop" } };

  it("names no network: the page is switched before, once, and shown meanwhile", async () => {
    await there();
    const answer = settled(ask("RPC_REQUEST", sign));
    expect(await site.answer("SWITCH_NETWORK", { chainId: 137 })).toEqual({ chainId: 137 });
    expect((await site.question("RPC_REQUEST")).payload).toEqual({ method: "personal_sign", params: ["0x00", EVM] });
    expect(place().shown).toBe(true);
    await site.answer("RPC_REQUEST", "0x1234");
    expect(await answer).toEqual({ value: "0x1234" });
    expect(place().shown).toBe(false);
    const second = settled(ask("RPC_REQUEST", sign));
    await site.answer("RPC_REQUEST", "0x5678", 2);
    expect(await second).toEqual({ value: "0x5678" });
    expect(site.asked.filter((one) => one.type.endsWith("SWITCH_NETWORK"))).toHaveLength(1);
  });

  it("is not made on another network than was asked for", async () => {
    await there();
    const answer = settled(ask("RPC_REQUEST", sign));
    await site.answer("SWITCH_NETWORK", { chainId: 1 });
    expect(await answer).toEqual([-32603, "The wallet service could not switch the network"]);
  });

  it.each([["0x"], ["0x123"], [null], [{ signature: "0x12" }], ["<b>"]])("gives no %j", async (told) => {
    await there();
    const answer = settled(ask("RPC_REQUEST", sign));
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    await site.answer("RPC_REQUEST", told);
    expect(await answer).toEqual(UNREADABLE);
  });

  it.each([
    [{ message: "User rejected the request" }, [4001, "User rejected the request"]],
    [{ message: "Request was aborted" }, [4001, "Request was aborted"]],
    [{ message: "insufficient funds" }, [-32603, "insufficient funds"]],
    [{ message: "Denied", code: -32000 }, [-32000, "Denied"]],
    [{}, [-32603, "Something went wrong"]],
  ])("that fails with %j says so", async (told, failure) => {
    await there();
    const answer = settled(ask("RPC_REQUEST", sign));
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    await site.refuse("RPC_REQUEST", told);
    expect(await answer).toEqual(failure);
  });

  it.each([
    ["solana_signMessage", { message: "Cn8eVZg", pubkey: SOLANA }, { message: "Cn8eVZg", pubkey: SOLANA }, { signature: "2".repeat(88) }, { signature: "2".repeat(88) }],
    ["solana_signTransaction", { transaction: "aGVsbG8=" }, { transaction: "Cn8eVZg" }, { transaction: "Cn8eVZg" }, { transaction: "aGVsbG8=" }],
    ["solana_signAllTransactions", { transactions: ["aGVsbG8="] }, { transactions: ["Cn8eVZg"] }, { transactions: ["Cn8eVZg"] }, { transactions: ["aGVsbG8="] }],
    ["solana_signAndSendTransaction", { transaction: "aGVsbG8=", sendOptions: { maxRetries: 2 } }, { transaction: "Cn8eVZg", options: { maxRetries: 2 } }, { signature: "3".repeat(88) }, { signature: "3".repeat(88) }],
  ])("of Solana has its transactions in the site's form and back: %s", async (method, params, taken, told, given) => {
    await there();
    const answer = settled(ask("RPC_REQUEST", { method, params, chainId: "solana:5eykt4" }));
    await site.answer("SWITCH_NETWORK", { chainId: "solana:5eykt4" });
    expect(await site.answer("RPC_REQUEST", told)).toEqual({ method, params: taken });
    expect(await answer).toEqual({ value: given });
  });

  it.each([["eth_sign", []], ["solana_signTransaction", { transaction: "?" }], ["wallet_sendCalls", [{}]]])("that cannot be made is not posted: %s", async (method, params) => {
    await there();
    const answer = await settled(ask("RPC_REQUEST", { method, params, chainId: "eip155:1" }));
    expect(answer).toMatchObject([expect.any(Number), expect.any(String)]);
    expect(site.asked.map((one) => one.type)).not.toContain("@w3m-app/RPC_REQUEST");
  });

  it("that is taken back while the network is switched is never shown", async () => {
    await there();
    const answer = settled(ask("RPC_REQUEST", sign));
    await site.question("SWITCH_NETWORK");
    abortRequests();
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    expect(await answer).toEqual([4001, "Request was aborted"]);
    expect([site.asked.map((one) => one.type).includes("@w3m-app/RPC_REQUEST"), place().shown]).toEqual([false, false]);
  });

  it("that was taken back, and still stands on the page's card, goes with that page before the next one", async () => {
    await there();
    const first = settled(ask("RPC_REQUEST", sign));
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    await site.question("RPC_REQUEST");
    abortRequests();
    await site.question("RPC_ABORT");
    const loads = vi.spyOn(site.element, "src", "set");
    const second = settled(ask("RPC_REQUEST", { ...sign, params: ["0x01", EVM] }));
    expect(await first).toEqual([4001, "Request was aborted"]);
    expect(loads).toHaveBeenCalledOnce();
    expect(site.asked.filter((one) => one.type.endsWith("SWITCH_NETWORK"))).toHaveLength(1);
    site.ready();
    await site.answer("SWITCH_NETWORK", { chainId: 137 }, 2);
    expect(await site.answer("RPC_REQUEST", "0x12", 2)).toMatchObject({ params: ["0x01", EVM] });
    expect(await second).toEqual({ value: "0x12" });
  });

  it("waits no longer for a page that does not come again than for the first one", async () => {
    await there();
    const first = settled(ask("RPC_REQUEST", sign));
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    await site.question("RPC_REQUEST");
    vi.spyOn(site.element, "src", "set").mockReturnValue(undefined);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const second = settled(ask("RPC_REQUEST", sign));
    await first;
    await vi.advanceTimersByTimeAsync(READY_MS);
    expect(await second).toEqual([4900, NOT_LOADED]);
    vi.useRealTimers();
    site.ready();
    const third = settled(ask("IS_CONNECTED"));
    await site.answer("IS_CONNECTED", { isConnected: true }, 2);
    expect(await third).toEqual({ value: { isConnected: true } });
  });

  it("of the loader ends when its view goes", async () => {
    await there();
    secureAsked("r", { method: "request", params: { ...sign, chain: "eip155:137" } });
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    await site.question("RPC_REQUEST");
    configureSecure({ ...CONFIG, protocol: "appkit", project: "p1" }, false);
    await site.question("RPC_ABORT");
    await site.refuse("RPC_REQUEST", { message: "Request was aborted" });
    await vi.waitFor(() => expect(site.posted.map(([, payload]) => payload)).toContainEqual({ ok: false, value: null, error: { code: 4001, message: "Request was aborted" } }));
  });

  it("is shown where a view keeps its place, as high as such pages are where there is room", async () => {
    const here = document.createElement("div");
    document.body.append(here);
    const leave = holdPlace(here);
    await there();
    vi.stubGlobal("innerHeight", 1_000);
    const answer = settled(ask("RPC_REQUEST", sign));
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    await site.question("RPC_REQUEST");
    expect([place().height, site.element.style.visibility]).toEqual([600, "visible"]);
    leave();
    await site.answer("RPC_REQUEST", "0x12");
    await answer;
  });
});

describe("a login at a provider", () => {
  const URI = "https://provider.example/authorize?state=1";
  const back = (popup: unknown, from = ORIGIN): void => site.say({ resultUri: `${ORIGIN}/done?code=1` }, from, popup);

  async function begun(): Promise<{ popup: ReturnType<AppKitSite["opens"]>; attempt: string }> {
    const popup = site.opens();
    const { attempt, opened } = beginSocial("", "google");
    expect(opened).toBe(true);
    await site.start();
    return { popup, attempt };
  }

  it("leads a window that was opened in the click, and finishes with what that window says", async () => {
    const { popup, attempt } = await begun();
    expect(await site.answer("GET_SOCIAL_REDIRECT_URI", { uri: URI })).toEqual({ provider: "google" });
    await vi.waitFor(() => expect(popup.location.replace).toHaveBeenCalledWith(URI));
    expect(popup.opener).toBe(window);
    const done = settled(ask("CONNECT_SOCIAL", { attempt }));
    await vi.waitFor(() => back(popup));
    expect(await site.answer("CONNECT_SOCIAL", { address: EVM, chainId: 1, userName: "Kim" })).toEqual({ uri: `${ORIGIN}/done?code=1` });
    expect(await done).toEqual({ value: {} });
    const account = settled(ask("GET_USER", { chainId: "eip155:1" }));
    await site.answer("GET_USER", user(EVM, { email: null }));
    expect(await account).toMatchObject({ value: { provider: "google", userName: "Kim", email: "" } });
  });

  it.each([
    ["another origin", "https://other.example", true],
    ["another window", ORIGIN, false],
  ])("is not finished by a message from %s", async (_, from, own) => {
    const { popup, attempt } = await begun();
    await site.answer("GET_SOCIAL_REDIRECT_URI", { uri: URI });
    const done = settled(ask("CONNECT_SOCIAL", { attempt }));
    back(own ? popup : {}, from);
    void settled(ask("CANCEL_SOCIAL"));
    expect(await done).toEqual([4001, "Request was aborted"]);
    expect(site.asked.map((one) => one.type)).not.toContain("@w3m-app/CONNECT_SOCIAL");
  });

  it.each([["javascript:alert(1)"], ["data:text/html,x"], ["http://provider.example"], [7]])("leads no window to %s", async (uri) => {
    const { popup, attempt } = await begun();
    await site.answer("GET_SOCIAL_REDIRECT_URI", { uri });
    expect(await settled(ask("CONNECT_SOCIAL", { attempt }))).toEqual(UNREADABLE);
    expect([popup.location.replace.mock.calls, popup.closed]).toEqual([[], true]);
  });

  it("that was begun in another life of the page is over", async () => {
    const { outcome: answer } = await asks("CONNECT_SOCIAL", { attempt: "a".repeat(32) });
    expect(await answer).toEqual([-32603, "This login is over. Please begin again."]);
  });

  it("by email forgets by whom somebody was logged in before", async () => {
    localStorage.setItem("walletmodal-appkit-login", JSON.stringify({ provider: "google", userName: "Kim" }));
    const { outcome: answer } = await asks("CONNECT_OTP", { otp: "123456" });
    await site.answer("CONNECT_OTP");
    await answer;
    const account = settled(ask("GET_USER", { chainId: "eip155:1" }));
    await site.answer("GET_USER", user());
    expect(await account).toMatchObject({ value: { provider: "", userName: "" } });
  });
});

describe("a login with Farcaster", () => {
  const LINK = "https://farcaster.xyz/~/siwf?channelToken=1";

  async function begun(): Promise<string> {
    const { outcome: answer } = await asks("GET_FARCASTER_URI");
    await site.answer("GET_FARCASTER_URI", { url: LINK });
    const { value } = (await answer) as { value: { attempt: string; url: string } };
    expect(value).toEqual({ attempt: expect.stringMatching(/^[\w-]{32}$/), url: LINK });
    return value.attempt;
  }

  it("has a link for the app, and waits for it", async () => {
    const done = settled(ask("CONNECT_FARCASTER", { attempt: await begun() }));
    await site.answer("CONNECT_FARCASTER", { userName: "kim.eth" });
    expect(await done).toMatchObject({ value: undefined });
    expect(JSON.parse(localStorage.getItem("walletmodal-appkit-login")!)).toEqual({ provider: "farcaster", userName: "kim.eth" });
  });

  it("that nobody waits for any more ends with the page that waits, and the next one is told where it stands", async () => {
    const done = settled(ask("CONNECT_FARCASTER", { attempt: await begun() }));
    await site.question("CONNECT_FARCASTER");
    const loads = vi.spyOn(site.element, "src", "set");
    void settled(ask("CANCEL_SOCIAL"));
    expect(await done).toEqual([4001, "Request was aborted"]);
    expect(loads).toHaveBeenCalledOnce();
    site.ready();
    expect((await site.question("SYNC_DAPP_DATA", 2)).payload).toMatchObject({ projectId: "p1" });
  });

  it("has no link that is no page's", async () => {
    const { outcome: answer } = await asks("GET_FARCASTER_URI");
    await site.answer("GET_FARCASTER_URI", { url: "javascript:alert(1)" });
    expect(await answer).toEqual(UNREADABLE);
  });
});

describe("another email address", () => {
  it.each(["VERIFY_PRIMARY_OTP", "VERIFY_SECONDARY_OTP"])("goes on with %s", async (action) => {
    const { outcome: answer } = await asks("UPDATE_EMAIL", { email: "lee@example.org" });
    expect(await site.answer("UPDATE_EMAIL", { action })).toEqual({ email: "lee@example.org" });
    expect(await answer).toEqual({ value: { action } });
  });

  it("has both codes looked at, and the accounts read anew after the second", async () => {
    const { outcome: first } = await asks("UPDATE_EMAIL_PRIMARY_OTP", { otp: "123456" });
    expect(await site.answer("UPDATE_EMAIL_PRIMARY_OTP")).toEqual({ otp: "123456" });
    await first;
    const second = settled(ask("UPDATE_EMAIL_SECONDARY_OTP", { otp: "654321" }));
    expect(await site.answer("UPDATE_EMAIL_SECONDARY_OTP", { newEmail: "lee@example.org" })).toEqual({ otp: "654321" });
    await second;
    await site.answer("GET_USER", user(EVM, { email: "lee@example.org" }));
    await site.answer("GET_USER", user(SOLANA, { email: "lee@example.org" }), 2);
    await vi.waitFor(() => expect(site.posted).toHaveLength(1));
    expect(site.posted[0]).toMatchObject(["sessions", { sessions: { eip155: { user: { email: "lee@example.org" } } } }, undefined]);
  });
});
