import { beforeEach, describe, expect, it, vi } from "vitest";
import { connect, connected, conventions, keyOf, page, placed, type Convention } from "./conventions";
import { never, PAYMENT, register, StandardWallet, UnisatWallet } from "./doubles";
import { ADDRESS, PATIENCE, stage, stageWallet, stoppedClock } from "./stage";

describe.each(Object.entries(conventions) as [string, Convention][])("%s", (_, convention) => {
  const { namespace, id, accounts, chain } = convention;

  it("is listed with its namespace", async () => {
    const { frame } = await placed(convention);
    expect((await frame.snapshot()).wallets.find((one) => one.id == id)!.namespaces).toEqual([namespace]);
  });

  it("connects on a command", async () => {
    const { frame } = await placed(convention);
    expect(await connect(frame, convention)).toMatchObject({ ok: true, value: { accounts, chain } });
  });

  it("makes a session of its namespace alone", async () => {
    const { frame } = await connected(convention);
    expect((await frame.snapshot()).sessions).toEqual({ [namespace]: { connector: id, accounts, chain, approved: null, peer: null } });
  });

  it("is remembered", async () => {
    await connected(convention);
    expect(localStorage.getItem(keyOf(namespace))).toBe(id);
  });

  it("is asked for nothing before a command", async () => {
    const { wallet } = await placed(convention);
    expect(convention.prompts(wallet)).toBe(0);
  });

  it("passes on that the visitor said no", async () => {
    const { frame } = await placed(convention, convention.refuse);
    expect((await connect(frame, convention)).error!.code).toBe(4001);
  });

  it("is given up when it never answers", async () => {
    const { frame } = await placed(convention, convention.hang);
    expect((await connect(frame, convention, { timeout: 20 })).error!.code).toBe(-32002);
  });

  it("is not believed when it answers nonsense", async () => {
    const { frame } = await placed(convention, convention.nonsense);
    expect((await connect(frame, convention)).error).toEqual({ code: -32603, message: "Unexpected answer of the wallet" });
  });

  it("ends its session when it grants nothing any more", async () => {
    const { frame, wallet } = await connected(convention);
    convention.lock(wallet);
    expect(await frame.snapshot(({ sessions }) => !sessions[namespace] && frame.log.some(({ type }) => type == "reply"))).toBeTruthy();
  });

  it("is forgotten when it grants nothing any more", async () => {
    const { wallet } = await connected(convention);
    convention.lock(wallet);
    await vi.waitFor(() => expect(localStorage.getItem(keyOf(namespace))).toBeNull(), PATIENCE);
  });

  it("comes back without a prompt", async () => {
    localStorage.setItem(keyOf(namespace), id);
    const { frame } = await placed(convention, convention.know);
    expect((await frame.snapshot(({ settled }) => settled)).sessions[namespace]).toMatchObject({ connector: id, accounts, chain });
  });

  it("is not asked with a prompt on load when it does not know the page", async () => {
    localStorage.setItem(keyOf(namespace), id);
    const { frame, wallet } = await placed(convention);
    await frame.snapshot(({ settled }) => settled);
    expect(convention.prompts(wallet)).toBe(0);
  });

  it("is forgotten on load when it does not know the page", async () => {
    localStorage.setItem(keyOf(namespace), id);
    const { frame } = await placed(convention);
    await frame.snapshot(({ settled }) => settled);
    expect(localStorage.getItem(keyOf(namespace))).toBeNull();
  });

  it("is disconnected and forgotten on a command", async () => {
    const { frame } = await connected(convention);
    await frame.run(frame.command("wallet.disconnect", { namespace, connector: id }));
    expect([(await frame.snapshot()).sessions, localStorage.getItem(keyOf(namespace))]).toEqual([{}, null]);
  });

  it("does not listen any more once the modal is destroyed", async () => {
    const { modal, frame, wallet } = await connected(convention);
    const before = frame.log.length;
    modal.destroy();
    convention.lock(wallet);
    await new Promise((resolve) => setTimeout(resolve));
    expect(frame.log.length).toBe(before);
  });

  it("is survived when everything in it is a trap", async () => {
    const trap: any = new Proxy({}, { get: () => { throw new Error("trap"); }, has: () => { throw new Error("trap"); } });
    convention.place(trap);
    const { frame } = await stage();
    convention.place(trap);
    await frame.settled();
    expect((await frame.snapshot()).wallets).toEqual([]);
  });
});

describe("several namespaces", () => {
  beforeEach(() => { page.unisat = new UnisatWallet(); });

  async function both() {
    const staged = await stageWallet();
    await staged.frame.run(staged.frame.command("wallet.connect", {}));
    await staged.frame.run(staged.frame.command("wallet.connect", { namespace: "bip122", connector: "unisat" }));
    return staged;
  }

  it("are connected at once", async () => {
    const { frame } = await both();
    expect(Object.keys((await frame.snapshot()).sessions)).toEqual(["eip155", "bip122"]);
  });

  it("are told under the documented key", async () => {
    await both();
    expect(localStorage.getItem("@appkit/connected_namespaces")).toBe("eip155,bip122");
  });

  it("are told to the server by connector", async () => {
    const { frame } = await both();
    expect((await frame.snapshot()).storage.connectors).toEqual({ eip155: "io.wallet", bip122: "unisat" });
  });

  it("are disconnected one by one", async () => {
    const { frame } = await both();
    await frame.run(frame.command("wallet.disconnect", {}));
    expect((await frame.snapshot()).sessions).toMatchObject({ bip122: { accounts: [PAYMENT] } });
  });

  it("come back together", async () => {
    localStorage.setItem(keyOf("eip155"), "io.wallet");
    localStorage.setItem(keyOf("bip122"), "unisat");
    page.unisat.known = true;
    const { frame } = await stageWallet();
    expect((await frame.snapshot(({ settled }) => settled)).sessions).toMatchObject({ eip155: { accounts: [ADDRESS] }, bip122: { accounts: [PAYMENT] } });
  });

  it("are not settled before all have answered", async () => {
    localStorage.setItem(keyOf("eip155"), "io.wallet");
    localStorage.setItem(keyOf("bip122"), "unisat");
    page.unisat.getAccounts = never;
    const pass = stoppedClock();
    const { frame } = await stageWallet();
    await pass(1000);
    await frame.settled();
    expect((await frame.snapshot()).settled).toBe(false);
  });

  it("of one wallet are one entry, whose grant ends with the last", async () => {
    const wallet = new StandardWallet();
    wallet.chains = ["solana:mainnet", "bitcoin:mainnet"];
    wallet.holds.push({ address: PAYMENT, publicKey: new Uint8Array(33), chains: ["bitcoin:mainnet"] });
    const { frame } = await stage();
    register(wallet);
    await frame.snapshot(({ wallets }) => wallets.some(({ id }) => id == "Sol"));
    const both = ["solana", "bip122"].map((namespace) => ({ namespace, connector: "Sol" }));
    for (const params of both) await frame.run(frame.command("wallet.connect", params));
    await frame.run(frame.command("wallet.disconnect", both[0]!));
    const before = wallet.disconnect.mock.calls.length;
    await frame.run(frame.command("wallet.disconnect", both[1]!));
    expect([before, wallet.disconnect.mock.calls.length]).toEqual([0, 1]);
  });
});
