// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { secureAsked } from "$/public/external/walletmodal/components/embedded/embedded/exchange.ts";
import { configureSecure } from "$/public/external/walletmodal/components/embedded/embedded/config.ts";
import { abortRequests, ask } from "$/public/external/walletmodal/components/embedded/embedded/frame.ts";
import { holdPlace, place } from "$/public/external/walletmodal/components/embedded/embedded/place_store.ts";
import { NOT_LOADED, READY_MS } from "$/public/external/walletmodal/components/embedded/embedded/types.ts";
import { AppKitSite, EVM, settled, SOLANA, UNREADABLE, user } from "./appkit_site";
import { CONFIG, ORIGIN } from "./secure";

let site: AppKitSite;

beforeEach(() => {
  site = new AppKitSite();
});
afterEach(() => {
  site.end();
  vi.useRealTimers();
});

describe("the page of a site of AppKit's", () => {
  it("is loaded with what it reads from its address, and may make no passkeys", async () => {
    void settled(ask("IS_CONNECTED"));
    await site.start();
    const query = `projectId=p1&chainId=eip155%3A1&version=4&enableLogger=false`;
    expect([site.element.src, site.element.allow]).toEqual([`${ORIGIN}/sdk?${query}`, `clipboard-write ${ORIGIN}`]);
  });

  it("is spoken to at its own origin alone", async () => {
    await site.there();
    expect([...site.targets]).toEqual([ORIGIN]);
  });

  it("is told where it stands, for which project, and how it looks here", async () => {
    await site.there();
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
    const { outcome: answer } = await site.asks("IS_CONNECTED");
    const { id } = await site.question("IS_CONNECTED");
    const forged = { id, type: "@w3m-frame/IS_CONNECTED_SUCCESS", payload: { isConnected: true } };
    if (source === undefined) site.say(forged, from);
    else site.say(forged, from, source);
    await site.answer("IS_CONNECTED", { isConnected: false });
    expect(await answer).toEqual({ value: { isConnected: false } });
  });

  it("answers a question by its own type alone", async () => {
    const { outcome: answer } = await site.asks("IS_CONNECTED");
    const { id } = await site.question("IS_CONNECTED");
    site.say({ id, type: "@w3m-frame/SIGN_OUT_SUCCESS" });
    await site.answer("IS_CONNECTED", { isConnected: true });
    expect(await answer).toEqual({ value: { isConnected: true } });
  });

  it("that was loaded anew has forgotten what it was asked", async () => {
    const { outcome: answer } = await site.asks("CONNECT_DEVICE");
    await site.question("CONNECT_DEVICE");
    site.ready();
    expect(await answer).toEqual([-32603, "Something went wrong"]);
  });

  it.each(["PASSKEY_LIST", "DEVICE_LIST", "EXPORT", "RECOVERY_WAYS", "ACCOUNT_DELETE"])("is not asked for %s, which it does not know", async (type) => {
    const { outcome: answer } = await site.asks(type);
    expect(await answer).toEqual([4200, "The wallet service of this site cannot do this"]);
    expect(site.asked.map((one) => one.type)).not.toContain(`@w3m-app/${type}`);
  });
});

describe("the accounts", () => {
  it("are asked for by a number on Ethereum's networks, with a key of their own", async () => {
    const { outcome: answer } = await site.asks("GET_USER", { chainId: "eip155:137" });
    expect(await site.answer("GET_USER", user())).toEqual({ chainId: 137, preferredAccountType: "eoa" });
    expect(await answer).toEqual({ value: { address: EVM, email: "kim@example.org", isSmart: false, provider: "", userName: "", chainId: "eip155:137" } });
  });

  it("are asked for by CAIP-2 on others", async () => {
    const { outcome: answer } = await site.asks("GET_USER", { chainId: "solana:5eykt4" });
    expect(await site.answer("GET_USER", user(SOLANA, { email: null }))).toMatchObject({ chainId: "solana:5eykt4" });
    expect(await answer).toMatchObject({ value: { address: SOLANA, email: "" } });
  });

  it.each([[user("0x1")], [user(SOLANA)], [user("javascript:alert(1)")], [{}], [null]])("are none of the shape %j", async (told) => {
    const { outcome: answer } = await site.asks("GET_USER", { chainId: "eip155:1" });
    await site.answer("GET_USER", told);
    expect(await answer).toEqual(UNREADABLE);
  });

  it("are those with a key of their own where the site prefers smart ones", async () => {
    const { outcome: answer } = await site.asks("GET_USER", { chainId: "eip155:1" });
    const smart = `0x${"5".repeat(40)}`;
    await site.answer("GET_USER", user(smart, { accounts: [{ address: smart, type: "smartAccount" }, { address: EVM, type: "eoa" }] }));
    expect(await site.answer("SET_PREFERRED_ACCOUNT", { type: "eoa", address: EVM })).toEqual({ type: "eoa" });
    await site.answer("GET_USER", user(), 2);
    expect(await answer).toMatchObject({ value: { address: EVM } });
  });

  it("are none where the site gives a smart one alone", async () => {
    const { outcome: answer } = await site.asks("GET_USER", { chainId: "eip155:1" });
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
    await site.there();
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
    await site.there();
    const answer = settled(ask("RPC_REQUEST", sign));
    await site.answer("SWITCH_NETWORK", { chainId: 1 });
    expect(await answer).toEqual([-32603, "The wallet service could not switch the network"]);
  });

  it.each([["0x"], ["0x123"], [null], [{ signature: "0x12" }], ["<b>"]])("gives no %j", async (told) => {
    await site.there();
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
    await site.there();
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
    await site.there();
    const answer = settled(ask("RPC_REQUEST", { method, params, chainId: "solana:5eykt4" }));
    await site.answer("SWITCH_NETWORK", { chainId: "solana:5eykt4" });
    expect(await site.answer("RPC_REQUEST", told)).toEqual({ method, params: taken });
    expect(await answer).toEqual({ value: given });
  });

  it.each([["eth_sign", []], ["solana_signTransaction", { transaction: "?" }], ["wallet_sendCalls", [{}]]])("that cannot be made is not posted: %s", async (method, params) => {
    await site.there();
    const answer = await settled(ask("RPC_REQUEST", { method, params, chainId: "eip155:1" }));
    expect(answer).toMatchObject([expect.any(Number), expect.any(String)]);
    expect(site.asked.map((one) => one.type)).not.toContain("@w3m-app/RPC_REQUEST");
  });

  it("that is taken back while the network is switched is never shown", async () => {
    await site.there();
    const answer = settled(ask("RPC_REQUEST", sign));
    await site.question("SWITCH_NETWORK");
    abortRequests();
    await site.answer("SWITCH_NETWORK", { chainId: 137 });
    expect(await answer).toEqual([4001, "Request was aborted"]);
    expect([site.asked.map((one) => one.type).includes("@w3m-app/RPC_REQUEST"), place().shown]).toEqual([false, false]);
  });

  it("that was taken back, and still stands on the page's card, goes with that page before the next one", async () => {
    await site.there();
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
    await site.there();
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
    await site.there();
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
    await site.there();
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

