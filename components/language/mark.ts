const PRIME = 16_777_619;
const BITS = 6;
const CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

/** A text whose letters stand for each other: "дa" for these two. */
export function swappedBack(text: string, pairs: string): string {
  const letters = [...pairs];
  const instead = new Map(letters.map((letter, index) => [letter, letters[index ^ 1]]));
  return [...text].map((letter) => instead.get(letter) ?? letter).join("");
}

/** So many characters for a text, which answers of `/v1/texts` have in its place. */
export function mark(text: string, seed: number, width: number): string {
  let code = seed;
  for (let index = 0; index < text.length; index++) code = Math.imul(code ^ text.charCodeAt(index), PRIME);
  code ^= code >>> 15;
  return Array.from({ length: width }, (_, place) => CHARACTERS.charAt((code >>> (BITS * place)) & 63)).join("");
}
