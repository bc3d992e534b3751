/** What the module has a Safe do: `executeUserOp`, of one call, or of several through MultiSend. */
import { hex, unhex, type Bytes } from "../bytes";
import type { Call } from "../requests/calls";
import { addressWord, bytesTail, word, Words } from "../smart_account/abi";
import { MULTI_SEND } from "./contracts";

/** `executeUserOp(address,uint256,bytes,uint8)`, `multiSend(bytes)`. */
const [EXECUTE, SEND_SEVERAL] = ["7bb37428", "8d80ff0a"];
const [CALL, DELEGATE_CALL] = [0, 1];

export function encodeCalls(calls: readonly Call[]): Bytes {
  const [first, ...others] = calls as [Call, ...Call[]];
  if (!others.length) return execute(first.to, first.value, hex(first.data), CALL);
  const packed = calls.map(({ to, value, data }) => `00${to.slice(2).toLowerCase()}${word(value)}${word(data.length)}${hex(data)}`).join("");
  return execute(MULTI_SEND, 0n, SEND_SEVERAL + word(32) + bytesTail(packed), DELEGATE_CALL);
}

const execute = (to: string, value: bigint, data: string, operation: number): Bytes =>
  unhex(`0x${EXECUTE}${addressWord(to)}${word(value)}${word(128)}${word(operation)}${bytesTail(data)}`);

/**
 * Reads the calls; null for anything else, and for what is not encoded as above: another reader might see other calls. A Safe runs the code
 * of what it calls as a delegate as its own, so nothing but MultiSend may be that.
 */
export function decodeCalls(data: Uint8Array): Call[] | null {
  const digits = hex(data);
  if (!digits.startsWith(EXECUTE)) return null;
  try {
    const reader = new Words(digits.slice(8));
    const content = reader.digits(160, reader.number(128));
    const to = `0x${reader.digits(12, 20)}`;
    const calls = reader.number(96) === CALL ? [{ to, value: BigInt(`0x${reader.digits(32, 32)}`), data: unhex(`0x${content}`) }] : readSeveral(content);
    return calls.length && hex(encodeCalls(calls)) === digits ? calls : null;
  } catch {
    return null;
  }
}

function readSeveral(content: string): Call[] {
  const outer = new Words(content.slice(8));
  const packed = outer.digits(64, outer.number(32));
  const reader = new Words(packed);
  const calls: Call[] = [];
  for (let at = 0; at * 2 < packed.length; ) {
    const length = reader.number(at + 53);
    calls.push({ to: `0x${reader.digits(at + 1, 20)}`, value: BigInt(`0x${reader.digits(at + 21, 32)}`), data: unhex(`0x${reader.digits(at + 85, length)}`) });
    at += 85 + length;
  }
  return calls;
}
