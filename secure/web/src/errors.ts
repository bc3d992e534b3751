/** Errors that the modal is told: a sentence, a code of EIP-1193 or JSON-RPC, and the server's own code as `reason`. */

export const REJECTED = 4001;
export const UNAUTHORIZED = 4100;
export const UNSUPPORTED = 4200;
export const INVALID_PARAMS = -32602;
export const INTERNAL = -32603;

const NAME = "FrameError";

export class FrameError extends Error {
  constructor(
    message: string,
    readonly code: number = INTERNAL,
    readonly reason?: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = NAME;
  }
}

/** Told by its name: each script of the page has a class of its own. */
export const isFrameError = (error: unknown): error is FrameError => error instanceof Error && error.name === NAME;

export const rejected = () => new FrameError("User rejected the request", REJECTED);
export const aborted = () => new FrameError("Request was aborted", REJECTED, "aborted");
export const invalid = (what: string) => new FrameError(`Invalid params: ${what}`, INVALID_PARAMS);
export const unauthorized = () => new FrameError("Not connected", UNAUTHORIZED, "session");
export const recoveryNeeded = () =>
  new FrameError("This device has no part of the wallet's key yet", UNAUTHORIZED, "recovery_needed");
