/** This device: two keys that no script can take away. One signs every call to the server, one seals what is kept here. */
import { base64url, random, utf8, type Bytes } from "./bytes";
import type { Store } from "./storage";

export interface Sealed {
  iv: Bytes;
  box: Bytes;
}

interface Keys {
  sealing: CryptoKey;
  signing: CryptoKey;
  /** The raw P-256 point, base64url: the device's name at the server. */
  id: string;
}

export class Device {
  readonly #keys: Keys;

  private constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Takes the keys of this browser and partition, made on the first visit. */
  static async open(store: Store): Promise<Device> {
    const kept = (await store.get("device")) as Keys | undefined;
    return new Device(kept ?? ((await store.add("device", await makeKeys())) as Keys));
  }

  get id(): string {
    return this.#keys.id;
  }

  /** Signs a text: ECDSA P-256 with SHA-256, r || s. */
  async sign(text: string): Promise<Bytes> {
    return new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, this.#keys.signing, utf8(text)));
  }

  async seal(secret: Bytes, context: string): Promise<Sealed> {
    const iv = random(12);
    const cipher = { name: "AES-GCM", iv, additionalData: utf8(context) };
    return { iv, box: new Uint8Array(await crypto.subtle.encrypt(cipher, this.#keys.sealing, secret)) };
  }

  /** Opens what was sealed for the same context; throws for any other. */
  async unseal({ iv, box }: Sealed, context: string): Promise<Bytes> {
    const cipher = { name: "AES-GCM", iv, additionalData: utf8(context) };
    return new Uint8Array(await crypto.subtle.decrypt(cipher, this.#keys.sealing, box));
  }
}

async function makeKeys(): Promise<Keys> {
  const [sealing, signing] = await Promise.all([
    crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]),
    crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]),
  ]);
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", signing.publicKey));
  return { sealing, signing: signing.privateKey, id: base64url(point) };
}
