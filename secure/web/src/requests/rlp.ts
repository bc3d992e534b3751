/** Recursive length prefix, the encoding of Ethereum's transactions. */
import { concat, unhex, type Bytes } from "../bytes";

export type Item = Uint8Array | readonly Item[];

/** Writes a number as its bytes without leading zeros; nothing for 0. */
export function bytesOf(number: bigint): Bytes {
  const digits = number.toString(16);
  return number ? unhex(`0x${digits.length % 2 ? "0" : ""}${digits}`) : new Uint8Array(0);
}

export function encode(item: Item): Bytes {
  if (item instanceof Uint8Array) {
    return item.length === 1 && (item[0] as number) < 0x80 ? Uint8Array.from(item) : prefixed(0x80, item);
  }
  return prefixed(0xc0, concat(...item.map(encode)));
}

function prefixed(kind: number, content: Uint8Array): Bytes {
  if (content.length < 56) return concat(Uint8Array.of(kind + content.length), content);
  const length = bytesOf(BigInt(content.length));
  return concat(Uint8Array.of(kind + 55 + length.length), length, content);
}
