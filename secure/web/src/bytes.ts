/** Bytes and their spellings. Every reader is strict: what is malformed throws. */

export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export const utf8 = (text: string): Bytes => encoder.encode(text);

export const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));

export function concat(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function xor(one: Uint8Array, other: Uint8Array): Bytes {
  if (one.length !== other.length) throw new Error("lengths differ");
  return Uint8Array.from(one, (byte, at) => byte ^ (other[at] as number));
}

/** Overwrites secrets. Best effort: the engine may have copied them. */
export function wipe(...secrets: (Uint8Array | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0);
}

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Reads `0x` and an even number of hexadecimal digits. */
export function unhex(text: string): Bytes {
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(text)) throw new Error("no hexadecimal bytes");
  return Uint8Array.from(text.slice(2).match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function binary(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

export const base64 = (bytes: Uint8Array): string => btoa(binary(bytes));

/** Reads base64 in its one canonical spelling, padding included. */
export function unbase64(text: string): Bytes {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (base64(bytes) !== text) throw new Error("no canonical base64");
  return bytes;
}

export const base64url = (bytes: Uint8Array): string => base64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** Reads base64url without padding; with `length`, of exactly so many bytes. */
export function unbase64url(text: string, length?: number): Bytes {
  if (!/^[\w-]*$/.test(text)) throw new Error("no base64url");
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  if (length !== undefined && bytes.length !== length) throw new Error("wrong length");
  return bytes;
}
