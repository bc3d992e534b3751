import { useSyncExternalStore } from "react";

type Find = (message: string) => string | undefined;

let find: Find = () => undefined;
let language = "en";
const changed = new Set<() => void>();

/** A text in the visitor's language. `values` stand where the text has `{name}`; what stands before "\x04" tells equal words apart. */
export function t(message: string, values?: Record<string, unknown>): string {
  const said = find(message) || message.slice(message.indexOf("\x04") + 1);
  return values ? said.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole)) : said;
}

/** From now on texts are looked up in another language. */
export function speak(tag: string, lookup: Find): void {
  [language, find] = [tag, lookup];
  changed.forEach((tell) => tell());
}

function follow(tell: () => void): () => void {
  changed.add(tell);
  return () => changed.delete(tell);
}

/** The language of the texts. What is keyed by it is drawn anew with another. */
export const useLanguage = (): string => useSyncExternalStore(follow, () => language);
