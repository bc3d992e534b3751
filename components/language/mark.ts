const PRIME = 16_777_619;
const ZERO = "0".charCodeAt(0);

/** Translations as `/v1/texts` answers them (`packed` in walletmodal/web/texts.py): without their English, which is in the scripts. */
export type Packed = { seed: number; bits: number; gaps: string; swapped: string; texts: string };

/** A text whose letters stand for each other: "дa" for these two. */
export function swappedBack(text: string, pairs: string): string {
  const letters = [...pairs];
  const instead = new Map(letters.map((letter, index) => [letter, letters[index ^ 1]]));
  return [...text].map((letter) => instead.get(letter) ?? letter).join("");
}

/** The number of so many bits, at most 31, by which a text is known. */
export function mark(text: string, seed: number, bits: number): number {
  let code = seed;
  for (let index = 0; index < text.length; index++) code = Math.imul(code ^ text.charCodeAt(index), PRIME);
  return (code ^ (code >>> 15)) & (2 ** bits - 1);
}

/** Finds the translation of an English text. */
export function lookup({ seed, bits, gaps, swapped, texts }: Packed): (message: string) => string | undefined {
  const said = swappedBack(texts, swapped).split("\x7f");
  const width = gaps.length / said.length;
  let at = 0;
  const known = new Map(
    said.map((text, index) => {
      const digits = [...gaps.slice(width * index, width * (index + 1))];
      at += digits.reduce((sum, digit) => 64 * sum + digit.charCodeAt(0) - ZERO, 0);
      return [at, text];
    }),
  );
  return (message) => known.get(mark(message, seed, bits));
}
