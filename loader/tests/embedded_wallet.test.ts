import { describe, expect, it, vi } from "vitest";
import type { Command, Session } from "../src/protocol";
import { SOLANA } from "./doubles";
import { ADDRESS, FakeFrame, PATIENCE, stage, stageWallet, state } from "./stage";

const keyOf = (namespace: string) => `@appkit/${namespace}:connected_connector_id`;
const user = { email: "kim@example.org" };
const peer = { name: "kim@example.org", icon: "" };
const evm: Session = { connector: "ID_AUTH", accounts: [ADDRESS], chain: "1", approved: null, peer, user };
const solana: Session = { ...evm, accounts: [SOLANA], chain: "5eykt4" };
const phone = { connector: "walletConnect", accounts: [ADDRESS], chain: "1", approved: ["eip155:1"], peer: null };

function answer(frame: FakeFrame, id: string, value: unknown, error: object | null = null) {
  frame.send("paired", { ok: !error, value, error }, id);
}

async function send(frame: FakeFrame, command: Command) {
  frame.send("commands", { commands: [command] });
  const { id, payload } = await frame.next("pairing", ({ method }) => `wallet.${method}` == command.method);
  return { id, payload, reply: async () => (await frame.next("reply", (one) => one.id == command.id)).payload };
}

async function loggedIn(sessions: object = { eip155: evm, solana }, staged: { frame: FakeFrame } = {} as never) {
  const { frame, ...rest } = staged.frame ? staged : await stageWallet();
  const { id, payload, reply } = await send(frame, frame.command("wallet.connect", { namespace: "", connector: "ID_AUTH" }));
  answer(frame, id, { sessions });
  return { ...(rest as Awaited<ReturnType<typeof stageWallet>>), frame, payload, answered: await reply() };
}

describe("the embedded wallet", () => {
  it("is asked for by its connector", async () => {
    expect((await loggedIn()).payload).toEqual({ method: "connect", params: { connector: "ID_AUTH" } });
  });

  it("has a session in each of its namespaces, with who has logged in", async () => {
    const { frame, answered } = await loggedIn();
    expect([answered.value, (await frame.snapshot()).sessions]).toEqual([{ sessions: { eip155: evm, solana } }, { eip155: evm, solana }]);
  });

  it.each([
    ["no text as the address", { email: 7 }, { email: "7" }],
    ["an address without end", { email: "e".repeat(2 ** 17) }, { email: "e".repeat(320) }],
    ["a name without end", { email: "", name: "n".repeat(2 ** 17) }, { email: "", name: "n".repeat(64) }],
    ["nobody", 7, undefined],
  ])("takes %s for what it is", async (_, said, expected) => {
    const { frame } = await loggedIn({ eip155: { ...evm, user: said } });
    expect((await frame.snapshot()).sessions.eip155!.user).toEqual(expected);
  });

  it("passes on why there is none", async () => {
    const { frame } = await stageWallet();
    const { id, reply } = await send(frame, frame.command("wallet.connect", { namespace: "", connector: "ID_AUTH" }));
    answer(frame, id, null, { code: 4100, message: "recovery_needed" });
    expect((await reply()).error).toEqual({ code: 4100, message: "recovery_needed" });
  });

  it("leaves a phone's other namespaces to the phone", async () => {
    const { frame } = await stage();
    frame.send("sessions", { sessions: { eip155: phone, solana: { ...phone, accounts: [SOLANA], chain: "5eykt4" } } });
    await frame.snapshot(({ sessions }) => !!sessions.solana);
    await loggedIn({ eip155: evm }, { frame });
    const { sessions } = await frame.snapshot(({ sessions }) => sessions.eip155?.connector == "ID_AUTH");
    expect(sessions.solana!.connector).toBe("walletConnect");
  });

  it("is told of at once where the visitor waits, also when nothing is new", async () => {
    const { frame } = await loggedIn();
    const before = (await frame.snapshot()).rev;
    frame.send("sessions", { connector: "ID_AUTH", sessions: { eip155: evm, solana }, now: true });
    expect((await frame.snapshot(({ rev }) => rev > before)).sessions).toEqual({ eip155: evm, solana });
  });

  it("keeps its account when the phone says what it holds", async () => {
    const { frame } = await loggedIn({ eip155: evm });
    frame.send("sessions", { sessions: { eip155: phone } });
    await frame.settled();
    expect((await frame.snapshot()).sessions.eip155).toEqual(evm);
  });

  it("ends when its frame says so", async () => {
    const { frame } = await loggedIn();
    frame.send("sessions", { connector: "ID_AUTH", sessions: {} });
    const kept = () => [localStorage.getItem(keyOf("eip155")), localStorage.getItem(keyOf("solana"))];
    await vi.waitFor(() => expect(kept()).toEqual([null, null]), PATIENCE);
  });

  it("is asked with network, parameters and hint", async () => {
    const { frame } = await loggedIn();
    const hint = { title: "Send", lines: [] };
    const asked = { connector: "ID_AUTH", chain: "eip155:1", method: "personal_sign", params: ["0x00", ADDRESS], hint };
    const { payload } = await send(frame, frame.command("wallet.request", asked));
    expect(payload.params).toEqual({ namespace: "eip155", ...asked });
  });

  it("is not asked where a phone is connected", async () => {
    const { frame } = await stage();
    frame.send("sessions", { sessions: { eip155: phone } });
    await frame.snapshot(({ sessions }) => !!sessions.eip155);
    const asked = { connector: "ID_AUTH", chain: "eip155:1", method: "personal_sign", params: [] };
    expect((await frame.run(frame.command("wallet.request", asked))).error!.code).toBe(4900);
  });

  it("ends in every namespace, and the frame is told whose end it is", async () => {
    const { frame } = await loggedIn();
    const { id, payload, reply } = await send(frame, frame.command("wallet.disconnect", { connector: "ID_AUTH" }));
    answer(frame, id, null);
    await reply();
    expect([payload, (await frame.snapshot()).sessions]).toEqual([{ method: "disconnect", params: { connector: "ID_AUTH" } }, {}]);
  });

  it("ends in the other tabs too", async () => {
    const { frame } = await loggedIn({ eip155: evm });
    dispatchEvent(new StorageEvent("storage", { key: "walletmodal:ended", newValue: "eip155 ID_AUTH" }));
    expect((await frame.snapshot(({ sessions }) => !sessions.eip155)).sessions).toEqual({});
  });

  it("tells the other tabs of its end", async () => {
    const { frame } = await loggedIn({ eip155: evm });
    const write = vi.spyOn(localStorage, "setItem");
    await send(frame, frame.command("wallet.disconnect", { connector: "ID_AUTH" }));
    const written = [...write.mock.calls];
    write.mockRestore();
    expect(written).toContainEqual(["walletmodal:ended", "eip155 ID_AUTH"]);
  });

  /** A page that is loaded anew by who was logged in; `between`: what happens to its storage meanwhile. */
  async function comesBack(between = () => {}) {
    const { frame, modal } = await loggedIn();
    await frame.snapshot(({ sessions }) => !!sessions.solana);
    modal.destroy();
    between();
    return stage();
  }

  it("has its accounts in the first word of the next visit, without who has logged in", async () => {
    const { frame } = await comesBack();
    const { user: _, ...known } = evm;
    const { snapshot } = (await frame.next("init")).payload;
    expect(snapshot).toMatchObject({ settled: false, sessions: { eip155: known, solana: { accounts: [SOLANA] } } });
    expect(snapshot.sessions.eip155.user).toBeUndefined();
  });

  it("names who has logged in once its frame has", async () => {
    const { frame } = await comesBack();
    answer(frame, (await frame.next("pairing")).id, { sessions: { eip155: evm, solana } });
    expect((await frame.snapshot(({ settled }) => settled)).sessions).toEqual({ eip155: evm, solana });
  });

  it("is gone on the next visit once its frame says so", async () => {
    const { frame } = await comesBack();
    answer(frame, (await frame.next("pairing")).id, { sessions: {} });
    expect((await frame.snapshot(({ settled }) => settled)).sessions).toEqual({});
  });

  it("keeps the account that its frame cannot be asked about", async () => {
    const { frame } = await comesBack();
    answer(frame, (await frame.next("pairing")).id, null, { code: 4900, message: "Unable to load email login dependency" });
    expect((await frame.snapshot(({ settled }) => settled)).sessions.eip155!.accounts).toEqual([ADDRESS]);
  });

  it.each([
    ["nothing that can be read", () => localStorage.setItem("walletmodal:login:eip155", "{")],
    ["no address", () => localStorage.setItem("walletmodal:login:eip155", '{"accounts":["0x12"],"chain":"1"}')],
    ["no list", () => localStorage.setItem("walletmodal:login:eip155", '{"accounts":7,"chain":"1"}')],
    ["accounts of another connector's", () => localStorage.setItem(keyOf("eip155"), "io.wallet")],
    ["accounts that nobody remembers", () => localStorage.removeItem(keyOf("eip155"))],
  ])("finds %s, and takes up the rest", async (_, between) => {
    const { frame } = await comesBack(between);
    expect((await frame.next("init")).payload.snapshot.sessions).toEqual({ solana: { ...solana, user: undefined } });
  });

  it("leaves nothing of its accounts in storage when it ends", async () => {
    const { frame } = await loggedIn();
    frame.send("sessions", { connector: "ID_AUTH", sessions: {} });
    await vi.waitFor(() => expect(Object.keys(localStorage).filter((key) => key.includes("login"))).toEqual([]), PATIENCE);
  });

  it("that is remembered is asked for what it holds, and nobody else is", async () => {
    localStorage.setItem(keyOf("solana"), "ID_AUTH");
    const { frame } = await stage();
    const { id, payload } = await frame.next("pairing");
    answer(frame, id, { sessions: { solana } });
    expect([payload, (await frame.snapshot(({ settled }) => settled)).sessions]).toEqual([
      { method: "sessions", params: { connector: "ID_AUTH" } },
      { solana },
    ]);
  });

  it("is waited for beside a phone", async () => {
    localStorage.setItem(keyOf("solana"), "ID_AUTH");
    localStorage.setItem(keyOf("eip155"), "walletConnect");
    const { frame } = await stage();
    const { id } = await frame.next("pairing", ({ params }) => (params as { connector: string }).connector == "walletConnect");
    answer(frame, id, { sessions: { eip155: phone } });
    expect((await frame.snapshot(({ sessions }) => !!sessions.eip155)).settled).toBe(false);
  });

  it("that was being connected when the page went away is asked for", async () => {
    localStorage.setItem("walletmodal:interrupted", JSON.stringify({ namespace: "", connector: "ID_AUTH", wallet: null }));
    const { frame } = await stage();
    answer(frame, (await frame.next("pairing")).id, { sessions: { eip155: evm } });
    expect((await frame.snapshot(({ settled }) => settled)).sessions).toEqual({ eip155: evm });
  });

  it("is what getWalletInfo names", async () => {
    const { frame, modal } = await loggedIn();
    frame.send("state", state());
    await frame.settled();
    expect(modal.getWalletInfo()).toEqual({
      id: "ID_AUTH", name: "kim@example.org", icon: "", rdns: "", namespaces: ["eip155", "solana"], type: "AUTH",
    });
  });
});
