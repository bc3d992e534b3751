/** What a recovery password must at least be. */
import { t } from "../language";

const FEWEST_DIFFERENT = 6;

/** Says what is wrong with a password; "" for a good one. */
export function weakness(password: string, email: string): string {
  const text = password.normalize("NFKC");
  const characters = Array.from(text);
  const least = 12;
  if (characters.length < least) return t`Use at least ${least} characters. Four words that have nothing to do with each other are good.`;
  if (new Set(characters).size < FEWEST_DIFFERENT) return t`Use more different characters.`;
  if (/^\d+$/.test(text)) return t`Digits alone are too easy to guess.`;
  if (email && text.toLowerCase().includes(email.toLowerCase())) return t`Do not use your email address.`;
  return "";
}
