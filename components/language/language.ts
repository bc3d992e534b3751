import { useSyncExternalStore } from "react";

/** Letters of scripts that are written from right to left, and marks of direction. */
const TURNING = /[\u0590-\u08ff\u200e\u200f\ud802\ud803\ud83a\ud83b\ufb1d-\ufefc]/;

/** An isolate that is closed, such as that of a value within a value, or else what would turn around all that follows. */
const TURNS = /([\u2066-\u2068][^\u202a-\u202e\u2066-\u2069]*\u2069)|[\u202a-\u202e\u2066-\u2069]/g;

type Find = (message: string) => string | undefined;

let find: Find = () => undefined;
let language = "en";
const changed = new Set<() => void>();

/** A value that is written from right to left keeps its direction to itself: else it would draw a number beside it to its other side. */
const isolated = (value: string): string => (TURNING.test((value = value.replace(TURNS, "$1"))) ? `\u2068${value}\u2069` : value);

/** A text in the visitor's language. `values` stand where the text has `{name}`; what stands before "\x04" tells equal words apart. */
export function t(message: string, values?: Record<string, unknown>): string {
  const said = find(message) || message.slice(message.indexOf("\x04") + 1);
  return values ? said.replace(/\{(\w+)\}/g, (whole, name) => isolated(String(values[name] ?? whole))) : said;
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
