/** The store of the WalletConnect SDK: the frame's own may be denied or wiped by the browser, so it is kept with the host page. */
import { asJson, invalidParams, plainError } from "../errors";
import type { Result } from "../protocol";
import { page } from "./page";

const PREFIX = "walletmodal:";
/** Only the SDK's own keys: the frame has no business with what else the page keeps. */
const KEY = /^wc@.{1,250}$/;
const MAX_VALUE = 65536;

function carryOut({ method, key, value }: Record<string, unknown>): unknown {
  if (method == "entries") {
    const ours = page.keys().filter((name) => name.startsWith(PREFIX) && KEY.test(name.slice(PREFIX.length)));
    const entries = ours.map((name) => [name.slice(PREFIX.length), page.read(name)]).filter(([, text]) => text);
    return asJson(entries, invalidParams());
  }
  if (typeof key != "string" || !KEY.test(key)) throw invalidParams();
  const name = PREFIX + key;
  if (method == "get") return page.read(name);
  if (method == "remove") page.write(name, null);
  else if (method == "set" && typeof value == "string" && value.length <= MAX_VALUE) page.write(name, value);
  else throw invalidParams();
  return null;
}

/** Answers a `store` message. */
export function serveStore(id: string, question: Record<string, unknown>): void {
  const result: Result = { ok: true, value: null, error: null };
  try {
    result.value = carryOut(question);
  } catch (error) {
    result.ok = false;
    result.error = plainError(error);
  }
  page.post("stored", result, id);
}
