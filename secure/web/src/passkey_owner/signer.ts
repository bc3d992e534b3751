/** The contract by which a passkey is an owner of a Safe (safe-passkey 0.2.0): where it is, what makes it, and how it is given a signature. */
import { concat, hex, unhex, type Bytes } from "../bytes";
import { SIGNER_FACTORY } from "../safe/contracts";
import type { Core } from "../scripts";
import { addressWord, bytesTail, word } from "../smart_account/abi";

const SINGLETON = "0x270D7E4a57E6322f336261f3EaE2BADe72E68d72";
/** Verifies where the network has no precompile for that. */
export const VERIFIER = "0x445a0683e494ea0c5AF3E83c5159fBE47Cf9e765";
/** The precompile (RIP-7212, EIP-7951), then the contract. */
const VERIFIERS = word((0x100n << 160n) | BigInt(VERIFIER));
/** `createSigner(uint256,uint256,uint176)`. */
const CREATE_SIGNER = "0d2f0489";
/** `SafeWebAuthnSignerProxy`, before its arguments. */
const PROXY =
  "61010060405234801561001157600080fd5b506040516101ee3803806101ee83398101604081905261003091610058565b6001600160a01b0390931660805260a0" +
  "9190915260c0526001600160b01b031660e0526100bc565b6000806000806080858703121561006e57600080fd5b84516001600160a01b03811681146100855760" +
  "0080fd5b60208601516040870151606088015192965090945092506001600160b01b03811681146100b157600080fd5b939692955090935050565b60805160a051" +
  "60c05160e05160ff6100ef60003960006008015260006031015260006059015260006080015260ff6000f3fe608060408190527f00000000000000000000000000" +
  "000000000000000000000000000000000000003660b681018290527f000000000000000000000000000000000000000000000000000000000000000060a0820181" +
  "90527f00000000000000000000000000000000000000000000000000000000000000008285018190527f0000000000000000000000000000000000000000000000" +
  "0000000000000000009490939192600082376000806056360183885af490503d6000803e8060c3573d6000fd5b503d6000f3fea2646970667358221220ddd9bb05" +
  "9ba7a6497d560ca97aadf4dbf0476f578378554a50d41c6bb654beae64736f6c63430008180033";

/** A point of P-256: its two numbers, 32 bytes each, as hexadecimal digits. */
export interface Point {
  x: string;
  y: string;
}

/** The address of a passkey's contract, the same on every network (CREATE2), in small letters. */
export function signerAddress({ x, y }: Point, keccak: Core["keccak"]): string {
  const made = keccak(unhex(`0x${PROXY}${addressWord(SINGLETON)}${x}${y}${VERIFIERS}`));
  return `0x${hex(keccak(concat(Uint8Array.of(0xff), unhex(SIGNER_FACTORY), new Uint8Array(32), made)).subarray(12))}`;
}

/** What the factory is called with to make it. */
export const creation = ({ x, y }: Point): string => `${CREATE_SIGNER}${x}${y}${VERIFIERS}`;

/** What an authenticator has signed; `fields`: of what the browser says, what follows the challenge. */
export interface Assertion {
  authenticatorData: Bytes;
  fields: Bytes;
  /** r and s. */
  signature: Bytes;
}

/** Writes it as the Safe takes it from a contract among its owners. */
export function contractSignature(signer: string, { authenticatorData, fields, signature }: Assertion): string {
  const data = bytesTail(hex(authenticatorData));
  const own = word(128) + word(128 + data.length / 2) + hex(signature) + data + bytesTail(hex(fields));
  return `${addressWord(signer)}${word(65)}00${word(own.length / 2)}${own}`;
}
