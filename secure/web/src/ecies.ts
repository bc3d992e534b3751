/** Sealing to a P-256 key: ephemeral point (65 bytes), iv (12), AES-256-GCM ciphertext; the key by HKDF-SHA256 of the shared x. */
import { concat, random, utf8, type Bytes } from "./bytes";

const CURVE = { name: "ECDH", namedCurve: "P-256" };
const POINT = 65;
const IV = 12;

export const oneTimeKey = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);

export const rawPoint = async (key: CryptoKey): Promise<Bytes> => new Uint8Array(await crypto.subtle.exportKey("raw", key));

const importPoint = (point: Bytes): Promise<CryptoKey> => crypto.subtle.importKey("raw", point, CURVE, false, []);

async function cipherKey(own: CryptoKey, theirs: CryptoKey, ephemeral: Bytes, purpose: string): Promise<CryptoKey> {
  const shared = await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, own, 256);
  const material = await crypto.subtle.importKey("raw", shared, "HKDF", false, ["deriveKey"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: ephemeral, info: utf8(purpose) };
  return crypto.subtle.deriveKey(hkdf, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

/** Seals to `point`; `purpose` and `context` must be the same at the opening. */
export async function sealTo(point: Bytes, secret: Bytes, purpose: string, context: string): Promise<Bytes> {
  const [own, theirs] = await Promise.all([oneTimeKey(), importPoint(point)]);
  const ephemeral = await rawPoint(own.publicKey);
  const key = await cipherKey(own.privateKey, theirs, ephemeral, purpose);
  const iv = random(IV);
  const box = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: utf8(context) }, key, secret);
  return concat(ephemeral, iv, new Uint8Array(box));
}

/** Opens what was sealed to our own key. */
export async function openSealed(own: CryptoKey, sealed: Bytes, purpose: string, context: string): Promise<Bytes> {
  const ephemeral = sealed.slice(0, POINT);
  const key = await cipherKey(own, await importPoint(ephemeral), ephemeral, purpose);
  const iv = sealed.slice(POINT, POINT + IV);
  const cipher = { name: "AES-GCM", iv, additionalData: utf8(context) };
  return new Uint8Array(await crypto.subtle.decrypt(cipher, key, sealed.slice(POINT + IV)));
}
