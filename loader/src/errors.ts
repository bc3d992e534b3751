/** The errors that reach the host: an `Error` with the `code` of EIP-1193 or JSON-RPC. */
import { MAX_PAYLOAD, type ProtocolError } from "./protocol";

export const INTERNAL = -32603;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const TIMED_OUT = -32002;
export const LIMIT_EXCEEDED = -32005;
export const ORPHANED = -1;
export const REJECTED = 4001;
export const UNSUPPORTED = 4200;
export const GONE = 4900;
export const BUNDLE_TOO_LARGE = 5740;

/** Makes an error for the host, or for a reply. */
export const fail = (code: number, message: string, data?: unknown): Error & { code: number } =>
  Object.assign(new Error(message), data == null ? { code } : { code, data });

export const unexpected = () => fail(INTERNAL, "Unexpected answer of the wallet");

/** Reduces whatever was thrown to a code and a text. Never throws. */
export function plainError(thrown: unknown): ProtocolError {
  let code = INTERNAL;
  let message = "An internal error was received.";
  try {
    const error = thrown as ProtocolError;
    if (Number.isInteger(error.code)) code = error.code;
    if (error.message) message = String(error.message).slice(0, 500);
  } catch {
    // A getter that throws, or null: same as an error without any text.
  }
  return { code, message };
}

/** No message has as many levels; a server that reads JSON by recursion gives up at some hundreds, and the socket with it. */
const MAX_DEPTH = 99;

const isDeep = (value: unknown, left = MAX_DEPTH): boolean =>
  typeof value == "object" && value != null && (!left || Object.values(value).some((one) => isDeep(one, left - 1)));

/** A value as it arrives on the other side of the port; raises `error` when it is no JSON or too deep, `tooLarge` when it is too large. */
export function asJson<T>(value: T, error: Error, tooLarge = error): T {
  try {
    const json = JSON.stringify(value ?? null);
    const plain = JSON.parse(json) as T;
    // Room for the message around it.
    if (json.length >= MAX_PAYLOAD - 999) error = tooLarge;
    else if (!isDeep(plain)) return plain;
  } catch {
    // Cyclic, or holds a BigInt.
  }
  throw error;
}

/** The error of a request whose parameters make no sense. */
export const invalidParams = () => fail(INVALID_PARAMS, "Invalid parameters were provided to the RPC method.");

/** A handler that a hostile page or wallet may feed with anything: what it throws means "ignored". */
export const quietly =
  <T>(handle: (value: T) => void) =>
  (value: T): void => {
    try {
      handle(value);
    } catch {
      // Nothing to do for a message that makes no sense.
    }
  };

/** Calls a listener of the host; what it throws is the host's own and must not stop the others. */
export function notify<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    console.error(error);
  }
}
