import { encode } from "uqr";
import { expect, it } from "vitest";
import { draw } from "$/public/external/walletmodal/components/qr_code/qr_code/qr.ts";

const TEXT = "wc:ab@2?relay-protocol=irn&symKey=cd".repeat(6);

/** The modules that a drawing covers outside its finder patterns. */
function covered({ lines, dots }: { lines: string; dots: string }): Set<string> {
  const found = new Set<string>();
  for (const [, x, from, to] of lines.matchAll(/M([\d.]+) ([\d.]+)V([\d.]+)/g)) {
    for (let y = Math.floor(Number(from)); y <= Math.floor(Number(to)); y++) found.add(`${Math.floor(Number(x))},${y}`);
  }
  for (const [, x, y] of dots.matchAll(/M([\d.]+) ([\d.]+)a/g)) found.add(`${Math.floor(Number(x))},${Math.floor(Number(y))}`);
  return found;
}

it("every dark module is drawn where the standard has it, and no other", () => {
  const { data, size } = encode(TEXT, { ecc: "Q", border: 0 });
  const drawing = draw(TEXT, false);
  const inFinder = (x: number, y: number) => (x < 7 && (y < 7 || y >= size - 7)) || (x >= size - 7 && y < 7);
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on && !inFinder(x, y) ? [`${x},${y}`] : [])));
  expect(covered(drawing)).toEqual(new Set(dark));
  expect(drawing.size).toBe(size);
});

it("the middle is left free for a picture, and stays within what is repaired", () => {
  const { size, cleared, ...drawing } = draw(TEXT, true);
  const first = (size - cleared) / 2;
  const inside = [...covered(drawing)].filter((at) => at.split(",").every((n) => Number(n) >= first && Number(n) < first + cleared));
  expect(inside).toEqual([]);
  expect(Number.isInteger(first)).toBe(true);
  expect(cleared ** 2 / size ** 2).toBeLessThan(0.125);
});

it("a short text has room for its finder patterns and a picture", () => {
  expect(draw("a", true).finders).toHaveLength(3);
});
