/** Ceremonies of passkeys (W3C WebAuthn), and the key that a passkey alone gives (its extension PRF). */
import { base64url, concat, random, unbase64url, utf8, type Bytes } from "../bytes";
import { text } from "../clean";

const PRF_INPUT = utf8("walletmodal passkey 1");
/** What a Safe takes for its owner's consent never begins with it. */
const SIGNED_PREFIX = utf8("walletmodal passkey challenge 1");
const WAIT = 5 * 60_000;
/** ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257];

/** What is asked of the browser. Plain data: a window takes it as it is. */
export type Wanted =
  | { kind: "create"; challenge: Bytes; known: Bytes[]; site: string; user: { id: Bytes; name: string } }
  /** `signs`: the challenge is what the passkey signs as an owner, and its secret is not asked for. */
  | { kind: "get"; challenge: Bytes; known: Bytes[]; signs?: true };

/** What came of it. */
export interface Outcome {
  credential: string;
  /** For the server, base64url; nothing of the passkey's secret. */
  proof: Record<string, string>;
  /** The secret that this passkey gives here alone, 32 bytes; null where it gives none. */
  secret: Bytes | null;
  /** Whether it gives one when it is used. */
  able: boolean;
}

/**
 * What a passkey signs for a challenge of the server's: never the challenge itself, which could be the hash of an operation of a Safe
 * that the passkey owns.
 */
export async function signedChallenge(given: unknown): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", concat(SIGNED_PREFIX, unbase64url(text(given) ?? "", 32))));
}

/** Has the browser carry it out; raises what the browser raises. */
export async function perform(wanted: Wanted, signal: AbortSignal): Promise<Outcome> {
  const { challenge, known } = wanted;
  const isOwner = wanted.kind === "get" && wanted.signs;
  const extensions = (isOwner ? {} : { prf: { eval: { first: PRF_INPUT } } }) as AuthenticationExtensionsClientInputs;
  const list = known.map((id): PublicKeyCredentialDescriptor => ({ type: "public-key", id }));
  const common = { challenge, timeout: WAIT, extensions };
  const made =
    wanted.kind === "create"
      ? await navigator.credentials.create({
          publicKey: {
            ...common,
            rp: { name: wanted.site },
            user: { ...wanted.user, displayName: wanted.user.name },
            pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
            authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
            excludeCredentials: list,
            attestation: "none",
          },
          signal,
        })
      : await navigator.credentials.get({ publicKey: { ...common, allowCredentials: list, userVerification: "required" }, signal });
  return read(made as PublicKeyCredential);
}

function read(made: PublicKeyCredential): Outcome {
  const response = made.response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse;
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
  const credential = base64url(new Uint8Array(made.rawId));
  const parts: Record<string, ArrayBuffer> = attestationObject
    ? { clientData: clientDataJSON, attestation: attestationObject }
    : { clientData: clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) };
  const proof = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, base64url(new Uint8Array(value))]));
  const { prf } = made.getClientExtensionResults() as { prf?: { enabled?: boolean; results?: { first?: BufferSource } } };
  const first = prf?.results?.first;
  const secret = first ? new Uint8Array(first instanceof ArrayBuffer ? first.slice(0) : (first as Bytes)) : null;
  return { credential, proof, secret: secret?.length === 32 ? secret : null, able: secret !== null || prf?.enabled === true };
}

/** Tells the browser that a passkey is of no use here, so that it offers it no more; not every browser listens. */
export function forget(credential: string): void {
  const tell = (PublicKeyCredential as { signalUnknownCredential?: (options: object) => Promise<void> }).signalUnknownCredential;
  void tell?.call(PublicKeyCredential, { rpId: location.hostname, credentialId: credential }).catch(() => undefined);
}

async function keyOf(secret: Bytes): Promise<CryptoKey> {
  const raw = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: PRF_INPUT };
  return crypto.subtle.deriveKey(derivation, raw, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

const cipher = (iv: Bytes, context: string) => ({ name: "AES-GCM", iv, additionalData: utf8(context) });

/** Seals a half under the secret of a passkey or a password: `nonce (12) ‖ ciphertext (32)`, AES-256-GCM; `context` is authenticated with it. */
export async function sealFor(secret: Bytes, half: Bytes, context: string): Promise<Bytes> {
  const iv = random(12);
  const sealed = new Uint8Array(await crypto.subtle.encrypt(cipher(iv, context), await keyOf(secret), half));
  return Uint8Array.from([...iv, ...sealed]);
}

/** Opens what was sealed; throws for another secret's or another context's. */
export async function openWith(secret: Bytes, box: Bytes, context: string): Promise<Bytes> {
  const opened = crypto.subtle.decrypt(cipher(box.slice(0, 12), context), await keyOf(secret), box.slice(12));
  return new Uint8Array(await opened);
}
