/** The contracts of Safe 1.4.1 with its ERC-4337 module 0.3.0, at their public addresses, and where the Safe of a key is. */
import { concat, hex, unhex, type Bytes } from "../bytes";
import { addressWord, bytesTail, word } from "../smart_account/abi";
import { NOBODY } from "../smart_account/delegator";
import type { Core } from "../scripts";

type Hash = Core["keccak"];

const SINGLETON = "0x41675C099F32341bf84BFc5382aF534df5C7461a";
const FACTORY = "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67";
/** Of the code that makes a proxy of this singleton. */
const PROXY_CODE_HASH = "0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb";
const SETUP = "0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47";
/** Through which a Safe takes user operations, and tells whether a signature is its own. */
export const MODULE = "0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226";
export const MULTI_SEND = "0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526";

/** Makes the contracts by which passkeys are owners (safe-passkey 0.2.0); in small letters. */
export const SIGNER_FACTORY = "0xf7488ffbe67327ac9f37d5f722d83fc900852fbf";

export const HANDS_OVER = "it could hand over the smart account";

const SALT = word(0);
/** `setup(address[],uint256,address,bytes,address,address,uint256,address)`, `enableModules(address[])`, `createProxyWithNonce(address,bytes,uint256)`. */
const [SET_UP, ENABLE_MODULES, CREATE] = ["b63e800d", "8d0dc49f", "1688f0b9"];

/** What makes the Safe whose one owner is the key: it turns the module on, and answers through it. */
function initializer(owner: string): string {
  const enable = ENABLE_MODULES + word(32) + word(1) + addressWord(MODULE);
  const owners = word(1) + addressWord(owner);
  const head = [word(256), word(1), addressWord(SETUP), word(256 + owners.length / 2), addressWord(MODULE), addressWord(NOBODY), word(0), addressWord(NOBODY)];
  return SET_UP + head.join("") + owners + bytesTail(enable);
}

/** The address of a key's Safe, the same on every network (CREATE2), in small letters. */
export function safeAddress(owner: string, keccak: Hash): string {
  const salt = keccak(concat(keccak(unhex(`0x${initializer(owner)}`)), unhex(`0x${SALT}`)));
  const made = keccak(concat(Uint8Array.of(0xff), unhex(FACTORY), salt, unhex(PROXY_CODE_HASH)));
  return `0x${hex(made.subarray(12))}`;
}

/** The factory and what it is called with to make a key's Safe. */
export const factoryCall = (owner: string): { factory: string; factoryData: Bytes } => ({
  factory: FACTORY,
  factoryData: unhex(`0x${CREATE}${addressWord(SINGLETON)}${word(96)}${SALT}${bytesTail(initializer(owner))}`),
});
