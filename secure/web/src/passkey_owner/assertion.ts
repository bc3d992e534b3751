/** What a passkey signs as an owner: looked at before anybody takes it, as nobody else's word of its public key counts. */
import { base64url, concat, unbase64url, unhex, utf8, type Bytes } from "../bytes";
import type { Outcome } from "../later/ceremony";
import type { Assertion, Point } from "./signer";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
/** Present, and verified. */
const FLAGS = 0x05;

const sha256 = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** Reads the outcome of a ceremony whose challenge was `digest`; throws for what the passkey with this key has not signed of it. */
export async function readAssertion({ credential, proof }: Outcome, id: Bytes, digest: Uint8Array, { x, y }: Point): Promise<Assertion> {
  const [clientData, authenticatorData, der] = ["clientData", "authenticatorData", "signature"].map((name) => unbase64url(proof[name] ?? "")) as [Bytes, Bytes, Bytes];
  // The contract writes what stands before, and the brace after it.
  const before = utf8(`{"type":"webauthn.get","challenge":"${base64url(digest)}",`);
  const isAsked = credential === base64url(id) && startsWith(clientData, before) && clientData.at(-1) === 0x7d;
  const isOwn = startsWith(authenticatorData, await sha256(utf8(location.hostname))) && ((authenticatorData[32] as number) & FLAGS) === FLAGS;
  if (!isAsked || !isOwn || authenticatorData.length < 37) throw new Error("another assertion");
  const signature = readDer(der);
  const key = await crypto.subtle.importKey("raw", unhex(`0x04${x}${y}`), ALGORITHM, false, ["verify"]);
  if (!(await crypto.subtle.verify(ALGORITHM, key, signature, concat(authenticatorData, await sha256(clientData))))) throw new Error("another key");
  return { authenticatorData, fields: clientData.slice(before.length, -1), signature };
}

const startsWith = (bytes: Bytes, start: Bytes): boolean => start.every((byte, at) => bytes[at] === byte);

/** Reads a signature of ECDSA (DER); returns r and s, 32 bytes each. */
function readDer(der: Bytes): Bytes {
  const signature = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] as number;
    const number = der.slice(at + 2, (at += 2 + length));
    // A number whose first bit is set has a zero before it.
    const digits = number[0] === 0 ? number.slice(1) : number;
    if (!digits.length || digits.length > 32) throw new Error("no signature");
    signature.set(digits, end - digits.length);
  }
  if (at !== der.length) throw new Error("no signature");
  return signature;
}
