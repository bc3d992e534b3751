// What English does without.

import { speak } from "./language";
import { lookup, type Packed } from "./mark";
import { tellServer } from "./switch_language";

type Answer = Packed & { locale: string; rtl: boolean };

const SECONDS = 5;
let latest = "";
let shown = "en";

/**
 * Shows the page in the first of these languages (BCP 47, with commas between) that the server has. Where its texts do not come, they
 * stay as they are, and so does what the server says. `texts`: the server's address of them, which the page's first script has asked for the browser's languages in the same words.
 */
export async function showIn(locales: string, texts: URL): Promise<void> {
  latest = locales;
  texts.searchParams.set("locales", locales);
  const answer = await fetchAnswer(texts).catch((error) => {
    if (latest === locales && location.hash) answerIn(shown);
    throw error;
  });
  const { locale, rtl } = answer;
  // Another was wanted meanwhile.
  if (latest !== locales) return;
  if (rtl) void import("./rtl.css");
  Object.assign(document.documentElement, { lang: locale, dir: rtl ? "rtl" : "ltr" });
  speak(locale, lookup(answer));
  answerIn((shown = locales));
}

async function fetchAnswer(texts: URL): Promise<Answer> {
  const response = await fetch(texts, { signal: AbortSignal.timeout(SECONDS * 1000) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

function answerIn(locales: string): void {
  if (location.hash !== `#locale=${locales}`) tellServer(locales);
}
