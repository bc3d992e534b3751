import { afterEach, describe, expect, it, vi } from "vitest";
import { base64url, hex, random } from "../src/bytes";
import { forget, openWith, perform, sealFor, signedChallenge, type Wanted } from "../src/later/ceremony";

const SECRET = random(32);
const signal = new AbortController().signal;
const GET: Wanted = { kind: "get", challenge: random(32), known: [random(16)] };
const CREATE: Wanted = { kind: "create", challenge: random(32), known: [random(16)], site: "Shop", user: { id: random(16), name: "kim@example.org" } };

/** What an authenticator gives. */
const made = (response: object, prf?: object) => ({
  rawId: Uint8Array.of(1, 2, 3).buffer,
  response: { clientDataJSON: Uint8Array.of(4).buffer, ...response },
  getClientExtensionResults: () => (prf ? { prf } : {}),
});
const attested = { attestationObject: Uint8Array.of(5).buffer };
const asserted = { authenticatorData: Uint8Array.of(6).buffer, signature: Uint8Array.of(7).buffer };

/** A browser whose authenticator gives these; returns what it was asked. */
function browser(create: object | null, get: object | null) {
  const credentials = { create: vi.fn(async (_options: unknown) => create), get: vi.fn(async (_options: unknown) => get) };
  vi.stubGlobal("navigator", { credentials });
  return (kind: "create" | "get") => (credentials[kind].mock.calls[0]?.[0] as { publicKey: Record<string, unknown> }).publicKey;
}

afterEach(() => vi.unstubAllGlobals());

describe("a ceremony", () => {
  it("makes a passkey that stays with its owner, is verified, and is none of those that are known", async () => {
    const asked = browser(made(attested, { enabled: true }), null);
    await perform(CREATE, signal);
    const { authenticatorSelection, attestation, excludeCredentials, user, rp } = asked("create");
    expect(authenticatorSelection).toEqual({ residentKey: "required", requireResidentKey: true, userVerification: "required" });
    expect([attestation, rp, (user as { displayName: string }).displayName]).toEqual(["none", { name: "Shop" }, "kim@example.org"]);
    expect(excludeCredentials).toEqual([{ type: "public-key", id: CREATE.known[0] }]);
  });

  it("uses one of those that are known, by its verified owner", async () => {
    const asked = browser(null, made(asserted));
    await perform(GET, signal);
    const { allowCredentials, userVerification, challenge } = asked("get");
    expect([allowCredentials, userVerification, challenge]).toEqual([[{ type: "public-key", id: GET.known[0] }], "required", GET.challenge]);
  });

  it("has an owner's signature made of what it is given, and no secret told", async () => {
    const asked = browser(null, made(asserted));
    await perform({ ...GET, signs: true }, signal);
    const { challenge, extensions } = asked("get");
    expect([challenge, extensions]).toEqual([GET.challenge, {}]);
  });

  it("never signs what a server names: that could be an operation of a Safe", async () => {
    // As Python's hashlib has it.
    expect(hex(await signedChallenge("A".repeat(43)))).toBe("0dc5163553973f083ec97b18c5afe833f89cb9061fb4495f0c71277b9689f04d");
  });

  it.each([
    ["made", CREATE, attested, { clientData: "BA", attestation: "BQ" }],
    ["used", GET, asserted, { clientData: "BA", authenticatorData: "Bg", signature: "Bw" }],
    ["used and says whose it is", GET, { ...asserted, userHandle: Uint8Array.of(8).buffer }, { clientData: "BA", authenticatorData: "Bg", signature: "Bw", userHandle: "CA" }],
  ] as const)("tells the server of a passkey that was %s, and nothing of its secret", async (_, wanted, response, proof) => {
    const given = made(response, { enabled: true, results: { first: SECRET.buffer } });
    browser(given, given);
    const outcome = await perform(wanted, signal);
    expect([outcome.credential, outcome.proof, outcome.secret]).toEqual(["AQID", proof, SECRET]);
    expect(JSON.stringify(outcome.proof)).not.toContain(base64url(SECRET));
  });

  it.each([
    ["none", undefined, false],
    ["one once it is used", { enabled: true }, true],
    ["none of the length", { results: { first: random(16).buffer } }, true],
  ])("that gives %s is told apart", async (_, prf, able) => {
    browser(made(attested, prf), null);
    const outcome = await perform(CREATE, signal);
    expect([outcome.secret, outcome.able]).toEqual([null, able]);
  });

  it("that the browser refuses is refused", async () => {
    vi.stubGlobal("navigator", { credentials: { get: () => Promise.reject(new DOMException("no", "NotAllowedError")) } });
    await expect(perform(GET, signal)).rejects.toThrow("no");
  });
});

describe("a half", () => {
  it("is opened by the secret that has sealed it, each time sealed anew", async () => {
    const half = random(16);
    const [first, second] = [await sealFor(SECRET, half, "kim"), await sealFor(SECRET, half, "kim")];
    expect(first).toHaveLength(44);
    expect(first).not.toEqual(second);
    expect(await openWith(SECRET, first, "kim")).toEqual(half);
  });

  it.each([
    ["another secret", random(32), "kim", 0],
    ["another's context", SECRET, "eve", 0],
    ["one byte changed", SECRET, "kim", 1],
  ] as const)("stays shut for %s", async (_, secret, context, change) => {
    const box = await sealFor(SECRET, random(16), "kim");
    box[20]! ^= change;
    await expect(openWith(secret, box, context)).rejects.toThrow();
  });
});

describe("a passkey of no use", () => {
  it("is told to the browser, where it listens", () => {
    const signalUnknownCredential = vi.fn(async () => undefined);
    vi.stubGlobal("location", { hostname: "secure.example" });
    vi.stubGlobal("PublicKeyCredential", { signalUnknownCredential });
    forget("AQID");
    expect(signalUnknownCredential).toHaveBeenCalledWith({ rpId: "secure.example", credentialId: "AQID" });
    vi.stubGlobal("PublicKeyCredential", {});
    expect(() => forget("AQID")).not.toThrow();
  });
});
