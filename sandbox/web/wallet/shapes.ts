/** What a page hands to the wallet is checked here, and becomes typed, before anything looks at it. */
import { invalidParams } from "./errors";

const MAX_TEXT = 100_000;

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parameters as a list; a method called without any gets an empty one. */
export function paramList(params: unknown): readonly unknown[] {
  if (params === undefined) return [];
  if (!Array.isArray(params)) throw invalidParams("params must be a list.");
  return params;
}

export function objectAt(params: readonly unknown[], index: number): JsonObject {
  const value = params[index];
  if (!isObject(value)) throw invalidParams(`Parameter ${index + 1} must be an object.`);
  return value;
}

export function text(value: unknown, name: string): string {
  if (typeof value !== "string" || value.length > MAX_TEXT) throw invalidParams(`${name} must be a text.`);
  return value;
}

/** Bytes of a message, at most as many as a text may have characters. */
export function messageBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array) || value.length > MAX_TEXT) throw invalidParams("message must be bytes.");
  return value.slice();
}

/** Work on the inputs of a feature of the Wallet Standard, one after the other, so that each is asked on its own. */
export async function inputs<Output>(
  given: readonly unknown[],
  work: (input: JsonObject) => Promise<Output>,
): Promise<readonly Output[]> {
  const outputs: Output[] = [];
  for (const input of given) {
    if (!isObject(input)) throw invalidParams("An input is an object.");
    outputs.push(await work(input));
  }
  return outputs;
}
