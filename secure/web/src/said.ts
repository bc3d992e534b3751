/** The script of one language, of which there is one for each: what cards say in it. */
import { lookup, type Packed } from "../../../components/language/mark";
import { isolated } from "./language";

/** Set by the build: translations as `/v1/texts` packs them, and those of errors by their English. */
declare const TEXTS: Packed & { rtl: boolean; errors: Record<string, string> };

const { rtl, errors } = TEXTS;
const find = lookup(TEXTS);

/** A text with values, by its parts in English, or the sentence of an error; undefined where it is not known. */
export function said(text: readonly string[] | string, values: unknown[] = []): string | undefined {
  if (typeof text === "string") return Object.hasOwn(errors, text) ? errors[text] : undefined;
  const english = text.reduce((before, part, at) => `${before}{${at - 1}}${part}`);
  return find(english)?.replace(/\{(\d)\}/g, (_, at: string) => isolated(values[Number(at)], rtl));
}
