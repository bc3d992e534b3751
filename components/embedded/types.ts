/** What the modal and the secure site's frame say to each other (docs/protocol.md), as far as both sides of ours need it. */
import type { Namespace, Session } from "../../loader/src/protocol";

export type Payload = Record<string, unknown>;

/**
 * The deployment's secure site. An empty `url`: there is none. `name`: the host's; `chains`: CAIP-2 id by namespace that it serves.
 * `protocol`: `appkit` of a site that knows AppKit's messages alone; `project`: the id that such a site asks for.
 */
export type SecureConfig = {
  url: string;
  name: string;
  chains: Partial<Record<Namespace, string>>;
  protocol: "walletmodal" | "appkit";
  project: string;
};

/** What carries messages to the secure site: a MessagePort, or what does its work. */
export type Port = Pick<MessagePort, "postMessage" | "close">;

/** How long the secure site's page may take until it says that it is ready, ms. */
export const READY_MS = 30_000;

export const APP = "@w3m-app/";
export const FRAME = "@w3m-frame/";

export type EmbeddedSessions = Partial<Record<Namespace, Session>>;

export const INTERNAL = -32603;
export const REJECTED = 4001;
export const UNSUPPORTED = 4200;
export const GONE = 4900;
/** The texts of an error that the server knows by them. */
export const NOT_LOADED = "Unable to load email login dependency";
export const ABORTED = "Request was aborted";

const SOMETHING = "Something went wrong";
const MAX_TEXT = 500;
const REASON = /^[a-z_]{1,40}$/;

/** An error with a code; `reason` is the secure site's own word for it, "" without one. */
export class SecureError extends Error {
  readonly code: number;
  readonly reason: string;

  constructor(code: number, message: string, reason = "") {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** What went wrong, to be told; of what nobody has thought of, only that something did. */
export function asSecureError(error: unknown): SecureError {
  return error instanceof SecureError ? error : internalError();
}

/** An error that says no more than that. */
export const internalError = (): SecureError => new SecureError(INTERNAL, SOMETHING);

/** Nobody waits for it any more. */
export const aborted = (): SecureError => new SecureError(REJECTED, ABORTED);

/** True for an object that is neither null nor a list. */
export function isRecord(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text, cut; "" for anything else. */
export function text(value: unknown, limit = MAX_TEXT): string {
  return typeof value === "string" ? value.slice(0, limit) : "";
}

/** What the frame says went wrong. */
export function readError(payload: unknown): SecureError {
  const { message, code, reason } = isRecord(payload) ? payload : {};
  const number = typeof code === "number" && Number.isInteger(code) && code !== 0 ? code : INTERNAL;
  return new SecureError(number, text(message) || SOMETHING, REASON.test(text(reason)) ? text(reason) : "");
}
