// What English does without.

import { app, eventLoop } from "$/utils/context-registry";
import { speak } from "./language";
import { mark, swappedBack } from "./mark";

type Answer = { locale: string; rtl: boolean; seed: number; marks: string; swapped: string; texts: string[] };

const FRAGMENT = "#locale=";
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
    if (latest === locales && window.location.hash) tellServer(shown);
    throw error;
  });
  const { locale, rtl, seed, marks, swapped, texts: said } = answer;
  // Another was wanted meanwhile.
  if (latest !== locales) return;
  if (rtl) void import("./rtl.css");
  Object.assign(document.documentElement, { lang: locale, dir: rtl ? "rtl" : "ltr" });
  const width = marks.length / said.length;
  // Addresses, amounts and names keep their own direction within a sentence that runs the other way.
  const isolated = (text: string) => (rtl ? text.replace(/\{\w+\}/g, "\u2068$&\u2069") : text);
  const known = new Map(said.map((text, index) => [marks.slice(width * index, width * (index + 1)), isolated(swappedBack(text, swapped))]));
  speak(locale, (message) => (known.size ? known.get(mark(message, seed, width)) : ""));
  tellServer((shown = locales));
}

async function fetchAnswer(texts: URL): Promise<Answer> {
  const response = await fetch(texts, { signal: AbortSignal.timeout(SECONDS * 1000) });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

/** Each event brings the page's address, by which the server knows what language to answer in; what it has sent so far is in another. */
function tellServer(locales: string): void {
  if (window.location.hash === FRAGMENT + locales) return;
  window.history.replaceState(window.history.state, "", FRAGMENT + locales);
  eventLoop.addEvents(app.initialEvents());
}
