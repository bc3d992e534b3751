/** Consent in a window of its own: it shows the same card and returns the answer. */
import { askWindow, serveWindow } from "../own_window";
import type { Card } from "./card";
import { askConsent } from "./consent";

/** Asks there; raises as `askWindow`. */
export const askInWindow = async (card: Card, signal: AbortSignal): Promise<boolean> => (await askWindow("", card, signal)) === true;

/** Is that window. */
export function beWindow(opener: Window): void {
  serveWindow<Card>(opener, (question) => {
    const { card, given } = askConsent(question, null);
    return { card, answer: given };
  });
}
