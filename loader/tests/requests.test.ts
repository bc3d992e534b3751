import { describe, expect, it, vi } from "vitest";
import { fromBase58, toBase58, toBase64 } from "../src/wallets/encoding";
import { connect, connected, conventions, placed, type Convention } from "./conventions";
import {
  BITCOIN, DEVNET, MAINNET, never, PAYMENT, POLKADOT, PolkadotExtension, RELAY, SOLANA, SOLANA_OTHER, StandardWallet, TAPROOT,
} from "./doubles";

async function solana(change: (wallet: StandardWallet) => void = () => {}) {
  const staged = await placed(conventions.solana, change);
  await connect(staged.frame, conventions.solana);
  const ask = (method: string, params: unknown, chain = "solana:" + MAINNET) =>
    staged.frame.run(staged.frame.command("wallet.request", { namespace: "solana", connector: "Sol", chain, method, params }));
  return { ...staged, ask };
}

/** A transaction with one signature, of the account whose key is given. */
const transactionOf = (key: Uint8Array, signature = new Uint8Array(64)) =>
  Uint8Array.from([1, ...signature, 0x80, 1, 0, 0, 1, ...key, ...new Uint8Array(32), 0, 0]);

describe("Solana requests", () => {
  it("signs a message", async () => {
    const { ask } = await solana((wallet) => {
      wallet.features["solana:signMessage"] = { signMessage: ({ message }: any) => [{ signature: Uint8Array.from([...message, 7]) }] };
    });
    const reply = await ask("solana_signMessage", { message: toBase58(Uint8Array.from([1, 2])), pubkey: SOLANA });
    expect(reply.value).toEqual({ signature: toBase58(Uint8Array.from([1, 2, 7])) });
  });

  it("signs for no account that the wallet has not opened", async () => {
    const { ask } = await solana((wallet) => { wallet.features["solana:signMessage"] = { signMessage: never }; });
    expect((await ask("solana_signMessage", { message: "2", pubkey: SOLANA_OTHER })).error!.code).toBe(4100);
  });

  it("signs in by the wallet's own sign-in, and tells the text that it wrote", async () => {
    const signIn = vi.fn((_input: any) => [{ signedMessage: Uint8Array.from([1, 2]), signature: Uint8Array.from([7]), account: {} }]);
    const { ask } = await solana((wallet) => { wallet.features["solana:signIn"] = { signIn }; });
    const input = { domain: "app.example", address: SOLANA, nonce: "12345678" };
    expect((await ask("solana_signIn", { input })).value).toEqual({ signature: toBase58(Uint8Array.from([7])), message: toBase58(Uint8Array.from([1, 2])) });
    expect(signIn).toHaveBeenCalledWith(input);
  });

  it("signs a transaction, and tells the account's signature on it", async () => {
    const key = fromBase58(SOLANA);
    const signature = new Uint8Array(64).fill(9);
    const { ask } = await solana((wallet) => {
      wallet.features["solana:signTransaction"] = { signTransaction: () => [{ signedTransaction: transactionOf(key, signature) }] };
    });
    const reply = await ask("solana_signTransaction", { transaction: toBase64(transactionOf(key)), pubkey: SOLANA });
    expect(reply.value).toEqual({ signature: toBase58(signature), transaction: toBase64(transactionOf(key, signature)) });
  });

  it("signs several transactions at once", async () => {
    const { ask } = await solana((wallet) => {
      wallet.features["solana:signTransaction"] = { signTransaction: (...inputs: any[]) => inputs.map(({ transaction }) => ({ signedTransaction: transaction })) };
    });
    const transactions = [1, 2].map((fill) => toBase64(transactionOf(new Uint8Array(32).fill(fill))));
    expect((await ask("solana_signAllTransactions", { transactions })).value).toEqual({ transactions });
  });

  it("signs and sends on the network that is meant", async () => {
    const send = vi.fn((_input: any) => [{ signature: new Uint8Array(64).fill(3) }]);
    const { ask } = await solana((wallet) => {
      wallet.holds[0]!.chains = ["solana:mainnet", "solana:devnet"];
      wallet.features["solana:signAndSendTransaction"] = { signAndSendTransaction: send };
    });
    await ask("solana_signAndSendTransaction", { transaction: "AA==", sendOptions: { skipPreflight: true } }, "solana:" + DEVNET);
    expect(send.mock.calls[0]![0]).toMatchObject({ chain: "solana:devnet", options: { skipPreflight: true } });
  });

  it("sends nothing on a network that the account is not on", async () => {
    const { ask } = await solana((wallet) => { wallet.features["solana:signAndSendTransaction"] = { signAndSendTransaction: never }; });
    expect((await ask("solana_signAndSendTransaction", { transaction: "AA==" }, "solana:" + DEVNET)).error!.code).toBe(4901);
  });

  it.each([
    ["a sign-in that the wallet lacks", "solana_signIn", { input: {} }, 4200],
    ["a feature that the wallet lacks", "solana_signMessage", { message: "2", pubkey: SOLANA }, 4200],
    ["a method that is none", "toString", {}, -32602],
    ["no parameters", "solana_signMessage", null, -32602],
    ["a message that is no base58", "solana_signMessage", { message: "0OIl", pubkey: SOLANA }, -32602],
    ["a message too long to be one", "solana_signMessage", { message: "2".repeat(20_000), pubkey: SOLANA }, -32602],
    ["a transaction that is no base64", "solana_signTransaction", { transaction: "%" }, -32602],
    ["transactions that are no list", "solana_signAllTransactions", { transactions: 1 }, -32602],
  ])("refuses %s", async (_, method, params, code) => {
    const { ask } = await solana();
    expect((await ask(method, params)).error!.code).toBe(code);
  });

  it("believes no signature that is no bytes", async () => {
    const { ask } = await solana((wallet) => { wallet.features["solana:signMessage"] = { signMessage: () => [{ signature: "x" }] }; });
    expect((await ask("solana_signMessage", { message: "2", pubkey: SOLANA })).error!.code).toBe(-32603);
  });

  it("tells the network of an account that is on another", async () => {
    const { frame } = await placed(conventions.solana, (wallet) => { wallet.holds[0].chains = ["solana:devnet"]; });
    expect((await connect(frame, conventions.solana, { chain: "solana:" + MAINNET })).value).toMatchObject({ chain: DEVNET });
  });
});

async function bitcoin(convention: Convention, change: (wallet: any) => void = () => {}) {
  const staged: Awaited<ReturnType<typeof placed>> & { wallet: any } = await placed(convention, change);
  await connect(staged.frame, convention);
  const ask = (method: string, params: unknown) =>
    staged.frame.run(staged.frame.command("wallet.request", { namespace: "bip122", connector: convention.id, chain: "bip122:" + BITCOIN, method, params }));
  return { ...staged, ask };
}

describe("Bitcoin requests", () => {
  const { "Bitcoin by Wallet Standard": standard, "Bitcoin by window.btc_providers": rpc, "Bitcoin by window.unisat": unisat } = conventions as unknown as Record<string, Convention>;
  const message = { message: "hello", address: PAYMENT, protocol: "bip322" };

  it.each([
    ["Wallet Standard", standard!, (wallet: any) => { wallet.features["bitcoin:signMessage"] = { signMessage: () => [{ signature: Uint8Array.from([1, 2]) }] }; }, "AQI="],
    ["btc_providers", rpc!, (wallet: any) => { wallet.answers.signMessage = () => ({ result: { signature: "c2ln" } }); }, "c2ln"],
    ["unisat", unisat!, () => {}, "c2lnbmVk"],
  ])("signs a message with %s", async (_, convention, change, signature) => {
    const { ask } = await bitcoin(convention, change);
    expect((await ask("signMessage", message)).value).toEqual({ address: PAYMENT, signature });
  });

  it("names the protocol to wallets that have several", async () => {
    const { ask, wallet } = await bitcoin(unisat!);
    await ask("signMessage", message);
    expect(wallet.signMessage).toHaveBeenCalledWith("hello", "bip322-simple");
  });

  it("lists addresses with what they are for", async () => {
    const { ask } = await bitcoin(rpc!);
    expect((await ask("getAccountAddresses", {})).value).toEqual([
      { address: PAYMENT, publicKey: "02ff", intention: "payment" },
      { address: TAPROOT, publicKey: "02ff", intention: "ordinal" },
    ]);
  });

  it("sends satoshis", async () => {
    const { ask, wallet } = await bitcoin(unisat!);
    await ask("sendTransfer", { recipientAddress: TAPROOT, amount: "1500", account: PAYMENT });
    expect(wallet.sendBitcoin).toHaveBeenCalledWith(TAPROOT, 1500);
  });

  it("signs a PSBT and broadcasts it", async () => {
    const { ask } = await bitcoin(unisat!);
    expect((await ask("signPsbt", { psbt: "cHNidP8B", signInputs: [{ address: PAYMENT, index: 0 }], broadcast: true })).value).toEqual({ psbt: "cHNidP8B", txid: "pushed" });
  });

  it("names the inputs to sign by address", async () => {
    const sign = vi.fn((_params: any) => ({ result: { psbt: "cHNidP8B" } }));
    const { ask } = await bitcoin(rpc!, (wallet) => { wallet.answers.signPsbt = sign; });
    await ask("signPsbt", { psbt: "cHNidP8B", signInputs: [{ address: PAYMENT, index: 0 }, { address: PAYMENT, index: 2 }] });
    expect(sign.mock.calls[0]![0]).toEqual({ psbt: "cHNidP8B", signInputs: { [PAYMENT]: [0, 2] }, broadcast: false });
  });

  it.each([
    ["an amount that is no whole number", "sendTransfer", { recipientAddress: TAPROOT, amount: "1.5" }, -32602],
    ["an amount of nothing", "sendTransfer", { recipientAddress: TAPROOT, amount: "0" }, -32602],
    ["a recipient that is none", "sendTransfer", { recipientAddress: "0x12", amount: "1" }, -32602],
    ["a PSBT that is none", "signPsbt", { psbt: 7 }, -32602],
    ["inputs that are none", "signPsbt", { psbt: "AA==", signInputs: [{ index: 0 }] }, -32602],
    ["a protocol that is none", "signMessage", { ...message, protocol: "x" }, -32602],
    ["a message that is none", "signMessage", { ...message, message: 7 }, -32602],
    ["an unknown method", "toString", {}, -32602],
  ])("refuses %s", async (_, method, params, code) => {
    const { ask } = await bitcoin(unisat!);
    expect((await ask(method, params)).error!.code).toBe(code);
  });

  it("says that a wallet has no means to send", async () => {
    const { ask } = await bitcoin(standard!);
    expect((await ask("sendTransfer", { recipientAddress: TAPROOT, amount: "1" })).error!.code).toBe(4200);
  });

  it("never says mainnet of an address of a test network", async () => {
    const { frame } = await placed(unisat!, (wallet) => { wallet.requestAccounts = async () => ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"]; });
    expect((await connect(frame, unisat!, { chain: "bip122:" + BITCOIN })).value).toMatchObject({ chain: "000000000933ea01ad0ee984209779ba" });
  });
});

describe("Polkadot requests", () => {
  async function polkadot() {
    const staged = await connected(conventions.polkadot as unknown as Convention);
    const ask = (method: string, params: unknown) =>
      staged.frame.run(staged.frame.command("wallet.request", { namespace: "polkadot", connector: "polkadot:talisman", chain: "polkadot:" + RELAY, method, params }));
    return { ...staged, ask, extension: staged.wallet as unknown as PolkadotExtension };
  }

  it("signs a message, given in hex", async () => {
    const { ask, extension } = await polkadot();
    await ask("polkadot_signMessage", { address: POLKADOT, message: "0x41" });
    expect(extension.signRaw).toHaveBeenCalledWith({ address: POLKADOT, data: "0x30783431", type: "bytes" });
  });

  it("answers the signature", async () => {
    const { ask } = await polkadot();
    expect((await ask("polkadot_signMessage", { address: POLKADOT, message: "hi" })).value).toEqual({ signature: "0x" + "ab".repeat(64) });
  });

  it.each([
    ["an account that is not open", "polkadot_signMessage", { address: SOLANA, message: "hi" }, 4100],
    ["a message that is none", "polkadot_signMessage", { address: POLKADOT, message: 7 }, -32602],
    ["another method", "polkadot_signTransaction", {}, -32602],
  ])("refuses %s", async (_, method, params, code) => {
    const { ask } = await polkadot();
    expect((await ask(method, params)).error!.code).toBe(code);
  });

  it("tells the extension whose page asks", async () => {
    const { extension } = await polkadot();
    expect(extension.enable).toHaveBeenCalledWith("https://host.example");
  });
});
