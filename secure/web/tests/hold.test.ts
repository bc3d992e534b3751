// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import { base64url, utf8 } from "../src/bytes";
import type { Card } from "../src/cards/card";
import { Device } from "../src/device";
import { FrameError, rejected } from "../src/errors";
import { endHold } from "../src/later/hold";
import { isLarge } from "../src/later/sums";
import { answerRequest } from "../src/requests/answer";
import { addressesOf, base58, checksummed, deriveKeys, keccak, signDigest, signSolana, type Addresses } from "../src/keys";
import type { Core, Signer } from "../src/scripts";
import { MemoryStore } from "../src/storage";
import { malformed, type User } from "../src/user";
import { failure, Server, type Handler } from "./server";

const UNTIL = Date.UTC(2031, 4, 6, 7, 8);
const CREDENTIAL = base64url(utf8("credential"));
const ASSERTED = { credential: CREDENTIAL, proof: { signature: "signed" } };

const asked: { card: Card; shownBefore: number }[] = [];
const shown: HTMLElement[] = [];

vi.mock("../src/cards/consent", () => ({
  askConsent: (card: Card) => {
    asked.push({ card, shownBefore: shown.length });
    return { card: document.createElement("main"), given: Promise.resolve(true), working: () => undefined, stop: () => undefined };
  },
}));
vi.mock("../src/later/passkey_card", () => ({
  passkeyCard: () => ({ card: document.createElement("main"), use: async () => ASSERTED }),
}));

beforeEach(() => {
  asked.length = shown.length = 0;
  document.head.replaceChildren();
});

const turn = {
  signal: new AbortController().signal,
  show: (card: HTMLElement) => void shown.push(card),
  commit: () => undefined,
};
const close = () => shown.at(-1)?.querySelector<HTMLElement>("[data-testid=hold-close]")?.click();
const words = () => shown.at(-1)?.textContent ?? "";

async function open(hold: Handler, answers: Record<string, Handler> = {}) {
  const addresses = addressesOf(await deriveKeys(new Uint8Array(16).fill(5)));
  const user: User = { id: "u", email: "", wallet: addresses, device: true, escrow: true, frozenUntil: null, heldUntil: UNTIL };
  const server = new Server({
    "/v1/wallet/hold": hold,
    "/v1/passkeys/prove": () => ({ challenge: base64url(new Uint8Array(32)), credentials: [CREDENTIAL] }),
    "/v1/passkeys/proved": () => ({ proof: "the proof" }),
    "/v1/wallet/hold/lift": () => ({ user: { ...user, heldUntil: null } }),
    ...answers,
  });
  const api = new Api(await Device.open(new MemoryStore()));
  const took = vi.fn();
  const halves: object[] = [];
  const custody = {
    serverHalf: async (use: string, measured: object) => void halves.push({ use, ...measured }),
    withKeys: async (_: User, sign: (keys: unknown) => unknown, half: () => Promise<unknown>) => (await half(), sign(await deriveKeys(new Uint8Array(16).fill(5)))),
  };
  const signer = { api, custody, login: { took } } as unknown as Signer;
  return { server, signer, took, halves, user, addresses };
}

const WAITS = (passkey: boolean): Handler => () => ({ heldUntil: UNTIL, passkey });
const FITS: Handler = () => ({ heldUntil: null, passkey: false });
const CORE = { keccak, base58, checksummed, signDigest, signSolana, FrameError, rejected, malformed, loadLater: async () => ({ endHold, isLarge }) } as unknown as Core;

function send({ signer, user, addresses }: { signer: Signer; user: User; addresses: Addresses }, method = "eth_sendTransaction", text = "Good morning") {
  const fields = { to: addresses.evm, value: "0x1", nonce: "0x0", gas: "0x5208", maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1" };
  const params = method === "personal_sign" ? [text, addresses.evm] : [fields];
  return answerRequest({ method, params, chain: "eip155:1", hint: null, site: "https://shop.example" }, user, turn, signer, CORE);
}

describe("a transfer that has to wait", () => {
  it("is told so, until when and what ends it, before anything is approved", async () => {
    const site = await open(WAITS(false));
    const failed = failure(send(site));
    await vi.waitFor(() => expect(words()).toContain("Transfers from this device wait"));
    expect(words()).toMatch(/until .*2031/);
    expect(words()).toContain("On a device that had your wallet before");
    close();
    expect(await failed).toMatchObject({ code: 4001, reason: "held" });
    expect([asked, site.halves]).toEqual([[], []]);
  });

  it("goes on once a passkey was used", async () => {
    const site = await open(WAITS(true), { "/v1/rpc": () => ({ result: "0x1" }) });
    await send(site);
    expect(site.server.calls.find(({ path }) => path === "/v1/passkeys/proved")?.body["purpose"]).toBe("hold");
    expect(site.server.calls.find(({ path }) => path === "/v1/wallet/hold/lift")?.body).toEqual({ proof: "the proof" });
    expect(site.took).toHaveBeenCalledWith(expect.objectContaining({ heldUntil: null }));
    expect(asked.map(({ shownBefore }) => shownBefore)).toEqual([1]);
  });
});

describe("a transfer that is small enough", () => {
  it("is measured by the server before it is approved, and again when its half is given out", async () => {
    const site = await open(FITS, { "/v1/rpc": () => ({ result: "0x1" }) });
    await send(site);
    const { chain, transactions } = site.server.calls.find(({ path }) => path === "/v1/wallet/hold")?.body ?? {};
    expect([chain, transactions]).toEqual(["eip155:1", [expect.any(String)]]);
    expect(site.halves).toEqual([{ use: "transfer", chain, transactions }]);
  });
});

describe("a message", () => {
  it("does not wait, and is measured by nobody", async () => {
    const site = await open(WAITS(false));
    expect(await send(site, "personal_sign")).toMatch(/^0x/);
    expect(site.server.paths()).toEqual([]);
    expect(site.halves).toEqual([{ use: "sign" }]);
  });
});

describe("a message that nobody can read", () => {
  it("waits as a transfer does: it may be the hash of one", async () => {
    const site = await open(WAITS(false));
    const failed = failure(send(site, "personal_sign", `0x${"8f".repeat(32)}`));
    await vi.waitFor(() => expect(words()).toContain("Transfers from this device wait"));
    close();
    expect(await failed).toMatchObject({ code: 4001, reason: "held" });
    expect([asked, site.halves]).toEqual([[], []]);
  });
});

describe("a request of somebody who waits for nothing", () => {
  it("asks the server for nothing more", async () => {
    const site = await open(WAITS(false), { "/v1/rpc": () => ({ result: "0x1" }) });
    await send({ ...site, user: { ...site.user, heldUntil: null } });
    expect(site.server.paths()).toEqual(["/v1/rpc"]);
  });

  it("is asked about in a window of its own above the operator's amounts", async () => {
    const meta = document.createElement("meta");
    Object.assign(meta, { name: "walletmodal-window-above", content: "eip155:1=1" });
    document.head.append(meta);
    const site = await open(FITS, { "/v1/rpc": () => ({ result: "0x1" }) });
    await send({ ...site, user: { ...site.user, heldUntil: null } });
    expect(asked.map(({ card }) => card.apart)).toEqual([true]);
  });
});
