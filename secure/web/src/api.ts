/** Calls of the secure site: each signed by this device, with a nonce of its own and the session where one is held. */
import { base64url, random } from "./bytes";
import { clean, isObject, text, type DataObject } from "./clean";
import type { Device } from "./device";
import { FrameError, INTERNAL, INVALID_PARAMS, UNAUTHORIZED } from "./errors";

const TIMEOUT = 20_000;
const MAX_BODY = 64 * 1024;

export interface CallOptions {
  /** Milliseconds until the call is given up. */
  timeout?: number;
  /** Ends the call early. */
  signal?: AbortSignal;
}

export class Api {
  /** What proves who is signed in, and to the server only together with this device's signature. */
  session = "";
  /** Called when the server no longer knows the session. */
  onSessionEnd: () => void = () => undefined;
  readonly #device: Device;
  /** The server's clock minus this one's, in milliseconds. */
  #skew = 0;

  constructor(device: Device) {
    this.#device = device;
  }

  /** Calls `path` with a JSON body; returns the answer's object. Raises FrameError with the server's code as its reason. */
  async call(path: string, body: object = {}, options: CallOptions = {}): Promise<DataObject> {
    const content = JSON.stringify(body);
    const session = this.session;
    if (content.length > MAX_BODY) throw new FrameError("The request is too large", INVALID_PARAMS, "too_large");
    let [status, answer] = await this.#send(path, content, options);
    if (status === 401 && errorOf(answer).code === "clock" && this.#correctClock(answer)) {
      [status, answer] = await this.#send(path, content, options);
    }
    if (status >= 200 && status < 300 && answer) return answer;
    const failure = failureOf(status, answer);
    // An answer to a call of an earlier session says nothing about this one.
    if (failure.reason === "session" && session && session === this.session) this.onSessionEnd();
    throw failure;
  }

  async #send(path: string, content: string, { timeout = TIMEOUT, signal }: CallOptions): Promise<[number, DataObject | null]> {
    const session = this.session;
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, timeout);
    signal?.addEventListener("abort", end);
    const time = String(Math.round(Date.now() + this.#skew));
    const nonce = base64url(random(12));
    const signature = await this.#device.sign(["POST", path, time, nonce, session, content].join("\n"));
    const headers: Record<string, string> = {
      "Content-Type": "application/json",
      "X-Device": this.#device.id,
      "X-Time": time,
      "X-Nonce": nonce,
      "X-Signature": base64url(signature),
    };
    if (session) headers["Authorization"] = `Bearer ${session}`;
    try {
      const response = await fetch(path, {
        method: "POST",
        headers,
        body: content,
        credentials: "omit",
        cache: "no-store",
        redirect: "error",
        signal: ending.signal,
      });
      return [response.status, await readAnswer(response)];
    } catch (error) {
      if (signal?.aborted) throw error;
      if (ending.signal.aborted) throw new FrameError("The wallet service does not answer. Please try again", INTERNAL, "timeout");
      throw new FrameError("The wallet service cannot be reached. Please try again", INTERNAL, "unreachable");
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  }

  /** Takes over the server's time, as its refusal tells; false when it tells none. */
  #correctClock(answer: DataObject | null): boolean {
    const now = errorOf(answer)["now"] ?? answer?.["now"];
    if (typeof now !== "number") return false;
    this.#skew = now - Date.now();
    return true;
  }
}

function failureOf(status: number, answer: DataObject | null): FrameError {
  const { code, message, ...more } = errorOf(answer);
  const kind = status === 401 ? UNAUTHORIZED : status === 400 ? INVALID_PARAMS : INTERNAL;
  const said = text(message, 500) || "The wallet service failed. Please try again";
  return new FrameError(said, kind, text(code, 64) ?? `http_${status}`, more);
}

async function readAnswer(response: Response): Promise<DataObject | null> {
  try {
    const answer = clean(await response.json());
    return isObject(answer) ? answer : null;
  } catch (error) {
    // A cut connection is no malformed answer: the call may be repeated.
    if (error instanceof TypeError || (error as Error).name === "AbortError") throw error;
    return null;
  }
}

function errorOf(answer: DataObject | null): DataObject {
  const error = answer?.["error"];
  return isObject(error) ? error : {};
}
