import { describe, expect, it, vi } from "vitest";
import { ADDRESS, connected, OTHER, PATIENCE, stage, stageWallet, state } from "./stage";

async function withProvider() {
  const staged = await stageWallet();
  return { ...staged, provider: staged.modal.getProvider("eip155") };
}

async function told(staged: Awaited<ReturnType<typeof withProvider>>, change = connected()) {
  staged.frame.send("state", state(change));
  await staged.frame.settled();
}

describe("provider", () => {
  it("answers eth_accounts from what is known", async () => {
    const staged = await withProvider();
    await told(staged);
    expect(await staged.provider.request({ method: "eth_accounts" })).toEqual([ADDRESS]);
  });

  it("has no accounts before one is connected", async () => {
    const { provider } = await withProvider();
    expect(await provider.request({ method: "eth_accounts" })).toEqual([]);
  });

  it("answers eth_chainId from what is known", async () => {
    const staged = await withProvider();
    await told(staged, { selectedNetworkId: "eip155:137", network: null });
    expect(await staged.provider.request({ method: "eth_chainId" })).toBe("0x89");
  });

  it("sends everything else to the frame", async () => {
    const { provider, frame } = await withProvider();
    provider.request({ method: "personal_sign", params: ["0x00", ADDRESS] }).catch(() => {});
    expect((await frame.next("request")).payload).toEqual({ namespace: "eip155", method: "personal_sign", params: ["0x00", ADDRESS] });
  });

  it("has the wallet's answer while the modal that asked the visitor is still open", async () => {
    const staged = await withProvider();
    const { frame, modal, provider } = staged;
    await told(staged, { ...connected(), open: true });
    const answer = provider.request({ method: "personal_sign" }).then(() => modal.isOpen());
    const { id } = await frame.next("request");
    staged.wallet.answers.personal_sign = () => "0x00";
    await frame.run(frame.command("wallet.request", { method: "personal_sign", params: [], request: id }));
    // The server closes the modal when it has heard of the answer.
    await told(staged);
    expect([await answer, modal.isOpen()]).toEqual([true, false]);
  });

  it("takes the frame's result", async () => {
    const { provider, frame } = await withProvider();
    const answer = provider.request({ method: "eth_blockNumber" });
    frame.send("result", { ok: true, value: "0x10", error: null }, (await frame.next("request")).id);
    expect(await answer).toBe("0x10");
  });

  it("rejects with code and message", async () => {
    const { provider, frame } = await withProvider();
    const answer = expect(provider.request({ method: "eth_sign" })).rejects.toMatchObject({ code: 4200, message: "No" });
    frame.send("result", { ok: false, value: null, error: { code: 4200, message: "No" } }, (await frame.next("request")).id);
    await answer;
  });

  it("gives why a contract refuses", async () => {
    const { provider, frame } = await withProvider();
    const answer = expect(provider.request({ method: "eth_call" })).rejects.toMatchObject({ code: 3, data: "0x1f" });
    const error = { code: 3, message: "execution reverted", data: "0x1f" };
    frame.send("result", { ok: false, value: null, error }, (await frame.next("request")).id);
    await answer;
  });

  it("gives what a wallet says of its failure, and keeps it from the server", async () => {
    const { provider, frame, wallet } = await withProvider();
    wallet.answers.eth_sendTransaction = () => Promise.reject(Object.assign(new Error("reverted"), { code: -32603, data: { data: "0x1f" } }));
    const answer = expect(provider.request({ method: "eth_sendTransaction" })).rejects.toMatchObject({ code: -32603, data: { data: "0x1f" } });
    const { id } = await frame.next("request");
    const reply = await frame.run(frame.command("wallet.request", { method: "eth_sendTransaction", params: [], request: id }));
    await answer;
    expect(reply.error).toEqual({ code: -32603, message: "reverted" });
  });

  it.each([() => {}, 1n, "x".repeat(300_000), undefined])("leaves out of an error what is no JSON or too large", async (data) => {
    const { provider, frame, wallet } = await withProvider();
    wallet.answers.personal_sign = () => Promise.reject(Object.assign(new Error("no"), { code: 4001, data }));
    const answer = provider.request({ method: "personal_sign" }).catch((error) => error);
    const { id } = await frame.next("request");
    await frame.run(frame.command("wallet.request", { method: "personal_sign", params: [], request: id }));
    expect(await answer).not.toHaveProperty("data");
  });

  it("takes an answer as long as a block with all its transactions", async () => {
    const { provider, frame } = await withProvider();
    const answer = provider.request({ method: "eth_getBlockByNumber" });
    frame.send("result", { ok: true, value: "0".repeat(5_000_000), error: null }, (await frame.next("request")).id);
    expect(await answer).toHaveLength(5_000_000);
  });

  it("knows the new network once a switch is settled, of a wallet that tells nothing of it", async () => {
    const { frame, wallet } = await withProvider();
    await frame.run(frame.command("wallet.connect", {}));
    wallet.answers.wallet_switchEthereumChain = () => {
      wallet.answers.eth_chainId = () => "0x89";
      return null;
    };
    const { epoch } = await frame.run(frame.command("wallet.request", { method: "wallet_switchEthereumChain", params: [{ chainId: "0x89" }] }));
    const told = frame.log.filter(({ type }) => type == "snapshot" || type == "reply").slice(-2);
    expect(told).toMatchObject([{ type: "snapshot", payload: { epoch, sessions: { eip155: { chain: "137" } } } }, { type: "reply" }]);
  });

  it("refuses more requests than the frame could keep until it is ready", async () => {
    const { provider } = await withProvider();
    const asked = Array.from({ length: 4097 }, () => provider.request({ method: "eth_blockNumber" }));
    asked.forEach((each) => each.catch(() => {}));
    await expect(asked.at(-1)).rejects.toMatchObject({ code: -32005 });
  });

  it("rejects parameters that are no JSON", async () => {
    const { provider } = await withProvider();
    await expect(provider.request({ method: "eth_call", params: [1n] })).rejects.toMatchObject({ code: -32602 });
  });

  it("rejects parameters that no server would read, and asks on", async () => {
    const { provider, frame } = await withProvider();
    const deep = Array(1000).fill(0).reduce((inner) => ({ inner }), {});
    await expect(provider.request({ method: "eth_signTypedData_v4", params: ["0x", deep] })).rejects.toMatchObject({ code: -32602 });
    void provider.request({ method: "eth_blockNumber" }).catch(() => {});
    expect((await frame.next("request")).payload.method).toBe("eth_blockNumber");
  });

  it("is settled by the wallet's answer to a command", async () => {
    const { provider, frame, wallet } = await withProvider();
    wallet.answers.personal_sign = () => "0xsigned";
    const answer = provider.request({ method: "personal_sign" });
    const { id } = await frame.next("request");
    await frame.run(frame.command("wallet.request", { method: "personal_sign", params: [], request: id }));
    expect(await answer).toBe("0xsigned");
  });

  it("is settled by a refusal of the server", async () => {
    const { provider, frame } = await withProvider();
    const answer = expect(provider.request({ method: "personal_sign" })).rejects.toMatchObject({ code: 4100 });
    const { id } = await frame.next("request");
    await frame.run(frame.command("host.settle", { request: id, ok: false, value: null, error: { code: 4100, message: "Policy" } }));
    await answer;
  });

  it("asks the wallet once for one request of the host", async () => {
    const { provider, frame, wallet } = await withProvider();
    wallet.answers.personal_sign = () => new Promise(() => {});
    provider.request({ method: "personal_sign" }).catch(() => {});
    const { id } = await frame.next("request");
    const params = { method: "personal_sign", params: [], request: id };
    frame.send("commands", { commands: [frame.command("wallet.request", params), frame.command("wallet.request", params)] });
    await frame.settled();
    expect(wallet.times("personal_sign")).toBe(1);
  });

  it("asks no wallet for a request that nobody waits for", async () => {
    const { frame } = await withProvider();
    const reply = await frame.run(frame.command("wallet.request", { method: "personal_sign", params: [], request: "77" }));
    expect(reply.error).toEqual({ code: -1, message: "orphaned" });
  });

  it("repeats what is unanswered to a frame that was reloaded", async () => {
    const { provider, frame } = await withProvider();
    provider.request({ method: "eth_blockNumber" }).catch(() => {});
    await frame.next("request");
    frame.ready();
    await vi.waitFor(() => expect(frame.log.filter(({ type }) => type == "request")).toHaveLength(2), PATIENCE);
  });

  it("does not repeat what a wallet is being asked", async () => {
    const { provider, frame, wallet } = await withProvider();
    wallet.answers.personal_sign = () => new Promise(() => {});
    provider.request({ method: "personal_sign" }).catch(() => {});
    const { id } = await frame.next("request");
    frame.send("commands", { commands: [frame.command("wallet.request", { method: "personal_sign", params: [], request: id })] });
    await frame.settled();
    frame.ready();
    await vi.waitFor(() => expect(frame.log.filter(({ type }) => type == "init")).toHaveLength(2), PATIENCE);
    await frame.settled();
    expect(frame.log.filter(({ type }) => type == "request")).toHaveLength(1);
  });

  it.each([
    ["connect", { chainId: "0x1" }],
    ["accountsChanged", [ADDRESS]],
  ])("emits %s when an account connects", async (event, value) => {
    const staged = await withProvider();
    const heard = vi.fn();
    staged.provider.on(event, heard);
    await told(staged);
    expect(heard.mock.calls).toEqual([[value]]);
  });

  it("emits connect with the account's network while another namespace is the active one", async () => {
    const staged = await withProvider();
    const heard = vi.fn();
    staged.provider.on("connect", heard).on("chainChanged", heard);
    await told(staged, { ...connected(), activeChain: "solana", selectedNetworkId: "solana:5eykt4", network: null });
    expect(heard.mock.calls).toEqual([[{ chainId: "0x1" }]]);
  });

  it.each(["accountsChanged", "chainChanged", "disconnect"])("emits no %s when the modal tells for the first time", async (event) => {
    const staged = await withProvider();
    const heard = vi.fn();
    staged.provider.on(event, heard);
    await told(staged, {});
    expect(heard).not.toHaveBeenCalled();
  });

  it("emits chainChanged when the network changes", async () => {
    const staged = await withProvider();
    const heard = vi.fn();
    staged.provider.on("chainChanged", heard);
    await told(staged);
    await told(staged, { ...connected(), selectedNetworkId: "eip155:137", network: null });
    expect(heard.mock.calls).toEqual([["0x89"]]);
  });

  it.each([undefined, null, "eth_chainId", {}, { method: 5 }])("rejects %j, which asks nothing", async (asked) => {
    const { provider } = await withProvider();
    await expect(provider.request(asked as never)).rejects.toMatchObject({
      code: -32600,
      message: "JSON is not a valid request object.",
    });
  });

  it("has the wallet asked for a transaction as large as the network takes it, with others beside it", async () => {
    const { provider, frame, wallet } = await withProvider();
    await frame.run(frame.command("wallet.connect", {}));
    const data = "0x" + "ab".repeat(130_000);
    const answer = provider.request({ method: "eth_sendTransaction", params: [{ from: ADDRESS, to: ADDRESS, data }] });
    const { id, payload } = await frame.next("request");
    wallet.answers.eth_sendTransaction = ({ params }: { params?: unknown }) => (params as [{ data: string }])[0].data.length;
    const { method, params } = payload as { method: string; params: unknown };
    const commands = [
      frame.command("wallet.request", { method: "personal_sign", params: ["0x" + "00".repeat(40_000)], request: "other" }),
      frame.command("wallet.request", { method, params, request: id }),
    ];
    frame.send("commands", { commands });
    expect(await answer).toBe(260_002);
  });

  it("says of a request that is larger than any message that it is too large", async () => {
    const { provider } = await withProvider();
    const params = [{ from: ADDRESS, data: "0x" + "ab".repeat(140_000) }];
    await expect(provider.request({ method: "eth_sendTransaction", params })).rejects.toMatchObject({
      code: -32005,
      message: "The request is too large",
    });
  });

  it("refuses more calls than any message carries as a bundle that is too large", async () => {
    const { provider } = await withProvider();
    const params = [{ calls: Array(10_000).fill({ to: ADDRESS }) }];
    await expect(provider.request({ method: "wallet_sendCalls", params })).rejects.toMatchObject({
      code: 5740,
      message: "The call bundle is too large for the Wallet to process.",
    });
  });

  it("emits accountsChanged when the account changes", async () => {
    const staged = await withProvider();
    await told(staged);
    const heard = vi.fn();
    staged.provider.on("accountsChanged", heard);
    await told(staged, connected({ address: OTHER }));
    expect(heard).toHaveBeenCalledWith([OTHER]);
  });

  it("emits disconnect when the account is gone", async () => {
    const staged = await withProvider();
    await told(staged);
    const heard = vi.fn();
    staged.provider.on("disconnect", heard);
    await told(staged, {});
    expect(heard.mock.calls[0]![0]).toMatchObject({ code: 4900 });
  });

  it("stops telling a listener that was removed", async () => {
    const staged = await withProvider();
    const heard = vi.fn();
    staged.provider.on("connect", heard).removeListener("connect", heard);
    await told(staged);
    expect(heard).not.toHaveBeenCalled();
  });

  it("tells the others when a listener throws", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const staged = await withProvider();
    const heard = vi.fn();
    staged.provider.on("connect", () => { throw new Error("host"); }).on("connect", heard);
    await told(staged);
    expect(heard).toHaveBeenCalled();
  });

  it("is announced by EIP-6963 when the host asks for that", async () => {
    const heard = vi.fn();
    addEventListener("eip6963:announceProvider", heard, { once: true });
    const { modal } = await stage({ announceProvider: true });
    expect(heard.mock.calls[0]![0].detail).toMatchObject({ info: { name: "WalletModal", uuid: expect.stringMatching(/^[\da-f-]{36}$/) }, provider: modal.getProvider("eip155") });
  });

  it("is announced with a picture that any page may show", async () => {
    const heard = vi.fn();
    addEventListener("eip6963:announceProvider", heard, { once: true });
    await stage({ announceProvider: true });
    const { icon } = heard.mock.calls[0]![0].detail.info;
    expect(icon).toMatch(/^data:image\/svg\+xml,[\w%.!~*'()-]+$/);
    const drawing = new DOMParser().parseFromString(decodeURIComponent(icon.split(",")[1]), "image/svg+xml");
    expect([drawing.querySelector("parsererror"), drawing.querySelectorAll("rect,path").length]).toEqual([null, 2]);
  });

  it("is not announced otherwise", async () => {
    const heard = vi.fn();
    addEventListener("eip6963:announceProvider", heard);
    await stage();
    removeEventListener("eip6963:announceProvider", heard);
    expect(heard).not.toHaveBeenCalled();
  });

  it("exists for the four namespaces only", async () => {
    const { modal } = await stage();
    expect(modal.getProvider("sui" as "eip155")).toBeUndefined();
  });

  const solana = { status: "connected", caipAddress: "solana:5eykt4:abc", address: "abc", balance: null, balanceSymbol: "SOL", balanceState: "loading", nativeBalance: null, profileName: null, profileImage: null } as const;

  it("of another namespace asks the server with its namespace", async () => {
    const { modal, frame } = await stage();
    modal.getProvider("solana").request({ method: "solana_signMessage", params: { message: "2" } }).catch(() => {});
    expect((await frame.next("request")).payload).toEqual({ namespace: "solana", method: "solana_signMessage", params: { message: "2" } });
  });

  it.each([
    ["connect", { chainId: "5eykt4" }],
    ["accountsChanged", ["abc"]],
  ])("of another namespace emits %s when its account connects", async (event, value) => {
    const staged = await withProvider();
    const heard = vi.fn();
    staged.modal.getProvider("solana").on(event, heard);
    await told(staged, { activeChain: "solana", selectedNetworkId: "solana:5eykt4", network: null, accounts: { solana } });
    expect(heard.mock.calls).toEqual([[value]]);
  });

  it("tells its chain when its wallet goes to another while the visitor looks elsewhere", async () => {
    const staged = await withProvider();
    const heard = vi.fn();
    staged.provider.on("chainChanged", heard);
    await told(staged, { ...connected(), activeChain: "solana", selectedNetworkId: "solana:5eykt4", network: null });
    const caipAddress = "eip155:137:" + ADDRESS;
    await told(staged, { ...connected({ caipAddress }), activeChain: "solana", selectedNetworkId: "solana:5eykt4", network: null });
    expect(heard.mock.calls).toEqual([["0x89"]]);
  });

  it("of eip155 stays on its chain while another namespace is active", async () => {
    const staged = await withProvider();
    await told(staged);
    const heard = vi.fn();
    staged.provider.on("chainChanged", heard).on("disconnect", heard);
    await told(staged, { ...connected(), activeChain: "solana", selectedNetworkId: "solana:5eykt4", network: null });
    expect(heard).not.toHaveBeenCalled();
  });

  it("rejects once the modal is destroyed", async () => {
    const { modal, provider } = await withProvider();
    const answer = expect(provider.request({ method: "eth_blockNumber" })).rejects.toMatchObject({ code: 4900 });
    modal.destroy();
    await answer;
  });

  it("asks nobody after that", async () => {
    const { modal, provider } = await withProvider();
    modal.destroy();
    await expect(provider.request({ method: "eth_blockNumber" })).rejects.toMatchObject({ code: 4900 });
  });
});

