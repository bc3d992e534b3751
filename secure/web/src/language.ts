/** What cards say, in the language of the page; in English where that is its language, or where its texts have not come. */

/** Milliseconds for which the first card waits for its texts. */
const PATIENCE = 3000;

/** Set once the script of a language is there (`said.ts`). */
declare global {
  var walletmodalSaid: ((text: readonly string[] | string, values?: unknown[]) => string | undefined) | undefined;
}

/** What makes its surroundings run from right to left: letters of those scripts, and marks that turn writing around. */
const TURNING = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ud802\ud803\ud83a\ud83b\ufb1d-\ufefc]/;

/** A value as it stands in a sentence whose own words it does not move. `rtl`: the sentence runs from right to left. */
export function isolated(value: unknown, rtl = false): string {
  const text = String(value);
  return rtl || TURNING.test(text) ? `\u2068${text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")}\u2069` : text;
}

/** The tag of a text that is shown. It is looked up as it is written here; what stands in a value never is. */
export const t = (text: TemplateStringsArray, ...values: unknown[]): string =>
  globalThis.walletmodalSaid?.(text, values) ?? String.raw({ raw: text }, ...values.map((value) => isolated(value)));

/** What an error says on a card; the modal is told it in English. */
export const explain = ({ message }: Error): string => globalThis.walletmodalSaid?.(message) ?? message;

let speaking: Promise<void> | null = null;

/** Fetches the texts before the first script that draws a card: all cards of a page are in one language. */
export const speak = (): Promise<void> => (speaking ??= fetchTexts(document.documentElement));

async function fetchTexts(page: HTMLElement): Promise<void> {
  if (page.lang === "en") return;
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE, null));
  const script = (await Promise.race([import(`/sdk/${page.lang}.js`), late]).catch(() => null)) as { said: typeof walletmodalSaid } | null;
  if (script) globalThis.walletmodalSaid = script.said;
  else Object.assign(page, { lang: "en", dir: "ltr" });
}
