/**
 * The contract whose code an account takes over as a smart account (EIP-7702): its address, and its `execute`, which makes calls in the
 * account's name (ERC-7579).
 */
import { hex, unhex, type Bytes } from "../bytes";
import type { Call } from "../requests/calls";
import { addressWord, bytesTail, word, Words } from "./abi";

/** EIP7702StatelessDeleGator 1.3.0: owned by the account's own key, keeps nothing. */
export const DELEGATE = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B";
export const NOBODY = `0x${"0".repeat(40)}`;
const DESIGNATOR = "ef0100";
const EXECUTE = "e9ae5c53";
const BATCH = `01${"0".repeat(62)}`;
const SINGLE = "0".repeat(64);

/** To whom an account is delegated, by its code: "" for nobody, null for a contract that is no delegation. */
export function delegateOf(code: string): string | null {
  const digits = code.toLowerCase().replace(/^0x/, "");
  if (!digits) return "";
  return digits.length === 46 && digits.startsWith(DESIGNATOR) ? `0x${digits.slice(6)}` : null;
}

export const delegation = (delegate: string): string => `0x${DESIGNATOR}${delegate.slice(2).toLowerCase()}`;

/** Encodes `execute(bytes32 mode, bytes data)`: one call packed, several as an array, all or none. */
export function encodeExecute(calls: readonly Call[]): Bytes {
  const first = calls[0] as Call;
  const data = calls.length === 1 ? first.to.slice(2).toLowerCase() + word(first.value) + hex(first.data) : encodeBatch(calls);
  return unhex(`0x${EXECUTE}${calls.length === 1 ? SINGLE : BATCH}${word(64)}${bytesTail(data)}`);
}

function encodeBatch(calls: readonly Call[]): string {
  const entries = calls.map(({ to, value, data }) => addressWord(to) + word(value) + word(96) + bytesTail(hex(data)));
  let at = entries.length * 32;
  const places = entries.map((entry) => {
    const place = word(at);
    at += entry.length / 2;
    return place;
  });
  return word(32) + word(entries.length) + places.join("") + entries.join("");
}

/** Reads the calls of an `execute`; null for anything else, and for what is not encoded as above: another reader might see other calls. */
export function decodeExecute(data: Uint8Array): Call[] | null {
  const digits = hex(data);
  if (!digits.startsWith(EXECUTE)) return null;
  try {
    const reader = new Words(digits.slice(8));
    const mode = reader.digits(0, 32);
    const [start, length] = [96, reader.number(64)];
    const content = reader.digits(start, length);
    const calls = mode === SINGLE ? [readPacked(content)] : mode === BATCH ? readBatch(content) : [];
    return calls.length && hex(encodeExecute(calls)) === digits ? calls : null;
  } catch {
    return null;
  }
}

/** The calls that are made in the end: a call of the account's own `execute` makes those of its own. Deeper than `levels` it stays closed. */
export const openCalls = (calls: readonly Call[], account: string, levels = 3): Call[] =>
  calls.flatMap((call) => {
    const inner = levels && call.to.toLowerCase() === account.toLowerCase() && !call.value && decodeExecute(call.data);
    return inner ? openCalls(inner, account, levels - 1) : [call];
  });

function readPacked(content: string): Call {
  const reader = new Words(content);
  return { to: `0x${reader.digits(0, 20)}`, value: BigInt(`0x${reader.digits(20, 32)}`), data: unhex(`0x${content.slice(104)}`) };
}

function readBatch(content: string): Call[] {
  const reader = new Words(content);
  return Array.from({ length: Math.min(reader.number(32), 1000) }, (_, index) => {
    const at = 64 + reader.number(64 + index * 32);
    const data = at + reader.number(at + 64);
    return {
      to: `0x${reader.digits(at + 12, 20)}`,
      value: BigInt(`0x${reader.digits(at + 32, 32)}`),
      data: unhex(`0x${reader.digits(data + 32, reader.number(data))}`),
    };
  });
}
