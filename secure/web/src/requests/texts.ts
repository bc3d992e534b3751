/** Texts of others, shown so that nothing in them is invisible or turns the writing round. */
import { t } from "../language";

const HIDDEN = /(?![\n\t\u{fe0f}])[\p{C}\p{Zl}\p{Zp}\u{34f}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180b}-\u{180f}\u{2800}\u{3164}\u{ffa0}\u{fe00}-\u{fe0e}]/gu;

export const HIDDEN_WARNING = t`The message has characters that cannot be seen or that turn the writing round. They stand in brackets.`;

/** Writes invisible characters by their numbers. */
export const reveal = (text: string): string =>
  text.replace(HIDDEN, (char) => `[U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0")}]`);

/** Reads bytes as UTF-8; null where they are none. */
export function readText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
