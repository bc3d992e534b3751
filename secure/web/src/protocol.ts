/** The messages of the port, and the shapes of what they carry. A message of another shape is refused before anything is done. */
import { clean, isObject, text, type Data, type DataObject } from "./clean";
import { invalid } from "./errors";

export const APP = "@w3m-app/";
export const FRAME = "@w3m-frame/";
export const VERSION = "1";

export interface Message {
  /** "" for a message that nobody waits for. */
  id: string;
  /** Without its prefix. */
  type: string;
  payload: DataObject;
}

export interface RpcRequest {
  method: string;
  params: Data;
  chain: string;
  hint: { title: string; lines: string[] } | null;
  /** Who asks, as the modal says. */
  site: string;
}

/** Reads an envelope; null for what is none. The payload is copied, and may still be refused by its shape. */
export function readMessage(given: unknown): (Omit<Message, "payload"> & { payload: unknown }) | null {
  try {
    if (typeof given !== "object" || given === null) return null;
    const { id = "", type, payload } = given as Record<string, unknown>;
    if (typeof id !== "string" || id.length > 64 || !text(type, 64)?.startsWith(APP)) return null;
    return { id, type: (type as string).slice(APP.length), payload };
  } catch {
    // A getter that throws.
    return null;
  }
}

export function readPayload(given: unknown): DataObject {
  const payload = clean(given ?? {});
  if (!isObject(payload)) throw invalid("payload");
  return payload;
}

/** Reads a text that must be there. */
export function need(payload: DataObject, name: string, most = 400): string {
  const found = text(payload[name], most);
  if (!found) throw invalid(name);
  return found;
}

/** Reads digits of a code; spaces within are forgiven. */
export function needCode(payload: DataObject, name: string): string {
  const code = need(payload, name, 20).replace(/\s/g, "");
  if (!/^\d{4,10}$/.test(code)) throw invalid(name);
  return code;
}

export type ChainName = string | number;

/** Reads a network as its number or by CAIP-2; undefined where none is named. */
export function readChain(payload: DataObject): ChainName | undefined {
  const given = payload["chainId"];
  if (given === undefined || given === null) return undefined;
  if (typeof given === "number" && Number.isSafeInteger(given) && given > 0) return given;
  if (typeof given === "string" && /^(?:[1-9]\d{0,15}|[-a-z0-9]{3,8}:[-\w]{1,32})$/.test(given)) return given;
  throw invalid("chainId");
}

/** Writes a network by CAIP-2; a number is one of Ethereum's. */
export const caip2 = (chain: ChainName): string => (String(chain).includes(":") ? String(chain) : `eip155:${chain}`);

export function readRequest(payload: DataObject): RpcRequest {
  const { params = null, hint, site } = payload;
  const chain = readChain(payload);
  if (chain === undefined) throw invalid("chainId");
  return { method: need(payload, "method", 64), params, chain: caip2(chain), hint: readHint(hint), site: readSite(site) };
}

function readHint(given: Data | undefined): RpcRequest["hint"] {
  if (!isObject(given)) return null;
  const lines = Array.isArray(given["lines"]) ? given["lines"] : [];
  const title = text(given["title"], 200) ?? "";
  return { title, lines: lines.slice(0, 12).map((line) => text(line, 300) ?? "").filter(Boolean) };
}

function readSite(given: Data | undefined): string {
  const origin = isObject(given) ? (text(given["origin"], 300) ?? "") : "";
  try {
    const url = new URL(origin);
    return /^https?:$/.test(url.protocol) ? url.origin : "";
  } catch {
    return "";
  }
}
