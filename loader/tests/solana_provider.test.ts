import { describe, expect, it } from "vitest";
import { toBase58, toBase64 } from "../src/wallets/encoding";
import { stage, state } from "./stage";

const KEY = new Uint8Array(32).fill(7);
const ADDRESS = toBase58(KEY);
const SIGNATURE = new Uint8Array(64).fill(9);

/** A transaction without a version, as @solana/web3.js has it; nothing but what the provider may use. */
class Legacy {
  constructor(readonly bytes: Uint8Array) {}
  static from = (bytes: Uint8Array) => new Legacy(bytes);
  serialize = (how?: { requireAllSignatures: boolean; verifySignatures: boolean }) => {
    if (how?.requireAllSignatures !== false || how.verifySignatures !== false) throw new Error("it is not signed yet");
    return this.bytes;
  };
}

class Versioned {
  readonly version = 0;
  constructor(readonly bytes: Uint8Array) {}
  static deserialize = (bytes: Uint8Array) => new Versioned(bytes);
  serialize = () => this.bytes;
}

const bytes = (...values: number[]) => Uint8Array.from(values);

async function connected() {
  const { modal, frame } = await stage();
  const account = { status: "connected", caipAddress: "solana:5eykt4:" + ADDRESS, address: ADDRESS, balance: null, balanceSymbol: "SOL", balanceState: "loading", nativeBalance: null, profileName: null, profileImage: null } as const;
  frame.send("state", state({ activeChain: "solana", selectedNetworkId: "solana:5eykt4", network: null, accounts: { solana: account } }));
  await frame.settled();
  const provider = modal.getProvider("solana");
  /** What the server hears of a request, once it has answered it. */
  async function answered(value: unknown) {
    const { id, payload } = await frame.next("request");
    frame.send("result", { ok: true, value, error: null }, id);
    return payload;
  }
  return { modal, frame, provider, answered };
}

describe("the provider of Solana", () => {
  it("has no key before a wallet is connected", async () => {
    expect((await stage()).modal.getProvider("solana").publicKey).toBeNull();
  });

  it("has the key of the account", async () => {
    const { publicKey } = (await connected()).provider;
    expect([publicKey!.toBase58(), String(publicKey), publicKey!.toBytes()]).toEqual([ADDRESS, ADDRESS, KEY]);
  });

  it("connects as a request, and gives the address", async () => {
    const { provider, answered } = await connected();
    const connecting = provider.connect();
    expect(await answered([{ pubkey: ADDRESS }])).toEqual({ namespace: "solana", method: "solana_requestAccounts", params: {} });
    expect(await connecting).toBe(ADDRESS);
  });

  it("disconnects its own namespace", async () => {
    const { provider, frame } = await connected();
    void provider.disconnect().catch(() => {});
    expect((await frame.next("call")).payload).toEqual({ method: "disconnect", params: { namespace: "solana" } });
  });

  it("signs the bytes of a message", async () => {
    const { provider, answered } = await connected();
    const signing = provider.signMessage(new TextEncoder().encode("Grüße"));
    const { method, params } = await answered({ signature: toBase58(SIGNATURE) });
    expect([method, params]).toEqual(["solana_signMessage", { message: toBase58(new TextEncoder().encode("Grüße")), pubkey: ADDRESS }]);
    expect(await signing).toEqual(SIGNATURE);
  });

  it.each([Legacy, Versioned])("signs a transaction and gives one of the same kind: %o", async (Kind) => {
    const { provider, answered } = await connected();
    const signing = provider.signTransaction(new Kind(bytes(1, 2)));
    expect(await answered({ transaction: toBase64(bytes(3, 4)) })).toMatchObject({ method: "solana_signTransaction", params: { transaction: "AQI=" } });
    const signed = await signing;
    expect(signed).toBeInstanceOf(Kind);
    expect(signed.bytes).toEqual(bytes(3, 4));
  });

  it("signs several, each in its place and of its kind", async () => {
    const { provider, answered } = await connected();
    const signing = provider.signAllTransactions<Legacy | Versioned>([new Legacy(bytes(1)), new Versioned(bytes(2))]);
    await answered({ transactions: [toBase64(bytes(3)), toBase64(bytes(4))] });
    expect((await signing).map((each) => [each.constructor, ...each.bytes])).toEqual([[Legacy, 3], [Versioned, 4]]);
  });

  it("has the wallet send", async () => {
    const { provider, answered } = await connected();
    const sending = provider.signAndSendTransaction(new Versioned(bytes(1)), { skipPreflight: true });
    expect(await answered({ signature: "5ig" })).toMatchObject({ params: { transaction: "AQ==", sendOptions: { skipPreflight: true } } });
    expect(await sending).toBe("5ig");
  });

  it("has the host's connection send what was signed", async () => {
    const { provider, answered } = await connected();
    const sent: unknown[] = [];
    const connection = { sendRawTransaction: async (...given: unknown[]) => (sent.push(...given), "5ig") };
    const sending = provider.sendTransaction(new Versioned(bytes(1)), connection, { maxRetries: 1 });
    await answered({ transaction: toBase64(bytes(2)) });
    expect([await sending, ...sent]).toEqual(["5ig", bytes(2), { maxRetries: 1 }]);
  });

  it.each(["signMessage", "signTransaction", "signAndSendTransaction"] as const)("%s without an account is refused", async (method) => {
    const provider = (await stage()).modal.getProvider("solana");
    await expect(provider[method](new Versioned(bytes(1)) as never)).rejects.toMatchObject({ code: 4100 });
  });

  it("rejects when the wallet answers with nonsense", async () => {
    const { provider, answered } = await connected();
    const signing = expect(provider.signTransaction(new Versioned(bytes(1)))).rejects.toMatchObject({ code: -32602 });
    await answered({ transaction: "not base64!" });
    await signing;
  });
});
