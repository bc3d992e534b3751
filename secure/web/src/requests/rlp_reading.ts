/** Reads recursive length prefix; what is malformed throws. */
import type { Item } from "./rlp";

export function decode(bytes: Uint8Array): Item {
  const [item, end] = read(bytes, 0);
  if (end !== bytes.length) throw new RangeError("something follows");
  return item;
}

function read(bytes: Uint8Array, at: number): [item: Item, end: number] {
  const kind = bytes[at];
  if (kind === undefined) throw new RangeError("cut off");
  if (kind < 0x80) return [bytes.subarray(at, at + 1), at + 1];
  const short = kind < 0xc0 ? 0x80 : 0xc0;
  const size = kind - short - 55;
  const begin = at + 1 + Math.max(0, size);
  let length = kind - short;
  if (size > 0) length = bytes.subarray(at + 1, begin).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = begin + length;
  if (end > bytes.length) throw new RangeError("cut off");
  if (short === 0x80) return [bytes.subarray(begin, end), end];
  const items: Item[] = [];
  for (let next = begin; next < end; ) {
    const [item, behind] = read(bytes.subarray(0, end), next);
    items.push(item);
    next = behind;
  }
  return [items, end];
}
