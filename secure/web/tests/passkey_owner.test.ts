// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { base64url, concat, hex, unhex, utf8, type Bytes } from "../src/bytes";
import { clean, type Data, type DataObject } from "../src/clean";
import { FrameError, invalid } from "../src/errors";
import { addressesOf, base58, checksummed, keccak, signDigest, signSolana } from "../src/keys";
import type { Outcome, Wanted } from "../src/later/ceremony";
import { planPasskey, tellPasskeys } from "../src/passkey_owner";
import { readAssertion } from "../src/passkey_owner/assertion";
import { contractSignature, signerAddress, VERIFIER } from "../src/passkey_owner/signer";
import { readRequest } from "../src/requests";
import { answerRequest } from "../src/requests/answer";
import * as script from "../src/safe";
import { encodeCalls, decodeCalls } from "../src/safe/calls";
import { MODULE, SIGNER_FACTORY } from "../src/safe/contracts";
import type { Asked, Core, Plan, SafeScript, Signer } from "../src/scripts";
import { MemoryStore } from "../src/storage";
import { malformed, type User } from "../src/user";
import VECTOR from "./passkey_owners.json";
import MADE from "./safes.json";

const HOST = "wallet.example.com";
const ENTRY_POINT = "0x0000000071727De22E5E9d8BAf0edAc6f37da032";
const OTHER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const DIGEST = unhex(`0x${VECTOR.digest}`);
const POINT = { x: VECTOR.x, y: VECTOR.y };
const ID = Uint8Array.of(1, 2, 3);
const KEYS = { evm: unhex(MADE.key), solana: new Uint8Array(32).fill(1) };
const turn = { signal: new AbortController().signal, show: () => undefined, commit: () => undefined };

vi.mock("../src/cards/consent", () => ({
  askConsent: () => ({ card: document.createElement("main"), given: Promise.resolve(true), working: () => undefined, stop: () => undefined }),
}));

beforeEach(() => {
  vi.stubGlobal("location", { hostname: HOST });
  document.head.innerHTML = '<meta name="walletmodal-safe" content="eip155:1">';
});
afterEach(() => vi.unstubAllGlobals());

const client = (challenge: Uint8Array, rest = VECTOR.fields) => utf8(`{"type":"webauthn.get","challenge":"${base64url(Uint8Array.from(challenge))}",${rest}}`);
const outcome = (clientData: Bytes, authenticatorData: Bytes, signature: Bytes, id = ID): Outcome => ({
  credential: base64url(id),
  proof: { clientData: base64url(clientData), authenticatorData: base64url(authenticatorData), signature: base64url(signature) },
  secret: null,
  able: false,
});
const VECTOR_OUTCOME = outcome(client(DIGEST), unhex(`0x${VECTOR.authenticatorData}`), unhex(`0x${VECTOR.der}`));

/** Writes a signature as authenticators do. */
function der(signature: Uint8Array): Bytes {
  const numbers = [signature.slice(0, 32), signature.slice(32)].map((number) => {
    const digits = number.slice(number.findIndex((byte) => byte !== 0));
    const positive = (digits[0] as number) > 127 ? concat(Uint8Array.of(0), digits) : digits;
    return concat(Uint8Array.of(2, positive.length), positive);
  });
  const all = concat(...numbers);
  return concat(Uint8Array.of(0x30, all.length), all);
}

/** A passkey of an authenticator of our own. */
async function makePasskey() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const raw = hex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  const sha256 = async (bytes: Bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const use = async (challenge: Uint8Array, { flags = 5, host = HOST, id = ID } = {}): Promise<Outcome> => {
    const [data, said] = [concat(await sha256(utf8(host)), Uint8Array.of(flags, 0, 0, 0, 9)), client(challenge)];
    const signature = await crypto.subtle.sign(algorithm, pair.privateKey, concat(data, await sha256(said)));
    return outcome(said, data, der(new Uint8Array(signature)), id);
  };
  return { x: raw.slice(2, 66), y: raw.slice(66), use };
}

describe("the contract of a passkey", () => {
  it("is where the modal's server has it", () => {
    expect(checksummed(signerAddress(POINT, keccak))).toBe(VECTOR.signer);
  });

  it("is given a signature as the Safe takes it", async () => {
    const assertion = await readAssertion(VECTOR_OUTCOME, ID, DIGEST, POINT);
    expect(`0x${"00".repeat(12)}${contractSignature(VECTOR.signer, assertion)}`).toBe(VECTOR.signature);
  });
});

describe("what a passkey signs", () => {
  it("is taken whatever its numbers begin with", async () => {
    const { use, ...point } = await makePasskey();
    for (let each = 0; each < 20; each++) await expect(readAssertion(await use(DIGEST), ID, DIGEST, point)).resolves.toBeDefined();
  });

  it.each([
    ["of another operation", { challenge: new Uint8Array(32) }],
    ["without having verified its owner", { flags: 1 }],
    ["with nobody there", { flags: 4 }],
    ["for another site", { host: "evil.example" }],
    ["as another credential", { id: Uint8Array.of(9) }],
  ])("%s is refused", async (_, { challenge = DIGEST, ...changed }: { challenge?: Bytes; flags?: number; host?: string; id?: Uint8Array<ArrayBuffer> }) => {
    const { use, ...point } = await makePasskey();
    await expect(readAssertion(await use(challenge, changed), ID, DIGEST, point)).rejects.toThrow("another assertion");
  });

  it("with another key than the server tells of is refused", async () => {
    const { use } = await makePasskey();
    await expect(readAssertion(await use(DIGEST), ID, DIGEST, POINT)).rejects.toThrow("another key");
  });

  it("is refused where the key is no point of the curve", async () => {
    await expect(readAssertion(VECTOR_OUTCOME, ID, DIGEST, { x: POINT.x, y: POINT.x })).rejects.toThrow();
  });

  it.each([
    ["another order of what the browser says", { clientData: base64url(utf8(`{"challenge":"${base64url(DIGEST)}","type":"webauthn.get"}`)) }],
    ["no signature", { signature: base64url(Uint8Array.of(0x30, 0)) }],
    ["data that is cut", { authenticatorData: base64url(unhex(`0x${VECTOR.authenticatorData}`).slice(0, 36)) }],
    ["nothing", { clientData: "", authenticatorData: "", signature: "" }],
  ])("is refused with %s", async (_, changed) => {
    const proof = { ...VECTOR_OUTCOME.proof, ...changed };
    await expect(readAssertion({ ...VECTOR_OUTCOME, proof }, ID, DIGEST, POINT)).rejects.toThrow();
  });
});

const KNOWN = { credential: base64url(ID), ...POINT, name: "Chrome on Linux", createdAt: Date.UTC(2026, 10, 12, 12) };
const NAME = /^passkey of Chrome on Linux, made .*2026/;

const operationOf = (fields: object, signer?: string) => [{ ...MADE.operations.first, ...fields }, ENTRY_POINT, ...(signer ? [{ passkey: signer }] : [])];

/** A site that knows these passkeys, on a network where these contracts are; what the ceremonies are asked is put into `wanted`. */
function stage(keys: object[] = [KNOWN], { standing = [SIGNER_FACTORY, VERIFIER, MODULE], use = async (_: Wanted): Promise<Outcome> => VECTOR_OUTCOME } = {}) {
  const wanted: Wanted[] = [];
  const passkeyCard = () => ({
    ...{ card: document.createElement("main"), say: () => undefined, fail: () => undefined },
    use: (asked: Wanted) => (wanted.push(asked), use(asked)),
  });
  const core = {
    ...{ keccak, base58, checksummed, signDigest, signSolana, FrameError, invalid, malformed },
    loadSmartAccount: async () => script as SafeScript,
    loadLater: async () => ({ passkeyCard, loadPasskeyOwner: async () => ({ planPasskey, tellPasskeys }) }),
  } as unknown as Core;
  const codeOf = (address?: Data) => (standing.some((one) => one.toLowerCase() === String(address).toLowerCase()) ? "0x60" : "0x");
  const asked = (method: string, params: unknown): Asked => ({
    ...{ method, params: clean(params), chain: "eip155:1", origin: "https://shop.example", addresses: addressesOf(KEYS), store: new MemoryStore() },
    node: async (_, [address]: Data[] & Data) => codeOf(address),
    api: { call: async (path: string, body: { params: Data[] }) => (path === "/v1/passkeys/keys" ? clean({ keys }) : { result: codeOf(body.params[0]) }) } as unknown as Asked["api"],
  });
  const operate = (fields: object, signer?: string): Promise<Plan> =>
    (script as SafeScript).planRequest(asked("walletmodal_signUserOperation", operationOf(fields, signer)), core, readRequest);
  return { wanted, core, asked, operate, tell: () => script.readWallet(asked("walletmodal_accountType", [{ passkeys: true }]), core as never) };
}

const rows = ({ summary }: Plan) => Object.fromEntries(summary.sections.flatMap((section) => section.rows.map(({ label, value }) => [label, value])));
const ADDITION = { callData: VECTOR.addition };

describe("making a passkey an owner", () => {
  it("says which one will control the account, by which contract, and what it can do", async () => {
    const { summary } = await stage().operate(ADDITION);
    expect(summary.title).toBe("Add a passkey as an owner");
    expect(rows({ summary } as Plan)).toMatchObject({ "Will control this account": expect.stringMatching(NAME), "By its contract": VECTOR.signer });
    expect(summary.warnings.join()).toContain("without your wallet's key");
  });

  it("has the passkey used on the operation first, and the key sign then", async () => {
    const passkey = await makePasskey();
    const at = stage([{ ...KNOWN, x: passkey.x, y: passkey.y }], { use: (asked) => passkey.use(asked.challenge) });
    const word = (digits: string) => VECTOR.addition.replaceAll(VECTOR.x, passkey.x).replaceAll(VECTOR.y, passkey.y).replaceAll(VECTOR.signer.slice(2).toLowerCase(), digits);
    const plan = await at.operate({ callData: word(signerAddress(passkey, keccak).slice(2)) });
    expect(plan.passkey?.signs).toBe(false);
    expect(await plan.passkey?.use(turn)).toBeUndefined();
    expect(at.wanted).toEqual([{ kind: "get", challenge: expect.anything(), known: [ID], signs: true }]);
    expect((plan.sign(KEYS) as DataObject)["signature"]).toMatch(/^0x(?:00){12}/);
  });

  it("is refused where the passkey's key is not the one that the site tells of", async () => {
    const foreign = await makePasskey();
    const plan = await stage([KNOWN], { use: (asked) => foreign.use(asked.challenge) }).operate(ADDITION);
    await expect(plan.passkey?.use(turn)).rejects.toThrow("Nothing was signed");
  });

  const [create, add] = decodeCalls(unhex(VECTOR.addition))!;
  const calls = (...all: NonNullable<ReturnType<typeof decodeCalls>>) => ({ callData: `0x${hex(encodeCalls(all))}` });
  it.each([
    ["of a passkey that is not the wallet's", [], calls(create!, add!)],
    ["of another contract than the passkey's", [KNOWN], calls(create!, { ...add!, data: unhex(`0x${hex(add!.data).replace(VECTOR.signer.slice(2).toLowerCase(), OTHER.slice(2).toLowerCase())}`) })],
    ["verified by another contract", [KNOWN], calls({ ...create!, data: concat(create!.data.slice(0, 99), Uint8Array.of(1)) }, add!)],
    ["with coins", [KNOWN], calls({ ...create!, value: 1n }, add!)],
    ["with a call behind", [KNOWN], calls(create!, add!, { to: OTHER, value: 1n, data: new Uint8Array() })],
  ])("%s is refused", async (_, keys, fields) => {
    await expect(stage(keys as object[]).operate(fields as object)).rejects.toThrow("hand over the smart account");
  });

  it("is refused on a network that verifies no passkey", async () => {
    await expect(stage([KNOWN], { standing: [SIGNER_FACTORY, MODULE] }).operate(ADDITION)).rejects.toThrow("on this network");
  });
});

describe("an operation that a passkey signs", () => {
  it("is signed by its contract, after the visitor has read who signs", async () => {
    const passkey = await makePasskey();
    const signer = signerAddress(passkey, keccak);
    const plan = await stage([{ ...KNOWN, x: passkey.x, y: passkey.y }], { use: (asked) => passkey.use(asked.challenge) }).operate({}, signer);
    expect(rows(plan)).toMatchObject({ "Signed by": expect.stringMatching(NAME) });
    const signed = (await plan.passkey?.use(turn)) as DataObject;
    expect(signed["signature"]).toMatch(new RegExp(`^0x(?:00){24}${signer.slice(2)}`));
  });

  it("needs nothing of the device: its transfers need not wait, and no half of the key is asked for", async () => {
    const passkey = await makePasskey();
    const { core, asked } = stage([{ ...KNOWN, x: passkey.x, y: passkey.y }], { use: (wanted) => passkey.use(wanted.challenge) });
    const { method, params, chain, addresses, api, store } = asked("walletmodal_signUserOperation", operationOf({}, signerAddress(passkey, keccak)));
    const user: User = { id: "u", email: "", wallet: addresses, device: true, escrow: true, frozenUntil: null, heldUntil: Date.now() + 1e6 };
    const signer = { api, store, custody: {}, login: {} } as unknown as Signer;
    const signed = await answerRequest({ method, params, chain, hint: null, site: "https://shop.example" }, user, turn, signer, core);
    expect(signed).toMatchObject({ signature: expect.stringContaining(signerAddress(passkey, keccak).slice(2)) });
  });

  it("takes no other passkey's signature", async () => {
    const plan = await stage().operate({}, VECTOR.signer);
    await expect(plan.passkey?.use(turn)).rejects.toThrow("Nothing was signed");
  });

  it("is refused where the passkey is none of the wallet's", async () => {
    await expect(stage([]).operate({}, VECTOR.signer)).rejects.toThrow("none of your wallet");
  });
});

describe("the passkeys that can be owners", () => {
  it("are told by their keys, and nothing of their credentials", async () => {
    expect(await stage().tell()).toMatchObject({ passkeys: [{ ...POINT, name: KNOWN.name, createdAt: KNOWN.createdAt }] });
    expect(JSON.stringify(await stage().tell())).not.toContain(KNOWN.credential);
  });

  it("are none where the network verifies none", async () => {
    expect(await stage([KNOWN], { standing: [MODULE] }).tell()).toMatchObject({ passkeys: [] });
  });
});
