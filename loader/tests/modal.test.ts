import { describe, expect, it, vi } from "vitest";
import type { Options } from "../walletmodal";
import { ADDRESS, announce, connected, FakeWallet, frameOf, load, stage, stageWallet, state } from "./stage";

type Staged = Awaited<ReturnType<typeof stage>>;

async function tell({ frame }: Staged, change = {}) {
  frame.send("state", state(change));
  await frame.settled();
}

/** Calls a method, and answers the frame's side of it. */
async function called(staged: Staged, act: () => Promise<unknown>, result: object = { ok: true, value: null, error: null }) {
  const outcome = act();
  outcome.catch(() => {});
  const { id, payload } = await staged.frame.next("call");
  staged.frame.send("result", result, id);
  return { outcome, payload };
}

describe("create", () => {
  it("returns the first modal for the same src", async () => {
    const { create } = await load();
    expect(create()).toBe(create());
  });

  it("refuses a second modal of another src", async () => {
    const { create } = await load();
    create();
    expect(() => create({ src: "https://other.example/" })).toThrow("Has a modal from https://modal.example/");
  });

  it("refuses siwx and siweConfig together", async () => {
    const { create } = await load();
    const both = { siwx: { required: true }, siweConfig: { required: true } };
    expect(() => create(both)).toThrow("Cannot set both `siweConfig` and `siwx` options");
  });

  it("refuses options that are no JSON", async () => {
    const { create } = await load();
    expect(() => create({ tokens: 1n })).toThrow("Invalid parameters were provided to the RPC method.");
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "file:///modal"])("refuses the src %s", async (src) => {
    const { create } = await load();
    expect(() => create({ src })).toThrow("`src` must be an http(s) address");
  });

  it("makes a new modal after destroy()", async () => {
    const { create } = await load();
    const first = create();
    first.destroy();
    expect(create()).not.toBe(first);
  });
});

describe("init", () => {
  const init = async (options: Options) => (await (await stage(options)).frame.next("init")).payload;

  it.each(["src", "preload", "themeMode", "themeVariables", "customRpcUrls", "announceProvider"])("keeps the option %s from the server", async (name) => {
    const { options } = await init({ themeMode: "dark", themeVariables: {}, customRpcUrls: { "eip155:1": ["https://rpc"] }, announceProvider: true });
    expect(options).not.toHaveProperty(name);
  });

  it("passes siweConfig as siwx", async () => {
    expect((await init({ siweConfig: { required: true } })).options.siwx).toEqual({ required: true });
  });

  it("passes the theme", async () => {
    expect((await init({ themeMode: "light", themeVariables: { "--w3m-accent": "red" } })).theme).toEqual({ mode: "light", variables: { "--w3m-accent": "red" } });
  });

  it("describes the host page", async () => {
    document.title = "Shop";
    expect((await init({})).host).toMatchObject({ origin: "https://host.example", url: "https://host.example/shop", title: "Shop", mobile: false, telegram: false });
  });

  it("tells a page within Telegram", async () => {
    Object.assign(window, { TelegramWebviewProxy: {} });
    const { host } = await init({});
    delete (window as { TelegramWebviewProxy?: object }).TelegramWebviewProxy;
    expect(host.telegram).toBe(true);
  });
});

describe("methods that act", () => {
  it.each([
    ["open", (m: any) => m.open({ view: "Networks", namespace: "eip155" }), "open", { view: "Networks", namespace: "eip155" }],
    ["close", (m: any) => m.close(), "close", {}],
    ["disconnect", (m: any) => m.disconnect("eip155"), "disconnect", { namespace: "eip155" }],
    ["switchNetwork", (m: any) => m.switchNetwork("eip155:137"), "switchNetwork", { caipNetworkId: "eip155:137" }],
    ["addNetwork", (m: any) => m.addNetwork("eip155", { id: 5 }), "addNetwork", { network: { chainNamespace: "eip155", id: 5 } }],
    ["removeNetwork", (m: any) => m.removeNetwork("eip155", 5), "removeNetwork", { caipNetworkId: "eip155:5" }],
    ["updateOptions", (m: any) => m.updateOptions({ debug: false }), "options", { options: { debug: false } }],
    ["setLocale", (m: any) => m.setLocale("en"), "options", { options: { locale: "en" } }],
    ["updateFeatures", (m: any) => m.updateFeatures({ swaps: false }), "options", { options: { features: { swaps: false } } }],
    ["showSuccessMessage", (m: any) => m.showSuccessMessage("Done"), "toast", { message: "Done", variant: "success" }],
    ["showErrorMessage", (m: any) => m.showErrorMessage(new Error("Oh")), "toast", { message: "Oh", variant: "error" }],
    ["showErrorMessage without a text", (m: any) => m.showErrorMessage(), "toast", { message: "", variant: "error" }],
    ["showErrorMessage with an object", (m: any) => m.showErrorMessage({}), "toast", { message: "", variant: "error" }],
  ])("%s is a call of the frame", async (_, act, method, params) => {
    const staged = await stage();
    expect((await called(staged, () => act(staged.modal))).payload).toEqual({ method, params });
  });

  it("resolve when the frame has answered", async () => {
    const staged = await stage();
    await expect((await called(staged, () => staged.modal.open())).outcome).resolves.toBeUndefined();
  });

  it("reject with the frame's code and message", async () => {
    const staged = await stage();
    const refused = { ok: false, value: null, error: { code: 4200, message: "view not available" } };
    await expect((await called(staged, () => staged.modal.open({ view: "Swap" }), refused)).outcome).rejects.toMatchObject(refused.error);
  });

  it("open() before the frame is ready is carried out when it is", async () => {
    const { create } = await load();
    const frame = frameOf();
    create().open({ view: "Networks" }).catch(() => {});
    frame.ready();
    expect((await frame.next("call")).payload.params).toEqual({ view: "Networks" });
  });

  it("of several clicks before the frame is ready only the last is carried out", async () => {
    const { create } = await load();
    const frame = frameOf();
    const modal = create();
    modal.open({ view: "Networks" }).catch(() => {});
    modal.open({ view: "Account" }).catch(() => {});
    frame.ready();
    await frame.next("init");
    await frame.settled();
    expect(frame.log.filter(({ type }) => type == "call").map(({ payload }) => (payload as { params: { view: string } }).params.view)).toEqual(["Account"]);
  });

  it("close() needs no frame when there is none", async () => {
    await expect((await load()).create().close()).resolves.toBeUndefined();
  });

  it.each(["signIn", "signOut", "getSession"] as const)("%s asks the server, and gives what it answers", async (name) => {
    const session = { token: "a.b.c", address: "eip155:1:0x1", chainId: "eip155:1", expiresAt: "2026-01-01T00:05:00Z" };
    const staged = await stage({ siwx: { required: true } });
    const { outcome, payload } = await called(staged, () => staged.modal[name](), { ok: true, value: session, error: null });
    expect(payload).toEqual({ method: name, params: {} });
    expect(await outcome).toEqual(session);
  });

  it("signIn() rejects with the server's code and message", async () => {
    const staged = await stage();
    const error = { code: 4001, message: "User rejected the request." };
    const { outcome } = await called(staged, () => staged.modal.signIn(), { ok: false, value: null, error });
    await expect(outcome).rejects.toMatchObject(error);
  });

  it("getSession() is null at once for a host without sign-ins", async () => {
    const { modal, frame } = await stage();
    expect(await modal.getSession()).toBeNull();
    expect(frame.log.some(({ type }) => type == "call")).toBe(false);
  });

  it("getSession() loads no frame where nothing was connected", async () => {
    const modal = (await load()).create({ siwx: { required: false }, preload: "none" });
    expect(await modal.getSession()).toBeNull();
    expect(document.querySelector("iframe")).toBeNull();
  });

  it("reject after destroy()", async () => {
    const { modal } = await stage();
    modal.destroy();
    await expect(modal.open()).rejects.toMatchObject({ code: 4900 });
  });
});

describe("getters", () => {
  it.each([
    ["isOpen", (m: any) => m.isOpen(), true],
    ["getAddress", (m: any) => m.getAddress(), ADDRESS],
    ["getAddress of another namespace", (m: any) => m.getAddress("solana"), undefined],
    ["getCaipAddress", (m: any) => m.getCaipAddress("eip155"), "eip155:1:" + ADDRESS],
    ["getAccount", (m: any) => m.getAccount(), { address: ADDRESS, caipAddress: "eip155:1:" + ADDRESS, isConnected: true, status: "connected" }],
    ["getBalance", (m: any) => m.getBalance(), { formatted: "1.5", value: "1500000000000000000", symbol: "ETH", decimals: 18 }],
    ["getBalance of another namespace", (m: any) => m.getBalance("solana"), undefined],
    ["getIsConnectedState", (m: any) => m.getIsConnectedState(), true],
    ["getChainId", (m: any) => m.getChainId(), 1],
    ["getCaipNetworkId", (m: any) => m.getCaipNetworkId(), "eip155:1"],
    ["getCaipNetwork", (m: any) => m.getCaipNetwork().name, "Ethereum"],
    ["getActiveChainNamespace", (m: any) => m.getActiveChainNamespace(), "eip155"],
    ["getState", (m: any) => m.getState(), { open: true, loading: false, initialized: true, view: "", activeChain: "eip155", selectedNetworkId: "eip155:1" }],
  ])("%s", async (_, get, value) => {
    const staged = await stage();
    await tell(staged, { open: true, ...connected() });
    expect(get(staged.modal)).toEqual(value);
  });

  it("getChainId is text outside eip155", async () => {
    const staged = await stage();
    await tell(staged, { network: null, selectedNetworkId: "solana:5eykt4", activeChain: "solana" });
    expect(staged.modal.getChainId()).toBe("5eykt4");
  });

  it("know nothing before the frame has spoken", async () => {
    const modal = (await load()).create();
    expect([modal.isOpen(), modal.getAddress(), modal.getChainId(), modal.getIsConnectedState()]).toEqual([false, undefined, undefined, false]);
  });

  it("getBalance knows nothing while it is read", async () => {
    const staged = await stage();
    await tell(staged, connected({ nativeBalance: null }));
    expect(staged.modal.getBalance()).toBeUndefined();
  });

  it("getWalletInfo names the connected wallet", async () => {
    const staged = await stageWallet();
    await staged.frame.run(staged.frame.command("wallet.connect", {}));
    await tell(staged, connected());
    expect(staged.modal.getWalletInfo()).toMatchObject({ id: "io.wallet", name: "Wallet" });
  });
});

describe("subscriptions", () => {
  it.each([
    ["subscribeState", (m: any, f: any) => m.subscribeState(f), { open: true }],
    ["subscribeAccount", (m: any, f: any) => m.subscribeAccount(f), { address: ADDRESS }],
    ["subscribeBalance", (m: any, f: any) => m.subscribeBalance(f), { value: "1500000000000000000" }],
    ["subscribeNetwork", (m: any, f: any) => m.subscribeNetwork(f), { chainId: 1 }],
  ])("%s tells what has changed", async (_, subscribe, value) => {
    const staged = await stage();
    const heard = vi.fn();
    subscribe(staged.modal, heard);
    await tell(staged, { open: true, ...connected() });
    expect(heard.mock.calls).toEqual([[expect.objectContaining(value)]]);
  });

  it("are silent when nothing has changed", async () => {
    const staged = await stage();
    await tell(staged, connected());
    const heard = vi.fn();
    staged.modal.subscribeAccount(heard);
    await tell(staged, { open: true, ...connected() });
    expect(heard).not.toHaveBeenCalled();
  });

  it("end when they are taken back", async () => {
    const staged = await stage();
    const heard = vi.fn();
    staged.modal.subscribeState(heard)();
    await tell(staged, { open: true });
    expect(heard).not.toHaveBeenCalled();
  });

  it("subscribeEvents tells the frame's events", async () => {
    const staged = await stage();
    const heard = vi.fn();
    staged.modal.subscribeEvents(heard);
    staged.frame.send("event", { event: "MODAL_OPEN", properties: { connected: false } });
    await staged.frame.settled();
    expect(heard.mock.calls[0]![0]).toMatchObject({ timestamp: expect.any(Number), data: { event: "MODAL_OPEN", properties: { connected: false } } });
  });

  it("subscribeTheme tells a new theme", async () => {
    const { modal } = await stage();
    const heard = vi.fn();
    modal.subscribeTheme(heard);
    modal.setThemeMode("dark");
    expect(heard).toHaveBeenCalledWith({ themeMode: "dark", themeVariables: {} });
  });

  it("subscribeWalletInfo tells the connected wallet", async () => {
    const staged = await stageWallet();
    const heard = vi.fn();
    staged.modal.subscribeWalletInfo(heard);
    await staged.frame.run(staged.frame.command("wallet.connect", {}));
    await tell(staged, connected());
    expect(heard).toHaveBeenCalledWith(expect.objectContaining({ id: "io.wallet" }));
  });
});

describe("theme", () => {
  it("setThemeMode reaches the frame", async () => {
    const { modal, frame } = await stage();
    modal.setThemeMode("light");
    expect((await frame.next("theme")).payload.mode).toBe("light");
  });

  it("setThemeVariables merges", async () => {
    const { modal, frame } = await stage({ themeVariables: { "--w3m-accent": "red" } });
    modal.setThemeVariables({ "--w3m-qr-color": "blue" });
    expect((await frame.next("theme")).payload.variables).toEqual({ "--w3m-accent": "red", "--w3m-qr-color": "blue" });
  });

  it("getThemeMode tells the mode that was set", async () => {
    const { modal } = await stage({ themeMode: "dark" });
    expect(modal.getThemeMode()).toBe("dark");
  });
});

describe("the active network", () => {
  it("is remembered under the documented keys once the modal has told it", async () => {
    const staged = await stage();
    await tell(staged, { selectedNetworkId: "eip155:137" });
    expect([localStorage["@appkit/active_caip_network_id"], localStorage["@appkit/active_namespace"]]).toEqual(["eip155:137", "eip155"]);
  });
});

describe("warn", () => {
  it("is an error on the host's console when its level says so", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const { frame } = await stage();
    frame.send("warn", { level: "error", message: "no such network" });
    await frame.settled();
    expect(error.mock.calls).toEqual([["WalletModal: no such network"]]);
  });

  it("is one warning on the host's console", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { frame } = await stage();
    frame.send("warn", { message: "debug is not yours" });
    await frame.settled();
    expect(warn.mock.calls).toEqual([["WalletModal: debug is not yours"]]);
  });
});

describe("destroy", () => {
  it("removes the iframe", async () => {
    const { modal } = await stage();
    modal.destroy();
    expect(document.querySelector("iframe")).toBeNull();
  });

  it("rejects what waits", async () => {
    const { modal } = await stage();
    const waiting = expect(modal.open()).rejects.toMatchObject({ code: 4900 });
    modal.destroy();
    await waiting;
  });

  it("takes its listeners off the wallets", async () => {
    const { modal, frame, wallet } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    modal.destroy();
    expect([...wallet.listeners.values()].every((listeners) => listeners.size == 0)).toBe(true);
  });

  it("hears no more announcements", async () => {
    const { modal, create } = await stage();
    modal.destroy();
    announce(new FakeWallet(), { rdns: "io.late" });
    const frame = frameOf();
    create({ preload: "eager" });
    frame.ready();
    expect((await frame.next("init")).payload.snapshot.wallets).toEqual([]);
  });
});
