const PRIME = 16_777_619;
const BITS = 6;
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** So many characters for a text, which answers of `/v1/texts` have in its place. */
export function mark(text: string, seed: number, width: number): string {
  let code = seed;
  for (let index = 0; index < text.length; index++) code = Math.imul(code ^ text.charCodeAt(index), PRIME);
  code ^= code >>> 15;
  return Array.from({ length: width }, (_, place) => CHARACTERS.charAt((code >>> (BITS * place)) & 63)).join("");
}
