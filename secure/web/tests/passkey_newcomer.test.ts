import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import { base64url, random, unbase64url, xor, type Bytes } from "../src/bytes";
import { Custody } from "../src/custody";
import { Device } from "../src/device";
import { oneTimeKey, rawPoint } from "../src/ecies";
import { FrameError } from "../src/errors";
import type { Parts } from "../src/frame";
import { addressesOf, deriveKeys } from "../src/keys";
import { openWith, type Wanted } from "../src/later/ceremony";
import { addPasskey, connectByPasskey } from "../src/later/passkeys";
import { Login } from "../src/login";
import { Screen } from "../src/screen";
import { MemoryStore } from "../src/storage";
import { failure, refusal, Server, type Handler } from "./server";

const ID = base64url(random(16));
const CHALLENGE = random(32);
const SECRET = random(32);

const asked: Wanted[] = [];

vi.mock("../src/later/passkey_card", () => ({
  passkeyCard: () => ({
    card: { children: [] },
    use: async (wanted: Wanted) => {
      asked.push(wanted);
      // Who has no passkey takes the link below.
      if (wanted.kind === "get") throw new FrameError("Another way", undefined, "instead");
      return { credential: "AQID", proof: { clientData: "BA", attestation: "BQ" }, secret: SECRET.slice(), able: true };
    },
  }),
}));

vi.mock("../src/scripts", async (original) => ({ ...(await original<object>()), loadAccount: () => import("../src/account") }));

const forgotten = vi.fn(async () => undefined);

beforeEach(() => {
  asked.length = 0;
  forgotten.mockClear();
  vi.stubGlobal("document", { body: { replaceChildren: () => undefined }, getElementById: () => null, querySelector: () => ({ content: "Example" }) });
  vi.stubGlobal("location", { hostname: "wallet.example" });
  vi.stubGlobal("ResizeObserver", class { observe() {} disconnect() {} });
  vi.stubGlobal("PublicKeyCredential", { signalUnknownCredential: forgotten });
});

async function newcomer(made: Handler) {
  const server = new Server({
    "/v1/login/passkey": () => ({ challenge: base64url(random(32)) }),
    "/v1/login/passkey/new": () => ({ challenge: base64url(CHALLENGE), user: ID }),
    "/v1/login/passkey/made": made,
    "/v1/wallet/half": () => ({ half: sent().wallet["deviceHalf"] }),
    "/v1/passkeys/add": () => ({ challenge: base64url(CHALLENGE), credentials: [] }),
    "/v1/passkeys/added": () => [502, "<html>"],
  });
  const store = new MemoryStore();
  const device = await Device.open(store);
  const api = new Api(device);
  const recoveryKey = base64url(await rawPoint((await oneTimeKey()).publicKey));
  const custody = new Custody(store, device, api, recoveryKey);
  const login = new Login(api, store, custody, () => undefined);
  const parts = { api, custody, login, screen: new Screen(() => undefined), store } as unknown as Parts;
  const sent = () => server.calls.find(({ path }) => path.endsWith("/made"))!.body as unknown as Record<string, string> & { wallet: Record<string, string> };
  return { server, store, login, custody, parts, sent };
}

const user = ({ wallet }: Record<string, unknown>) => ({ id: ID, email: "", wallet, device: true, escrow: false, frozenUntil: null, heldUntil: null });
const makes: Handler = (body) => ({ session: "s", user: user(body) });

describe("a newcomer with a passkey", () => {
  it("is logged in to a wallet that this device can open", async () => {
    const { login, custody, parts } = await newcomer(makes);
    await connectByPasskey(parts);
    const owner = await login.userWithWallet();
    expect([owner.id, await custody.holds(owner)]).toEqual([ID, true]);
  });

  it("has a passkey made under the account's name, for the challenge of the site", async () => {
    const { parts } = await newcomer(makes);
    await connectByPasskey(parts);
    expect(asked[1]).toEqual({ kind: "create", challenge: CHALLENGE, known: [], site: "Example", user: { id: unbase64url(ID), name: "Example" } });
  });

  it("gets a set of halves that the passkey opens, and that is the wallet", async () => {
    const { parts, sent } = await newcomer(makes);
    await connectByPasskey(parts);
    const own = (await openWith(SECRET, unbase64url(sent()["box"]!), `passkey:${ID}:AQID`)) as Bytes;
    const { evm, solana } = addressesOf(await deriveKeys(xor(own, unbase64url(sent()["half"]!, 16))));
    expect(sent().wallet).toMatchObject({ evm, solana });
  });

  it("gives nothing into escrow: nobody could be mailed a code", async () => {
    const { parts, sent } = await newcomer(makes);
    await connectByPasskey(parts);
    expect(sent().wallet["escrow"]).toBeUndefined();
  });

  it("keeps no passkey where this browser can keep no half of the wallet", async () => {
    const { parts, store } = await newcomer(makes);
    vi.spyOn(store, "put").mockRejectedValue(new DOMException("full", "QuotaExceededError"));
    await expect(connectByPasskey(parts)).rejects.toThrow();
    expect(forgotten).toHaveBeenCalledOnce();
  });

  it("keeps the passkey where the answer was lost: it may be a wallet's", async () => {
    const { parts, server } = await newcomer(makes);
    server.lost.push("/v1/login/passkey/made");
    expect((await failure(connectByPasskey(parts))).reason).toBe("unreachable");
    expect(forgotten).not.toHaveBeenCalled();
  });

  it.each([
    ["a gateway answers in the site's place", () => [502, "<html>"]],
    ["the database did not say whether it has it", () => refusal(503, "unavailable")],
    ["the browser has sent the call twice", () => refusal(401, "replayed")],
    ["the answer cannot be read", () => ({ session: "s" })],
  ] satisfies [string, Handler][])("keeps the passkey where %s: a wallet may have no other way", async (_, made) => {
    const { parts } = await newcomer(made);
    await failure(connectByPasskey(parts));
    expect(forgotten).not.toHaveBeenCalled();
  });

  it("keeps the passkey where the browser does not write down how they are logged in", async () => {
    const { parts, store } = await newcomer(makes);
    const put = store.put.bind(store);
    vi.spyOn(store, "put").mockImplementation((key, value) => (key === "social" ? Promise.reject(new DOMException("full", "QuotaExceededError")) : put(key, value)));
    await expect(connectByPasskey(parts)).rejects.toThrow();
    expect(forgotten).not.toHaveBeenCalled();
  });

  it("keeps another passkey, too, where a gateway answers in the site's place: it may be on the list", async () => {
    const { parts } = await newcomer(makes);
    await connectByPasskey(parts);
    await failure(addPasskey(parts));
    expect(asked.map(({ kind }) => kind)).toEqual(["get", "create", "create"]);
    expect(forgotten).not.toHaveBeenCalled();
  });
});
