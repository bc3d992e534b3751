import { describe, expect, it, vi } from "vitest";
import { MAX_PAYLOAD } from "../src/protocol";
import { register, RpcWallet, StandardWallet } from "./doubles";
import { ADDRESS, announce, FakeWallet, frameOf, load, OTHER, stage, stageWallet, stoppedClock } from "./stage";

const CONNECTOR = "@appkit/eip155:connected_connector_id";
const RECENT = "@appkit/recent_wallets";
const LONG = "x".repeat(300_000);

/** What a membrane around an extension hands out: it looks like a list, and cannot be sent. */
const behindMembrane = (list: unknown[]): unknown[] =>
  new Proxy(list, { get: (target, name) => (name == "slice" ? () => behindMembrane([...target]) : name == "map" ? () => behindMembrane([...target]) : Reflect.get(target, name)) });

const longest = (frame: { log: { payload: unknown }[] }) => Math.max(...frame.log.map(({ payload }) => JSON.stringify(payload).length));

describe("what the page's storage holds", () => {
  it.each([
    ["recent wallets", RECENT, JSON.stringify([{ id: LONG, name: LONG, rdns: LONG, more: LONG }])],
    ["an active network", "@appkit/active_caip_network_id", LONG],
    ["an active namespace", "@appkit/active_namespace", LONG],
    ["a connector", CONNECTOR, LONG],
    ["an interrupted connector", "walletmodal:interrupted", JSON.stringify({ namespace: "eip155", connector: LONG, wallet: null })],
    ["an interrupted wallet", "walletmodal:interrupted", JSON.stringify({ namespace: "", connector: "walletConnect", wallet: { id: LONG, name: "W", rdns: {} } })],
  ])("never makes a message too large for the frame: %s", async (_, key, text) => {
    localStorage.setItem(key, text);
    const { frame } = await stage();
    expect(longest(frame)).toBeLessThan(MAX_PAYLOAD / 2);
  });

  it("is told without what is not asked for", async () => {
    localStorage.setItem(RECENT, JSON.stringify([{ id: "a", name: "A", rdns: "io.a", image_url: "https://a.example/a.png", chains: ["eip155:1"] }]));
    const { frame } = await stage();
    expect((await frame.snapshot()).storage.recent).toEqual([{ id: "a", name: "A", rdns: "io.a" }]);
  });
});

describe("how the page describes itself", () => {
  it("never makes a message too large for the frame", async () => {
    document.head.innerHTML = `<title>${LONG}</title><meta property="og:description" content="${LONG}"><link rel="icon" href="data:image/png;base64,${LONG}">`;
    history.replaceState(null, "", "/?" + LONG);
    const { frame } = await stage();
    history.replaceState(null, "", "/");
    document.head.replaceChildren();
    expect(longest(frame)).toBeLessThan(MAX_PAYLOAD / 2);
  });

  it("keeps a picture of its own that the server takes", async () => {
    document.head.innerHTML = `<link rel="icon" href="data:image/png;base64,AAAA">`;
    const { frame } = await stage();
    document.head.replaceChildren();
    expect((await frame.next("init")).payload.host.icon).toBe("data:image/png;base64,AAAA");
  });

  it("says on the console that its options are too large for the frame, and refuses what waits", async () => {
    const { create } = await load();
    const frame = frameOf();
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    document.title = "x".repeat(999);
    const modal = create({ metadata: { name: "x".repeat(MAX_PAYLOAD - 1200) } as never });
    const opening = modal.open();
    frame.ready();
    await expect(opening).rejects.toMatchObject({ code: 4900 });
    document.title = "";
    expect(said.mock.calls.join()).toContain("Options too large");
  });
});

describe("a wallet that answers with what cannot be sent", () => {
  it("is connected all the same where it is only a membrane", async () => {
    const { frame, wallet } = await stageWallet();
    wallet.answers.eth_requestAccounts = () => behindMembrane([ADDRESS, OTHER]);
    const { value } = await frame.run(frame.command("wallet.connect", {}));
    expect(value).toEqual({ accounts: [ADDRESS, OTHER], chain: "1" });
    expect((await frame.snapshot(({ sessions }) => !!sessions.eip155)).sessions.eip155!.accounts).toEqual([ADDRESS, OTHER]);
  });

  it("does not take the other wallets with it when its name is none", async () => {
    const { frame } = await stage();
    const sneaky = { trim: () => ({ slice: () => () => "a function" }) };
    announce(new FakeWallet(), { name: sneaky, rdns: "io.sneaky" });
    register(Object.assign(new StandardWallet(), { name: sneaky }));
    announce(new FakeWallet());
    expect((await frame.snapshot(({ wallets }) => wallets.some(({ id }) => id == "io.wallet"))).wallets.map(({ id }) => id)).toEqual(["io.wallet"]);
  });

  it("does not take the other wallets with it when its id is none", async () => {
    const sneaky = { id: { length: 1, toString: () => "Bitcoin.Provider", split: () => ["Bitcoin", "Provider"] }, name: "Sneaky" };
    Object.assign(window, { Bitcoin: { Provider: new RpcWallet() }, btc_providers: [sneaky] });
    const { frame } = await stage();
    announce(new FakeWallet());
    expect((await frame.snapshot(({ wallets }) => wallets.some(({ id }) => id == "io.wallet"))).wallets.map(({ id }) => id)).toEqual(["io.wallet"]);
    Reflect.deleteProperty(window, "Bitcoin");
    Reflect.deleteProperty(window, "btc_providers");
  });

  it("throws nothing into the page when it lies in window.ethereum", async () => {
    const thrown: unknown[] = [];
    const hear = (event: ErrorEvent) => (thrown.push(event.error), event.preventDefault());
    addEventListener("error", hear);
    Reflect.set(window, "ethereum", { get request() { throw new Error("no"); } });
    const pass = stoppedClock();
    const { frame } = await stage();
    await pass(3000);
    await frame.settled();
    removeEventListener("error", hear);
    expect(thrown).toEqual([]);
  });
});
