import { describe, expect, it, vi } from "vitest";
import type { Command, Session } from "../src/protocol";
import { SOLANA } from "./doubles";
import { ADDRESS, FakeFrame, OTHER, PATIENCE, stage, stageWallet, state } from "./stage";

const keyOf = (namespace: string) => `@appkit/${namespace}:connected_connector_id`;
const RECENT = "@appkit/recent_wallets";
const DEEP = "WALLETCONNECT_DEEPLINK_CHOICE";
const proposal = { namespaces: {}, metadata: {} };
const CHOSEN = { id: "w", name: "W", rdns: "" };
const peer = { name: "Phone Wallet", icon: "https://phone.example/icon.png" };

const interrupted = (wallet: object | null) => JSON.stringify({ namespace: "", connector: "walletConnect", wallet });

const evm = (change: Partial<Session> = {}): Session => ({
  connector: "walletConnect", accounts: [ADDRESS], chain: "1", approved: ["eip155:1", "eip155:137"], peer, ...change,
});
const solana: Session = { connector: "walletConnect", accounts: [SOLANA], chain: "5eykt4", approved: ["solana:5eykt4"], peer };

/** The frame's pairing module: answers each question as told. */
function answer(frame: FakeFrame, id: string, value: unknown, error: object | null = null) {
  frame.send("paired", { ok: !error, value, error }, id);
}

const pairCommand = (frame: FakeFrame, params = {}): Command =>
  frame.command("wallet.connect", { namespace: "", connector: "walletConnect", proposal, wallet: null, ...params });

async function asking(params = {}) {
  const staged = await stageWallet();
  const command = pairCommand(staged.frame, params);
  staged.frame.send("commands", { commands: [command] });
  const { id, payload } = await staged.frame.next("pairing");
  const reply = async () => (await staged.frame.next("reply", (one) => one.id == command.id)).payload;
  return { ...staged, id, payload, command, reply };
}

async function paired(sessions: object = { eip155: evm(), solana }, params = {}) {
  const staged = await asking(params);
  answer(staged.frame, staged.id, { sessions });
  await staged.reply();
  return staged;
}

describe("connecting a phone", () => {
  it("asks the frame with the proposal", async () => {
    const { payload } = await asking({ wallet: { id: "w", name: "W", rdns: "" }, again: true });
    expect(payload).toEqual({ method: "connect", params: { connector: "walletConnect", proposal, wallet: { id: "w", name: "W", rdns: "" }, again: true } });
  });

  it("answers with all sessions", async () => {
    const { reply } = await paired();
    expect((await reply()).value).toEqual({ sessions: { eip155: evm(), solana } });
  });

  it("passes on what the phone signed while it paired", async () => {
    const { frame, id, reply } = await asking();
    const cacaos = [{ h: { t: "caip122" }, p: { iss: "did:pkh:eip155:1:0x" }, s: { t: "eip191", s: "0x" } }];
    answer(frame, id, { sessions: { eip155: evm() }, cacaos });
    expect((await reply()).value).toEqual({ sessions: { eip155: evm() }, cacaos });
  });

  it("makes a session of each namespace", async () => {
    const { frame } = await paired();
    expect((await frame.snapshot()).sessions).toEqual({ eip155: evm(), solana });
  });

  it("is remembered in each namespace", async () => {
    await paired();
    expect([localStorage.getItem(keyOf("eip155")), localStorage.getItem(keyOf("solana"))]).toEqual(["walletConnect", "walletConnect"]);
  });

  it("takes the place of a browser wallet", async () => {
    const { frame } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    frame.send("commands", { commands: [pairCommand(frame)] });
    answer(frame, (await frame.next("pairing")).id, { sessions: { eip155: evm({ accounts: [OTHER] }) } });
    expect((await frame.snapshot(({ sessions }) => sessions.eip155?.connector == "walletConnect")).sessions.eip155!.accounts).toEqual([OTHER]);
  });

  it("puts the chosen wallet among the recent ones", async () => {
    await paired(undefined, { wallet: { id: "w", name: "W", rdns: "" } });
    expect(localStorage.getItem(RECENT)).toBe(JSON.stringify([{ id: "w", name: "W", rdns: "" }]));
  });

  it("puts nothing there when no wallet was chosen", async () => {
    await paired();
    expect(localStorage.getItem(RECENT)).toBeNull();
  });

  it("passes a refusal on", async () => {
    const { frame, id, reply } = await asking();
    answer(frame, id, null, { code: 4001, message: "User rejected." });
    expect((await reply()).error).toEqual({ code: 4001, message: "User rejected." });
  });

  it("gives up in time", async () => {
    const { reply } = await asking({ timeout: 20 });
    expect((await reply()).error!.code).toBe(-32002);
  });

  it("still counts when it comes too late for the command", async () => {
    const { frame, id, reply } = await asking({ timeout: 20 });
    await reply();
    answer(frame, id, { sessions: { eip155: evm() } });
    expect((await frame.snapshot(({ sessions }) => !!sessions.eip155)).sessions.eip155).toEqual(evm());
  });

  it.each([
    ["nothing", null],
    ["no sessions", { sessions: {} }],
    ["a session without accounts", { sessions: { eip155: evm({ accounts: [] }) } }],
    ["an account of another namespace", { sessions: { eip155: evm({ accounts: [SOLANA] }) } }],
    ["no chain", { sessions: { eip155: { ...evm(), chain: undefined } } }],
    ["a namespace that nobody knows", { sessions: { sui: evm() } }],
  ])("refuses an answer with %s", async (_, value) => {
    const { frame, id, reply } = await asking();
    answer(frame, id, value);
    expect((await reply()).ok).toBe(false);
  });

  it.each([
    ["a peer that is none", { peer: 7 as never }, { peer: null }],
    ["script as the peer's icon", { peer: { name: "P", icon: "javascript:alert(1)" } }, { peer: { name: "P", icon: "" } }],
    ["a name without end", { peer: { name: "n".repeat(2 ** 17), icon: "" } }, { peer: { name: "n".repeat(64), icon: "" } }],
    ["approved networks that are none", { approved: [7, "eip155:1", "x"] as never }, { approved: ["eip155:1"] }],
    ["another connector", { connector: "io.wallet" }, { connector: "walletConnect" }],
  ])("takes %s for what it is", async (_, change, expected) => {
    const { frame } = await paired({ eip155: evm(change) });
    expect((await frame.snapshot()).sessions.eip155).toMatchObject(expected);
  });

  it("is held while it runs, so that the next page asks what became of it", async () => {
    await asking({ wallet: CHOSEN });
    expect(localStorage.getItem("walletmodal:interrupted")).toBe(interrupted(CHOSEN));
  });

  it("is held no longer when the visitor has turned to something else", async () => {
    const { frame } = await asking({ wallet: CHOSEN });
    frame.send("commands", { commands: [] });
    await vi.waitFor(() => expect(localStorage.getItem("walletmodal:interrupted")).toBeNull(), PATIENCE);
  });

  it("is not held while its code is only made ready", async () => {
    await asking({ ahead: true });
    expect(localStorage.getItem("walletmodal:interrupted")).toBeNull();
  });

  it("made ready lets the question of the page before stand", async () => {
    localStorage.setItem("walletmodal:interrupted", interrupted(CHOSEN));
    const { frame } = await asking({ ahead: true });
    expect((await frame.snapshot()).storage.interrupted).toEqual({ namespace: "", connector: "walletConnect", wallet: CHOSEN });
  });

  it("is orphaned when the frame reloads", async () => {
    const { frame, reply } = await asking();
    frame.ready();
    expect((await reply()).error).toEqual({ code: -1, message: "orphaned" });
  });
});

describe("requests to a phone", () => {
  const params = { connector: "walletConnect", chain: "eip155:137", method: "personal_sign", params: ["0x00", ADDRESS] };

  async function requested() {
    const staged = await paired();
    const command = staged.frame.command("wallet.request", params);
    staged.frame.send("commands", { commands: [command] });
    const { id, payload } = await staged.frame.next("pairing", ({ method }) => method == "request");
    return { ...staged, id, payload, answered: async () => (await staged.frame.next("reply", (one) => one.id == command.id)).payload };
  }

  it("go to the frame with their network", async () => {
    const { payload } = await requested();
    expect(payload.params).toEqual({ namespace: "eip155", connector: "walletConnect", chain: "eip155:137", method: "personal_sign", params: ["0x00", ADDRESS] });
  });

  it("answer what the phone answered", async () => {
    const { frame, id, answered } = await requested();
    answer(frame, id, "0xsigned");
    expect((await answered()).value).toBe("0xsigned");
  });

  it("are orphaned when the frame reloads, never asked again", async () => {
    const { frame, answered } = await requested();
    frame.ready();
    expect((await answered()).error.code).toBe(-1);
    await frame.settled();
    expect(frame.log.filter(({ type, payload }) => type == "pairing" && (payload as { method: string }).method == "request")).toHaveLength(1);
  });

  it("are refused without a pairing", async () => {
    const { frame } = await stage();
    expect((await frame.run(frame.command("wallet.request", params))).error!.code).toBe(4900);
  });

  it("serve the host's provider", async () => {
    const { frame, modal } = await paired();
    const request = modal.getProvider("solana").request({ method: "solana_signMessage", params: { message: "2", pubkey: SOLANA } });
    const { id, payload } = await frame.next("request");
    expect(payload).toMatchObject({ namespace: "solana", method: "solana_signMessage" });
    const command = frame.command("wallet.request", { ...params, namespace: "solana", chain: "solana:5eykt4", ...payload, request: id });
    frame.send("commands", { commands: [command] });
    answer(frame, (await frame.next("pairing", ({ method }) => method == "request")).id, { signature: "abc" });
    expect(await request).toEqual({ signature: "abc" });
  });
});

describe("what the phone tells by itself", () => {
  it("changes its sessions", async () => {
    const { frame } = await paired();
    frame.send("sessions", { sessions: { eip155: evm({ chain: "137" }), solana } });
    expect((await frame.snapshot(({ sessions }) => sessions.eip155?.chain == "137")).sessions.solana).toEqual(solana);
  });

  it("ends and forgets those that it does not hold any more", async () => {
    const { frame } = await paired();
    frame.send("sessions", { sessions: { solana } });
    await frame.snapshot(({ sessions }) => !sessions.eip155 && !!sessions.solana);
    expect(localStorage.getItem(keyOf("eip155"))).toBeNull();
  });

  it("leaves a browser wallet alone", async () => {
    const { frame } = await stageWallet();
    await frame.run(frame.command("wallet.connect", {}));
    frame.send("sessions", { sessions: { eip155: evm() } });
    await frame.settled();
    expect((await frame.snapshot()).sessions.eip155!.connector).toBe("io.wallet");
  });

  it("makes a session where nothing is connected", async () => {
    const { frame } = await stage();
    frame.send("sessions", { sessions: { eip155: evm() } });
    expect((await frame.snapshot(({ sessions }) => !!sessions.eip155)).sessions.eip155).toEqual(evm());
  });

  it("is dropped when it is nonsense", async () => {
    const { frame, modal } = await paired();
    frame.send("sessions", { sessions: [evm()] });
    await frame.settled();
    expect([modal.dropped, Object.keys((await frame.snapshot()).sessions)]).toEqual([1, ["eip155", "solana"]]);
  });
});

describe("disconnecting a phone", () => {
  async function disconnected() {
    const staged = await paired();
    localStorage.setItem(DEEP, "{}");
    const command = staged.frame.command("wallet.disconnect", { namespace: "solana", connector: "walletConnect" });
    staged.frame.send("commands", { commands: [command] });
    answer(staged.frame, (await staged.frame.next("pairing", ({ method }) => method == "disconnect")).id, null);
    const { payload } = await staged.frame.next("reply", (one) => one.id == command.id);
    return { ...staged, payload };
  }

  it("answers null", async () => {
    expect((await disconnected()).payload).toMatchObject({ ok: true, value: null });
  });

  it("ends it in every namespace", async () => {
    expect((await (await disconnected()).frame.snapshot()).sessions).toEqual({});
  });

  it("forgets connectors and deep link", async () => {
    await disconnected();
    expect([keyOf("eip155"), keyOf("solana"), DEEP].map((key) => localStorage.getItem(key))).toEqual([null, null, null]);
  });
});

describe("a phone after a reload", () => {
  async function returning(...namespaces: string[]) {
    namespaces.forEach((namespace) => localStorage.setItem(keyOf(namespace), "walletConnect"));
    const staged = await stage();
    return { ...staged, ask: () => staged.frame.next("pairing", ({ method }) => method == "sessions") };
  }

  it("is not asked for when none is remembered", async () => {
    const { frame } = await returning();
    await frame.settled();
    expect(frame.log.some(({ type }) => type == "pairing")).toBe(false);
  });

  it("is connected again with what the frame restored", async () => {
    const { frame, ask } = await returning("eip155");
    answer(frame, (await ask()).id, { sessions: { eip155: evm() } });
    expect((await frame.snapshot(({ settled }) => settled)).sessions).toEqual({ eip155: evm() });
  });

  it("is not settled before the frame has answered", async () => {
    const { frame, ask } = await returning("eip155");
    await ask();
    expect((await frame.snapshot()).settled).toBe(false);
  });

  it("is forgotten when its session was deleted while the page was closed", async () => {
    const { frame, ask } = await returning("eip155");
    answer(frame, (await ask()).id, { sessions: {} });
    await frame.snapshot(({ settled }) => settled);
    expect(localStorage.getItem(keyOf("eip155"))).toBeNull();
  });

  it("is remembered when the frame could not find out", async () => {
    const { frame, ask } = await returning("eip155");
    answer(frame, (await ask()).id, null, { code: -32603, message: "no relay" });
    await frame.snapshot(({ settled }) => settled);
    expect(localStorage.getItem(keyOf("eip155"))).toBe("walletConnect");
  });

  it("that approved while the page was away is connected", async () => {
    localStorage.setItem("walletmodal:interrupted", interrupted(CHOSEN));
    const { frame, ask } = await returning();
    answer(frame, (await ask()).id, { sessions: { eip155: evm() } });
    expect((await frame.snapshot(({ settled }) => settled)).sessions.eip155).toEqual(evm());
  });

  it.each([["at once", true], ["later", false]])("that approved %s while the page was away is among the recent ones", async (_, atOnce) => {
    localStorage.setItem("walletmodal:interrupted", interrupted(CHOSEN));
    const { frame, ask } = await returning();
    answer(frame, (await ask()).id, { sessions: atOnce ? { eip155: evm() } : {} });
    if (!atOnce) frame.send("sessions", { sessions: { eip155: evm() } });
    await vi.waitFor(() => expect(localStorage.getItem(RECENT)).toBe(JSON.stringify([CHOSEN])), PATIENCE);
  });

  it.each([
    ["a pairing of before", { eip155: evm() }, "eip155"],
    ["no session at all", {}, undefined],
  ])("puts none among the recent ones for %s", async (_, sessions, remembered) => {
    localStorage.setItem("walletmodal:interrupted", interrupted(CHOSEN));
    const { frame, ask } = await returning(...(remembered ? ["eip155" as const] : []));
    answer(frame, (await ask()).id, { sessions });
    await frame.snapshot(({ settled }) => settled);
    expect(localStorage.getItem(RECENT)).toBeNull();
  });

  it("that the host page's storage makes up is nobody", async () => {
    localStorage.setItem("walletmodal:interrupted", JSON.stringify({ namespace: "", connector: "walletConnect", wallet: "W" }));
    const { frame } = await returning();
    expect((await frame.snapshot()).storage.interrupted).toEqual({ namespace: "", connector: "walletConnect", wallet: null });
  });

  it("is asked for again when the frame reloads meanwhile", async () => {
    const { frame, ask } = await returning("eip155");
    await ask();
    frame.ready();
    await vi.waitFor(() => expect(frame.log.filter(({ type }) => type == "pairing")).toHaveLength(2), PATIENCE);
  });

  it("is followed by the frame that comes after a reload", async () => {
    const { frame } = await paired();
    frame.ready();
    expect((await frame.next("pairing", ({ method }) => method == "sessions")).payload.params).toEqual({ connector: "walletConnect" });
  });
});

describe("getWalletInfo", () => {
  it("names the phone's wallet", async () => {
    const { frame, modal } = await paired();
    frame.send("state", state());
    await frame.settled();
    expect(modal.getWalletInfo()).toEqual({
      id: "walletConnect", name: "Phone Wallet", icon: peer.icon, rdns: "", namespaces: ["eip155", "solana"], type: "WALLET_CONNECT",
    });
  });
});
