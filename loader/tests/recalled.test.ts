import { describe, expect, it, vi } from "vitest";
import { ADDRESS, announce, FakeWallet, frameOf, load, OTHER, PATIENCE, stage, stageWallet, state, stoppedClock } from "./stage";

const never = () => new Promise(() => {});
const CONNECTOR = "@appkit/eip155:connected_connector_id";
const INTERRUPTED = JSON.stringify({ namespace: "eip155", connector: "io.wallet", wallet: null });

describe("silent restore", () => {
  it("makes a session of a remembered connector", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const { frame } = await stageWallet();
    expect((await frame.snapshot(({ settled }) => settled)).sessions.eip155).toEqual({ connector: "io.wallet", accounts: [ADDRESS], chain: "1", approved: null, peer: null });
  });

  it("never prompts", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const { frame, wallet } = await stageWallet();
    await frame.snapshot(({ settled }) => settled);
    expect(wallet.times("eth_requestAccounts")).toBe(0);
  });

  it("connects a wallet that agreed while the page was away, without a prompt", async () => {
    localStorage.setItem("walletmodal:interrupted", INTERRUPTED);
    const { frame, wallet } = await stageWallet();
    expect((await frame.snapshot(({ settled }) => settled)).sessions.eip155?.connector).toBe("io.wallet");
    expect(wallet.times("eth_requestAccounts")).toBe(0);
  });

  it("forgets a connector that grants nothing any more", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const wallet = new FakeWallet();
    wallet.answers.eth_accounts = () => [];
    const { frame } = await stageWallet({}, wallet);
    await frame.snapshot(({ settled }) => settled);
    expect(localStorage.getItem(CONNECTOR)).toBeNull();
  });

  it("remembers a connector whose wallet gives no answer", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const wallet = new FakeWallet();
    wallet.answers.eth_accounts = () => Promise.reject(new Error("asleep"));
    const { frame } = await stageWallet({}, wallet);
    await frame.snapshot(({ settled }) => settled);
    expect(localStorage.getItem(CONNECTOR)).toBe("io.wallet");
  });

  it("makes no session of a wallet that grants nothing", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const wallet = new FakeWallet();
    wallet.answers.eth_accounts = () => [];
    const { frame } = await stageWallet({}, wallet);
    expect((await frame.snapshot(({ settled }) => settled)).sessions).toEqual({});
  });

  it("leaves other wallets alone", async () => {
    localStorage.setItem(CONNECTOR, "io.other");
    const { frame, wallet } = await stageWallet();
    await frame.settled();
    expect(wallet.asked).toEqual([]);
  });

  it("brings nothing back where the host wants none", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const { frame, wallet } = await stageWallet({ enableReconnect: false });
    const { sessions, settled } = await frame.snapshot();
    expect([sessions, settled, wallet.asked, localStorage.getItem(CONNECTOR)]).toEqual([{}, true, [], null]);
  });

  it("brings no login back either", async () => {
    localStorage.setItem(CONNECTOR, "ID_AUTH");
    localStorage.setItem("walletmodal:login:eip155", JSON.stringify({ accounts: [ADDRESS], chain: "1", peer: null }));
    const { modal, frame } = await stage({ enableReconnect: false });
    expect([(await frame.snapshot()).sessions, modal.getAccount().status]).toEqual([{}, "disconnected"]);
  });

  it("takes the answer of a wallet that was being asked, whatever the host wants brought back", async () => {
    localStorage.setItem("walletmodal:interrupted", INTERRUPTED);
    const { frame } = await stageWallet({ enableReconnect: false });
    expect((await frame.snapshot(({ settled }) => settled)).sessions.eip155?.connector).toBe("io.wallet");
  });

  it("is settled at once when nothing is remembered", async () => {
    const { frame } = await stage();
    expect((await frame.snapshot()).settled).toBe(true);
  });

  it("is not settled before the remembered wallet has answered", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const wallet = new FakeWallet();
    wallet.answers.eth_accounts = never;
    const { frame } = await stageWallet({}, wallet);
    expect((await frame.snapshot()).settled).toBe(false);
  });

  /** A page whose remembered wallet is not there within the time that it has. */
  async function waited() {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const pass = stoppedClock();
    const { frame } = await stage();
    await pass(3100);
    vi.useRealTimers();
    return frame;
  }

  it("gives up on a remembered wallet that never comes", async () => {
    const frame = await waited();
    expect((await frame.snapshot(({ settled }) => settled)).sessions).toEqual({});
  });

  it("lets the next visit not wait for a wallet that never came", async () => {
    await waited();
    expect(localStorage.getItem(CONNECTOR)).toBeNull();
  });

  it("still takes a remembered wallet that comes late", async () => {
    const frame = await waited();
    announce(new FakeWallet());
    expect((await frame.snapshot(({ sessions }) => !!sessions.eip155)).sessions.eip155!.connector).toBe("io.wallet");
  });
});

describe("before the server has spoken", () => {
  const known = { address: ADDRESS, caipAddress: "eip155:1:" + ADDRESS, isConnected: false, status: "connecting" };

  it("tells the host whose account comes back", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const { frame, modal } = await stageWallet();
    await frame.snapshot(({ settled }) => settled);
    expect(modal.getAccount()).toEqual(known);
  });

  it("tells it of the embedded wallet as soon as its scripts are there", async () => {
    localStorage.setItem(CONNECTOR, "ID_AUTH");
    localStorage.setItem("walletmodal:login:eip155", JSON.stringify({ accounts: [ADDRESS], chain: "1", peer: null }));
    const { modal } = await stage();
    expect(modal.getAccount()).toEqual(known);
  });

  it("tells of none where the visitor may prefer another one", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const wallet = new FakeWallet();
    wallet.answers.eth_accounts = () => [ADDRESS, OTHER];
    const { frame, modal } = await stageWallet({}, wallet);
    await frame.snapshot(({ settled }) => settled);
    expect(modal.getAccount().status).toBe("disconnected");
  });

  it("believes the server from then on", async () => {
    localStorage.setItem(CONNECTOR, "io.wallet");
    const { frame, modal } = await stageWallet();
    await frame.snapshot(({ settled }) => settled);
    frame.send("state", state());
    await vi.waitFor(() => expect(modal.getAccount().status).toBe("disconnected"), PATIENCE);
    await frame.run(frame.command("wallet.connect", {}));
    expect(modal.getAccount().status).toBe("disconnected");
  });

  it("takes it back when no server answers", async () => {
    localStorage.setItem(CONNECTOR, "ID_AUTH");
    localStorage.setItem("walletmodal:login:eip155", JSON.stringify({ accounts: [ADDRESS], chain: "1", peer: null }));
    vi.spyOn(console, "error").mockReturnValue();
    const { create } = await load();
    frameOf();
    const pass = stoppedClock();
    const modal = create({ preload: "eager" });
    const heard: (string | undefined)[] = [];
    modal.subscribeAccount(({ address }) => heard.push(address));
    await pass(20_000);
    expect(heard).toEqual([ADDRESS, undefined]);
  });
});

describe("storage", () => {
  it("holds the connection under the documented keys", async () => {
    const { frame } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    expect({ ...localStorage }).toEqual({
      [CONNECTOR]: "io.wallet",
      "@appkit/connection_status": "connected",
      "@appkit/connected_namespaces": "eip155",
      "@appkit/recent_wallets": JSON.stringify([{ id: "io.wallet", name: "Wallet", rdns: "io.wallet" }]),
    });
  });

  it("holds the connector while its connect command runs", async () => {
    const { frame, wallet } = await stageWallet();
    wallet.answers.eth_requestAccounts = never;
    frame.send("commands", { commands: [frame.command("wallet.connect", { timeout: 500 })] });
    await vi.waitFor(() => expect(localStorage.getItem("walletmodal:interrupted")).toBe(INTERRUPTED), PATIENCE);
  });

  it("tells the connector whose command was running when the page went away", async () => {
    localStorage.setItem("walletmodal:interrupted", INTERRUPTED);
    const { frame } = await stage();
    expect((await frame.snapshot()).storage.interrupted).toEqual({ namespace: "eip155", connector: "io.wallet", wallet: null });
  });

  it.each(["io.wallet", "{}", "null", '{"namespace":"sui","connector":"x"}', '{"namespace":"eip155","connector":7}'])("tells of nobody when it reads %s", async (text) => {
    localStorage.setItem("walletmodal:interrupted", text);
    const { frame } = await stage();
    expect((await frame.snapshot()).storage.interrupted).toBeNull();
  });

  it("tells that only once", async () => {
    localStorage.setItem("walletmodal:interrupted", INTERRUPTED);
    await stage();
    expect(localStorage.getItem("walletmodal:interrupted")).toBeNull();
  });

  it("moves a wallet that is used again to the front, and keeps two", async () => {
    localStorage.setItem("@appkit/recent_wallets", JSON.stringify([{ id: "a", name: "A", rdns: "" }, { id: "io.wallet", name: "Wallet", rdns: "" }, { id: "c" }]));
    const { frame } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    expect((await frame.snapshot()).storage.recent.map(({ id }) => id)).toEqual(["io.wallet", "a"]);
  });

  it.each(["{", "7", "null", '[null, 1, {"name": "x"}]'])("survives recent wallets that read %s", async (text) => {
    localStorage.setItem("@appkit/recent_wallets", text);
    const { frame } = await stage();
    expect((await frame.snapshot()).storage.recent).toEqual([]);
  });

  it("connects for as long as the page lives when storage is denied", async () => {
    const denied = () => { throw new DOMException("denied", "SecurityError"); };
    vi.spyOn(window, "localStorage", "get").mockImplementation(denied);
    const { frame } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    expect((await frame.snapshot()).storage).toMatchObject({ recent: [{ id: "io.wallet" }] });
  });
});
