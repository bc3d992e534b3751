/** Keys of a recovery password: argon2id, so that each guess costs time and 64 MiB. */
import { argon2idAsync } from "@noble/hashes/argon2.js";
import type { Bytes } from "../bytes";

const COST = { t: 3, m: 64 * 1024, p: 1, dkLen: 64, version: 0x13, asyncTick: 20 };
const KEY = 32;

/** What the server compares, and what seals the password's half: neither tells the other, nor the password. */
export interface Derived {
  auth: Bytes;
  key: Bytes;
}

/** Derives both; the same password spelled in another form of Unicode gives the same. */
export async function derive(password: string, salt: Bytes): Promise<Derived> {
  const made = await argon2idAsync(password.normalize("NFKC"), salt, COST);
  const derived = { auth: Uint8Array.from(made.slice(0, KEY)), key: Uint8Array.from(made.slice(KEY)) };
  made.fill(0);
  return derived;
}
