/** What our part of the host page says, in its visitor's language. */
import { options } from "./options";

let texts: Record<string, string> = {};
let language: string;

/** A text in the language of the page; in English where there is no other. */
export const t = (text: string): string => texts[text] ?? text;

/**
 * Fetches the texts of the language that the host wants, or else the browser, and calls `draw` with them. English needs none. Where they do
 * not come, those before stay.
 */
export async function speak(origin: string, draw: () => void): Promise<void> {
  const wanted = (options.locale || navigator.languages) + "";
  if (wanted == language) return;
  language = wanted;
  try {
    const said = /^en\b/i.test(wanted) ? {} : (await (await fetch(origin + "/v1/texts?of=loader&locales=" + wanted)).json()).texts;
    // Another may be wanted meanwhile.
    if (wanted == language) {
      texts = said ?? {};
      draw();
    }
  } catch {
    // The page's policy, or the network.
  }
}
