import { describe, expect, it, vi } from "vitest";
import type { Options } from "../walletmodal";
import { announce, FakeWallet, stage, stoppedClock, uuid } from "./stage";

const standard = (name: string, ...chains: string[]) => ({
  name,
  icon: "data:image/png;base64,AA==",
  chains,
  accounts: [],
  features: { "standard:connect": { connect: () => ({ accounts: [] }) } },
});

const register = (wallet: unknown) =>
  dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: (api: any) => api.register(wallet) }));

describe("EIP-6963", () => {
  it("lists a wallet under its rdns", async () => {
    const { frame } = await stage();
    announce(new FakeWallet());
    expect((await frame.snapshot(({ wallets }) => wallets.length == 1)).wallets).toEqual([
      { id: "io.wallet", namespaces: ["eip155"], type: "ANNOUNCED", name: "Wallet", icon: "data:image/png;base64,AA==", rdns: "io.wallet" },
    ]);
  });

  it("asks wallets that came before the modal to announce themselves", async () => {
    const asked = vi.fn();
    addEventListener("eip6963:requestProvider", asked, { once: true });
    await stage();
    expect(asked).toHaveBeenCalled();
  });

  it.each([
    ["malformed", "no rdns"],
    ["empty", ""],
    ["no text", 7],
    ["longer than 128 characters", "a.".repeat(70) + "b"],
  ])("lists a wallet under its uuid when the rdns is %s", async (_, rdns) => {
    const { frame } = await stage();
    const id = uuid();
    announce(new FakeWallet(), { uuid: id, rdns });
    expect((await frame.snapshot(({ wallets }) => wallets.length == 1)).wallets[0]!.id).toBe(id);
  });

  it("lists the second provider of one rdns under its uuid", async () => {
    const { frame } = await stage();
    const id = uuid();
    announce(new FakeWallet());
    announce(new FakeWallet(), { uuid: id });
    expect((await frame.snapshot(({ wallets }) => wallets.length == 2)).wallets[1]!.id).toBe(id);
  });

  async function listedAfter(act: () => void) {
    const { frame } = await stage();
    act();
    announce(new FakeWallet(), { rdns: "io.last" });
    return (await frame.snapshot(({ wallets }) => wallets.some(({ id }) => id == "io.last"))).wallets.slice(0, -1);
  }

  it("lists a uuid once", async () => {
    const info = { uuid: uuid(), rdns: "" };
    expect(await listedAfter(() => [announce(new FakeWallet(), info), announce(new FakeWallet(), info)])).toHaveLength(1);
  });

  it("lists one provider that announces itself anew under each uuid once", async () => {
    const wallet = new FakeWallet();
    expect(await listedAfter(() => [announce(wallet), announce(wallet)])).toHaveLength(1);
  });

  const trap = {
    get name(): string {
      throw new Error("trap");
    },
    uuid: uuid(),
  };
  it.each([
    ["no provider", () => announce(null)],
    ["a provider without request", () => announce({})],
    ["a uuid that is none", () => announce(new FakeWallet(), { uuid: "x" })],
    ["no name", () => announce(new FakeWallet(), { name: " " })],
    ["a name that is no text", () => announce(new FakeWallet(), { name: {} })],
    ["a getter that throws", () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: { info: trap, provider: new FakeWallet() } }))],
    ["no detail", () => dispatchEvent(new CustomEvent("eip6963:announceProvider"))],
  ])("ignores an announcement with %s", async (_, act) => {
    expect(await listedAfter(act)).toEqual([]);
  });

  it("cuts a name of a megabyte at 64 characters", async () => {
    const [wallet] = await listedAfter(() => announce(new FakeWallet(), { name: "n".repeat(1_000_000) }));
    expect(wallet!.name).toHaveLength(64);
  });

  it.each([
    ["script", "javascript:alert(1)"],
    ["a page", "data:text/html,x"],
    ["plain http", "http://wallet.example/icon.png"],
    ["more than 64 kB", "data:image/png;base64," + "A".repeat(65_536)],
    ["no text", { toString: (): string => "x" }],
  ])("leaves out an icon that is %s", async (_, icon) => {
    const [wallet] = await listedAfter(() => announce(new FakeWallet(), { icon }));
    expect(wallet!.icon).toBe("");
  });

  it("keeps the icons of all wallets below the size of a message", async () => {
    const wallets = await listedAfter(() => {
      for (let n = 0; n < 10; n++) announce(new FakeWallet(), { rdns: "io.wallet" + n, icon: "data:image/png;base64," + "A".repeat(60_000) });
    });
    expect(JSON.stringify(wallets).length).toBeLessThan(256 * 1024);
  });

  it("lists at most 40 wallets", async () => {
    const { frame } = await stage();
    for (let n = 0; n < 60; n++) announce(new FakeWallet(), { rdns: "io.wallet" + n });
    expect((await frame.snapshot(({ wallets }) => wallets.length > 39)).wallets).toHaveLength(40);
  });

  it("never lists its own announcement", async () => {
    const { frame, modal } = await stage({ announceProvider: true });
    announce(modal.getProvider("eip155"), { rdns: "org.disguise" });
    announce(new FakeWallet());
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets.map(({ id }) => id)).toEqual(["io.wallet"]);
  });
});

describe("window.ethereum", () => {
  it("is listed as injected when nothing announced itself", async () => {
    Object.assign(window, { ethereum: new FakeWallet() });
    const { frame } = await stage();
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets).toMatchObject([{ id: "injected", type: "INJECTED", name: "Browser Wallet" }]);
  });

  it("makes way for a later announcement", async () => {
    Object.assign(window, { ethereum: new FakeWallet() });
    const { frame } = await stage();
    await frame.snapshot(({ wallets }) => wallets.length > 0);
    announce(new FakeWallet());
    expect((await frame.snapshot(({ wallets }) => wallets.some(({ id }) => id == "io.wallet"))).wallets).toHaveLength(1);
  });

  it("survives a trap in its place", async () => {
    Object.defineProperty(window, "ethereum", {
      configurable: true,
      get() {
        throw new Error("trap");
      },
    });
    const pass = stoppedClock();
    const { frame } = await stage();
    await pass(310);
    announce(new FakeWallet());
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets).toHaveLength(1);
  });
});

describe("Wallet Standard", () => {
  it("lists a wallet that registers itself, by the namespaces of its chains", async () => {
    const { frame } = await stage();
    register(standard("Sol", "solana:mainnet", "bitcoin:mainnet"));
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets).toMatchObject([{ id: "Sol", namespaces: ["solana", "bip122"] }]);
  });

  it("takes wallets that wait for app-ready", async () => {
    addEventListener("wallet-standard:app-ready", (event) => (event as CustomEvent).detail.register(standard("Early", "solana:devnet")), { once: true });
    const { frame } = await stage();
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets[0]!.name).toBe("Early");
  });

  it("ignores chains that nobody here knows", async () => {
    const { frame } = await stage();
    register(standard("Other", "sui:mainnet"));
    register(standard("Sol", "solana:mainnet"));
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets).toHaveLength(1);
  });

  it("lists wallets of one name once", async () => {
    const { frame } = await stage();
    register(standard("Sol", "solana:mainnet"));
    register(standard("Sol", "solana:devnet"));
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets).toHaveLength(1);
  });

  it.each(["Sölflare (β)", "財布", "n".repeat(2 ** 20)])("gives a wallet whose name cannot be an id one that can", async (name) => {
    const { frame } = await stage();
    register(standard(name, "solana:mainnet"));
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets[0]!.id).toMatch(/^[A-Za-z0-9][\w.-]{0,95}$/);
  });

  it("never takes the place of a phone", async () => {
    const { frame } = await stage();
    register(standard("walletConnect", "solana:mainnet"));
    register(standard("Sol", "solana:mainnet"));
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets.map(({ id }) => id)).toEqual(["Sol"]);
  });

  it("leaves out a wallet that cannot be connected", async () => {
    const { frame } = await stage();
    register({ ...standard("Dead", "solana:mainnet"), features: {} });
    register(standard("Sol", "solana:mainnet"));
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets.map(({ id }) => id)).toEqual(["Sol"]);
  });
});

describe("marks", () => {
  async function marksOf(ethereum: object | undefined, options: Options = {}) {
    if (ethereum) Object.assign(window, { ethereum });
    const { frame } = await stage(options);
    const { marks, injected } = await frame.snapshot();
    return { marks, injected };
  }

  class Classy {
    get isClassy() {
      return true;
    }
    request() {}
  }

  it.each([
    ["what is true", { isMetaMask: true, isBrave: false }, ["isMetaMask"]],
    ["objects", { oneInch: {}, isX: "text" }, ["oneInch"]],
    ["what a class says", new Classy(), ["isClassy"]],
    ["no methods", { request() {}, isConnected: () => true }, []],
    ["no name that is none", { "is it": true, _private: true, isFine: true }, ["isFine"]],
    ["nothing of a getter that throws", { get isTrap() { throw new Error("trap"); }, isFine: true }, ["isFine"]],
    ["nothing of a trap", new Proxy({}, { ownKeys: () => { throw new Error("trap"); } }), []],
  ])("tell %s", async (_, ethereum, marks) => {
    expect(await marksOf(ethereum)).toEqual({ marks, injected: true });
  });

  it("are 64 at most", async () => {
    const many = Object.fromEntries([...Array(100).keys()].map((n) => ["is" + n, true]));
    expect((await marksOf(many)).marks).toHaveLength(64);
  });

  it("are none without a window.ethereum", async () => {
    expect(await marksOf(undefined)).toEqual({ marks: [], injected: false });
  });

  it("tell wallets of the window", async () => {
    Object.assign(window, { phantom: {} });
    const { marks } = await marksOf(undefined);
    delete (window as { phantom?: object }).phantom;
    expect(marks).toEqual(["phantom"]);
  });

  it("leave out a window.ethereum that the host does not want", async () => {
    expect(await marksOf({ isMetaMask: true }, { enableInjected: false })).toEqual({ marks: [], injected: false });
  });
});

describe("connectors of the host", () => {
  const connector = (change = {}) => ({ id: "host", name: "Host", icon: "https://host.example/i.png", chain: "eip155" as const, provider: new FakeWallet(), ...change });

  it("are listed", async () => {
    const { frame } = await stage({ connectors: [connector()] });
    expect((await frame.snapshot()).wallets).toEqual([
      { id: "host", namespaces: ["eip155"], type: "EXTERNAL", name: "Host", icon: "https://host.example/i.png", rdns: "" },
    ]);
  });

  it("connect on a command", async () => {
    const { frame } = await stage({ connectors: [connector()] });
    expect(await frame.run(frame.command("wallet.connect", { connector: "host" }))).toMatchObject({ ok: true, value: { chain: "1" } });
  });

  it("may be wallets of the standard", async () => {
    const { frame } = await stage({ connectors: [connector({ chain: "solana", provider: standard("X", "solana:mainnet") })] });
    expect((await frame.snapshot()).wallets).toMatchObject([{ id: "host", namespaces: ["solana"] }]);
  });

  it("never reach the server", async () => {
    const { frame } = await stage({ connectors: [connector()] });
    expect((await frame.next("init")).payload.options).not.toHaveProperty("connectors");
  });

  it("may be added later", async () => {
    const { frame, modal } = await stage();
    modal.updateOptions({ connectors: [connector()] }).catch(() => {});
    expect((await frame.snapshot(({ wallets }) => wallets.length > 0)).wallets[0]!.id).toBe("host");
  });

  it("are listed beside a wallet that announced their id and their name", async () => {
    const { frame } = await stage({ connectors: [connector({ id: "io.wallet", name: "Wallet" })] });
    announce(new FakeWallet());
    const { wallets } = await frame.snapshot(({ wallets }) => wallets.length == 2);
    expect(wallets.map(({ id, type }) => [type, id == "io.wallet"])).toEqual([["EXTERNAL", true], ["ANNOUNCED", false]]);
  });

  it("are listed when a wallet has taken their id before, and asked themselves", async () => {
    const { frame, modal } = await stage();
    announce(new FakeWallet(), { rdns: "host.example" });
    await frame.snapshot(({ wallets }) => wallets.length == 1);
    const own = connector({ id: "host.example" });
    for (const connectors of [[own], [own]]) modal.updateOptions({ connectors }).catch(() => {});
    const { wallets } = await frame.snapshot(({ wallets }) => wallets.length > 1);
    expect(wallets.map(({ id, type }) => [id, type])).toEqual([["host:host.example", "EXTERNAL"], ["host.example", "ANNOUNCED"]]);
    await frame.run(frame.command("wallet.connect", { connector: "host:host.example" }));
    expect(own.provider.times("eth_requestAccounts")).toBe(1);
  });

  it("are listed first, however many wallets announced themselves before", async () => {
    const { frame, modal } = await stage();
    for (let n = 0; n < 60; n++) announce(new FakeWallet(), { rdns: "io.wallet" + n });
    await frame.snapshot(({ wallets }) => wallets.length == 40);
    modal.updateOptions({ connectors: [connector()] }).catch(() => {});
    expect((await frame.snapshot(({ wallets }) => wallets.length > 40)).wallets[0]!.id).toBe("host");
  });

  it.each([
    ["no list", 7],
    ["nothing", [null]],
    ["no id", [connector({ id: "" })]],
    ["an id that cannot be stored", [connector({ id: "a/b" })]],
    ["no name", [connector({ name: "" })]],
    ["no provider", [connector({ provider: undefined })]],
    ["a namespace that nobody knows", [connector({ chain: "sui" })]],
  ])("are refused by create when they are %s", async (_, connectors) => {
    await expect(stage({ connectors: connectors as never })).rejects.toMatchObject({ code: -32602 });
  });
});

describe("options", () => {
  async function idsWith(options: Options) {
    Object.assign(window, { ethereum: new FakeWallet() });
    const pass = stoppedClock();
    const { frame } = await stage(options);
    announce(new FakeWallet());
    register(standard("Sol", "solana:mainnet"));
    await pass(310);
    await frame.settled();
    return (await frame.snapshot()).wallets.map(({ id }) => id);
  }

  it("enableEIP6963: false leaves announcements out", async () => {
    expect(await idsWith({ enableEIP6963: false })).toEqual(["Sol", "injected"]);
  });

  it("enableInjected: false leaves window.ethereum out", async () => {
    expect(await idsWith({ enableInjected: false, enableEIP6963: false })).toEqual(["Sol"]);
  });

  it("enableWallets: false leaves all out", async () => {
    expect(await idsWith({ enableWallets: false })).toEqual([]);
  });
});
