/** Copies a value from outside into plain data: no getter is run twice, no prototype is inherited, nothing is larger than it may be. */
import { invalid } from "./errors";

export type Data = null | boolean | number | string | Data[] | DataObject;
export interface DataObject {
  [key: string]: Data | undefined;
}

const MAX_DEPTH = 20;
const MAX_PARTS = 20_000;
const MAX_TEXT = 256 * 1024;

/** Copies; raises -32602 for what is no plain data, too deep or too large. Objects of the copy have no prototype. */
export function clean(given: unknown): Data {
  let parts = 0;
  let text = 0;
  const count = (value: string) => {
    text += value.length;
    if (text > MAX_TEXT) throw invalid("too large");
    return value;
  };
  const copy = (value: unknown, depth: number): Data => {
    if (++parts > MAX_PARTS || depth > MAX_DEPTH) throw invalid("too large");
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "string") return count(value);
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (Array.isArray(value)) return Array.from(value, (one) => copy(one, depth + 1));
    if (typeof value !== "object") throw invalid("no plain data");
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw invalid("no plain data");
    const made = Object.create(null) as DataObject;
    for (const [key, entry] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (!entry.enumerable) continue;
      if (!("value" in entry)) throw invalid("no plain data");
      if (entry.value !== undefined) made[count(key)] = copy(entry.value, depth + 1);
    }
    return made;
  };
  return copy(given, 0);
}

export const isObject = (value: Data | undefined): value is DataObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a text of at most `most` characters, or undefined. */
export const text = (value: unknown, most = 4096): string | undefined =>
  typeof value === "string" && value.length <= most ? value : undefined;
