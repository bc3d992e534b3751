import { describe, expect, it, vi } from "vitest";
import { ADDRESS, FakeWallet, OTHER, PATIENCE, stageWallet, stoppedClock } from "./stage";

const fail = (code: number, message: string) => Object.assign(new Error(message), { code });
const never = () => new Promise(() => {});
const CONNECTOR = "@appkit/eip155:connected_connector_id";

describe("commands", () => {
  it("connect answers accounts and chain", async () => {
    const { frame } = await stageWallet();
    expect(await frame.run(frame.command("wallet.connect", {}))).toMatchObject({ ok: true, value: { accounts: [ADDRESS], chain: "1" }, error: null });
  });

  it("connect puts the session into a snapshot before its reply", async () => {
    const { frame } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    const types = frame.log.map(({ type, payload }) => (type == "snapshot" && (payload as { sessions: Record<string, unknown> }).sessions.eip155 ? "session" : type));
    expect(types.indexOf("session")).toBeLessThan(types.indexOf("reply"));
  });

  it("runs an id once, however often it is listed", async () => {
    const { frame, wallet } = await stageWallet();
    const command = frame.command("wallet.request", { method: "personal_sign", params: [] });
    frame.send("commands", { commands: [command] });
    await frame.run(command);
    await frame.run(command);
    expect(wallet.times("personal_sign")).toBe(1);
  });

  it("repeats a finished reply while it is listed", async () => {
    const { frame } = await stageWallet();
    const command = frame.command("wallet.request", { method: "personal_sign", params: [] });
    await frame.run(command);
    frame.send("commands", { commands: [command] });
    await frame.settled();
    expect(frame.log.filter(({ type }) => type == "reply")).toHaveLength(2);
  });

  it("forgets a finished reply that is listed no more", async () => {
    const { frame, wallet } = await stageWallet();
    const command = frame.command("wallet.request", { method: "personal_sign", params: [] });
    await frame.run(command);
    frame.send("commands", { commands: [] });
    frame.send("commands", { commands: [command] });
    await frame.settled();
    expect(wallet.times("personal_sign")).toBe(2);
  });

  it("keeps running while the frame reloads, and answers the new port", async () => {
    const { frame, wallet } = await stageWallet();
    let answer: (value: unknown) => void = () => {};
    wallet.answers.personal_sign = () => new Promise((resolve) => (answer = resolve));
    const command = frame.command("wallet.request", { method: "personal_sign", params: [] });
    frame.send("commands", { commands: [command] });
    await vi.waitFor(() => expect(wallet.times("personal_sign")).toBe(1), PATIENCE);
    frame.ready();
    answer("0xsigned");
    expect((await frame.next("reply")).payload.value).toBe("0xsigned");
  });

  it("answers a command of another page life as orphaned", async () => {
    const { frame } = await stageWallet();
    expect(await frame.run(frame.command("wallet.connect", {}, { epoch: "old" }))).toMatchObject({ ok: false, error: { code: -1, message: "orphaned" } });
  });

  it("does not ask the wallet for a command of another page life", async () => {
    const { frame, wallet } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}, { epoch: "old" }));
    expect(wallet.times("eth_requestAccounts")).toBe(0);
  });

  it("runs a command of another page life that may be replayed", async () => {
    const { frame } = await stageWallet();
    expect(await frame.run(frame.command("wallet.connect", {}, { epoch: "old", replay: true }))).toMatchObject({ ok: true });
  });

  it("gives up on a wallet that does not answer in time", async () => {
    const { frame, wallet } = await stageWallet();
    wallet.answers.eth_requestAccounts = never;
    expect((await frame.run(frame.command("wallet.connect", { timeout: 20 }))).error).toEqual({ code: -32002, message: "No answer in time" });
  });

  it("says when the wallet is gone", async () => {
    const { frame } = await stageWallet();
    expect((await frame.run(frame.command("wallet.connect", { connector: "io.gone" }))).error!.code).toBe(4900);
  });

  it("refuses a namespace that it does not serve", async () => {
    const { frame } = await stageWallet();
    expect((await frame.run(frame.command("wallet.connect", { namespace: "solana" }))).error!.code).toBe(4200);
  });

  it("refuses a command that it does not know", async () => {
    const { frame } = await stageWallet();
    expect((await frame.run(frame.command("toString", {}))).error!.code).toBe(4200);
  });

  it("passes a refusal of the wallet through", async () => {
    const { frame, wallet } = await stageWallet();
    wallet.answers.eth_requestAccounts = () => Promise.reject(fail(4001, "No thanks"));
    expect((await frame.run(frame.command("wallet.connect", {}))).error).toEqual({ code: 4001, message: "No thanks" });
  });

  const unexpected = { code: -32603, message: "Unexpected answer of the wallet" };
  it.each([
    ["accounts that are no list", "eth_requestAccounts", "0x"],
    ["no accounts", "eth_requestAccounts", []],
    ["a short address", "eth_requestAccounts", ["0x12"]],
    ["an address inside a list", "eth_requestAccounts", [[ADDRESS, 1]]],
    ["a decimal chain", "eth_chainId", "1"],
    ["chain zero", "eth_chainId", "0x0"],
    ["a chain beyond the safe integers", "eth_chainId", "0x20000000000000"],
    ["no chain", "eth_chainId", null],
  ])("connect refuses %s", async (_, method, value) => {
    const { frame, wallet } = await stageWallet();
    wallet.answers[method] = () => value;
    expect((await frame.run(frame.command("wallet.connect", {}))).error).toEqual(unexpected);
  });

  it.each([
    ["throws at once", () => { throw fail(-32000, "boom"); }, { ok: false, error: { code: -32000, message: "boom" } }],
    ["throws nothing", () => { throw undefined; }, { ok: false, error: { code: -32603 } }],
    ["throws a trap", () => { throw { get code() { throw new Error(); } }; }, { ok: false, error: { code: -32603 } }],
    ["returns no promise", () => "0x1", { ok: true, value: "0x1" }],
    ["answers twice", () => ({ then: (resolve: (value: string) => void) => [resolve("first"), resolve("second")] }), { ok: true, value: "first" }],
    ["answers nothing", () => undefined, { ok: true, value: null }],
    ["answers with a cycle", () => { const cycle: any = {}; cycle.self = cycle; return cycle; }, { ok: false, error: unexpected }],
    ["answers with megabytes", () => "x".repeat(2 ** 20), { ok: false, error: unexpected }],
    ["answers with functions", () => ({ hash: "0x1", run() {} }), { ok: true, value: { hash: "0x1" } }],
  ])("survives a wallet that %s", async (_, answer, reply) => {
    const { frame, wallet } = await stageWallet();
    wallet.answers.eth_call = answer;
    expect(await frame.run(frame.command("wallet.request", { method: "eth_call", params: [] }))).toMatchObject(reply);
  });

  it("survives a wallet whose event methods throw", async () => {
    const wallet = new FakeWallet();
    wallet.on = () => { throw new Error("trap"); };
    const { frame } = await stageWallet({}, wallet);
    expect(await frame.run(frame.command("wallet.connect", {}))).toMatchObject({ ok: true });
  });

  it("gives the host's own RPC endpoints to the wallet that adds a chain", async () => {
    const { frame, wallet } = await stageWallet({ customRpcUrls: { "eip155:137": [{ url: "https://rpc.host.example" }] } });
    await frame.run(frame.command("wallet.request", { method: "wallet_addEthereumChain", params: [{ chainId: "0x89", rpcUrls: ["https://other"] }] }));
    expect(wallet.asked.find(({ method }) => method == "wallet_addEthereumChain")!.params).toEqual([{ chainId: "0x89", rpcUrls: ["https://rpc.host.example"] }]);
  });
});

describe("disconnect", () => {
  async function disconnected() {
    const pass = stoppedClock();
    const staged = await stageWallet();
    await staged.frame.run(staged.frame.command("wallet.connect", {}));
    staged.wallet.answers.wallet_revokePermissions = () => { throw new Error("unknown method"); };
    const reply = await staged.frame.run(staged.frame.command("wallet.disconnect", {}));
    return { ...staged, reply, pass };
  }

  it("answers null although the wallet cannot revoke", async () => {
    expect((await disconnected()).reply).toMatchObject({ ok: true, value: null });
  });

  it("asks the wallet to revoke its permission", async () => {
    expect((await disconnected()).wallet.times("wallet_revokePermissions")).toBe(1);
  });

  it("ends the session", async () => {
    const { frame } = await disconnected();
    expect((await frame.snapshot()).sessions).toEqual({});
  });

  it("forgets the connector", async () => {
    await disconnected();
    expect(localStorage.getItem(CONNECTOR)).toBeNull();
  });

  it("does not come back when the wallet speaks up", async () => {
    const { frame, wallet, pass } = await disconnected();
    wallet.emit("accountsChanged", [ADDRESS]);
    await pass(1000);
    await frame.settled();
    expect((await frame.snapshot()).sessions).toEqual({});
  });
});

describe("several tabs of a host", () => {
  /** What a tab whose visitor disconnects writes for the others to hear. */
  async function written(): Promise<[string, string][]> {
    const { frame, modal } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    const write = vi.spyOn(localStorage, "setItem");
    await frame.run(frame.command("wallet.disconnect", {}));
    const ended = write.mock.calls.filter(([key]) => key == "walletmodal:ended") as [string, string][];
    write.mockRestore();
    modal.destroy();
    return ended;
  }

  /** Another tab with a session, which hears something; its wallet would grant again at once. */
  async function hearing(key: string | null, newValue: string | null) {
    const pass = stoppedClock();
    const staged = await stageWallet();
    await staged.frame.run(staged.frame.command("wallet.connect", {}));
    dispatchEvent(new StorageEvent("storage", { key, newValue }));
    staged.wallet.emit("chainChanged", "0x1");
    await pass(1000);
    await staged.frame.settled();
    return (await staged.frame.snapshot()).sessions;
  }

  it("what one has disconnected the others hold no longer, although the wallet does not tell them", async () => {
    const [ended] = await written();
    expect(await hearing(...ended!)).toEqual({});
  });

  it("nothing of it stays in the storage", async () => {
    await written();
    expect(localStorage.getItem("walletmodal:ended")).toBeNull();
  });

  it("the tab that hears of it leaves the storage to the one that has disconnected", async () => {
    const [ended] = await written();
    await hearing(...ended!);
    expect(localStorage.getItem(CONNECTOR)).toBe("io.wallet");
  });

  it.each([
    ["another wallet", "walletmodal:ended", "eip155 io.other"],
    ["another namespace", "walletmodal:ended", "solana io.wallet"],
    ["a namespace that there is not", "walletmodal:ended", "__proto__ io.wallet"],
    ["nonsense", "walletmodal:ended", "{"],
    ["its being taken away", "walletmodal:ended", null],
    ["a tab that has not found its wallet", CONNECTOR, null],
    ["a storage that was cleared", null, null],
  ])("%s ends nothing", async (_, key, value) => {
    expect((await hearing(key, value)).eip155!.connector).toBe("io.wallet");
  });
});

describe("events", () => {
  async function session() {
    const pass = stoppedClock();
    const staged = await stageWallet();
    await staged.frame.run(staged.frame.command("wallet.connect", {}));
    return { ...staged, pass };
  }

  it("accountsChanged changes the session", async () => {
    const { frame, wallet } = await session();
    wallet.answers.eth_accounts = () => [OTHER];
    wallet.emit("accountsChanged", [OTHER]);
    expect((await frame.snapshot(({ sessions }) => sessions.eip155?.accounts[0] == OTHER)).sessions.eip155!.connector).toBe("io.wallet");
  });

  it("accountsChanged to none ends the session", async () => {
    const { frame, wallet } = await session();
    wallet.answers.eth_accounts = () => [];
    wallet.emit("accountsChanged", []);
    await frame.snapshot(({ sessions, rev }) => rev > 1 && !sessions.eip155 && frame.log.some(({ type }) => type == "reply"));
    await vi.waitFor(async () => expect((await frame.snapshot()).sessions).toEqual({}), PATIENCE);
  });

  it("chainChanged changes the chain", async () => {
    const { frame, wallet } = await session();
    wallet.answers.eth_chainId = () => "0x89";
    wallet.emit("chainChanged", "0x89");
    expect((await frame.snapshot(({ sessions }) => sessions.eip155?.chain == "137")).sessions.eip155!.chain).toBe("137");
  });

  it("a switch is seen although the wallet does not tell", async () => {
    const { frame, wallet } = await session();
    wallet.answers.wallet_switchEthereumChain = () => null;
    wallet.answers.eth_chainId = () => "0x89";
    await frame.run(frame.command("wallet.request", { method: "wallet_switchEthereumChain", params: [{ chainId: "0x89" }] }));
    expect((await frame.snapshot(({ sessions }) => sessions.eip155?.chain == "137")).sessions.eip155!.chain).toBe("137");
  });

  it("disconnect ends the session", async () => {
    const { frame, wallet } = await session();
    wallet.emit("disconnect", fail(4900, "gone"));
    await vi.waitFor(async () => expect((await frame.snapshot()).sessions).toEqual({}), PATIENCE);
  });

  it("nonsense changes nothing", async () => {
    const { frame, wallet, pass } = await session();
    wallet.answers.eth_accounts = () => ["nonsense"];
    wallet.emit("accountsChanged", ["nonsense"]);
    await pass(1000);
    await frame.settled();
    expect((await frame.snapshot()).sessions.eip155!.accounts).toEqual([ADDRESS]);
  });

  it("a flood of events makes few snapshots", async () => {
    const { frame, wallet, pass } = await session();
    const before = frame.log.length;
    let n = 0;
    wallet.answers.eth_chainId = () => "0x" + (++n).toString(16);
    for (let round = 0; round < 20; round++) {
      for (let event = 0; event < 50; event++) wallet.emit("chainChanged", "0x1");
      await pass(5);
    }
    await frame.settled();
    expect(frame.log.length - before).toBeLessThan(10);
  });

  it("a late approval makes a session", async () => {
    const { frame, wallet } = await stageWallet();
    wallet.answers.eth_requestAccounts = never;
    await frame.run(frame.command("wallet.connect", { timeout: 20 }));
    wallet.emit("accountsChanged", [ADDRESS]);
    expect((await frame.snapshot(({ sessions }) => !!sessions.eip155)).sessions.eip155!.accounts).toEqual([ADDRESS]);
  });

  it("a wallet that refused makes no session by itself", async () => {
    const pass = stoppedClock();
    const { frame, wallet } = await stageWallet();
    wallet.answers.eth_requestAccounts = () => Promise.reject(fail(4001, "No"));
    await frame.run(frame.command("wallet.connect", {}));
    wallet.emit("accountsChanged", [ADDRESS]);
    await pass(1000);
    await frame.settled();
    expect((await frame.snapshot()).sessions).toEqual({});
  });
});
