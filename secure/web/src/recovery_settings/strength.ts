/** What a recovery password must at least be. */

export const SHORTEST = 12;
const FEWEST_DIFFERENT = 6;

/** Says what is wrong with a password; "" for a good one. */
export function weakness(password: string, email: string): string {
  const text = password.normalize("NFKC");
  const characters = Array.from(text);
  if (characters.length < SHORTEST) return `Use at least ${SHORTEST} characters. Four words that have nothing to do with each other are good.`;
  if (new Set(characters).size < FEWEST_DIFFERENT) return "Use more different characters.";
  if (/^\d+$/.test(text)) return "Digits alone are too easy to guess.";
  if (email && text.toLowerCase().includes(email.toLowerCase())) return "Do not use your email address.";
  return "";
}
