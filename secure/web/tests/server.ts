/** The secure site's server as far as a test needs it: answers by path, some of which are lost on their way. */
import { vi } from "vitest";
import { FrameError } from "../src/errors";

type Answer = object | [status: number, body: unknown];
export type Handler = (body: Record<string, string>, headers: Headers) => Answer | Promise<Answer>;

export interface Call {
  path: string;
  body: Record<string, string>;
  headers: Headers;
  text: string;
}

export class Server {
  readonly calls: Call[] = [];
  /** Paths whose next answer never arrives, though the call is carried out. */
  readonly lost: string[] = [];
  readonly #handlers: Record<string, Handler>;

  constructor(handlers: Record<string, Handler>) {
    this.#handlers = handlers;
    vi.stubGlobal("fetch", (path: string, options: RequestInit) => this.#serve(path, options));
  }

  /** Has the next call of a path fail before it is carried out. */
  fails(path: string): void {
    const handler = this.#handlers[path]!;
    this.#handlers[path] = () => {
      this.#handlers[path] = handler;
      return [503, { error: { code: "unavailable", message: "Not now" } }];
    };
  }

  /** Does `work` while the next call of a path is on its way. */
  meanwhile(path: string, work: () => Promise<unknown>): void {
    const handler = this.#handlers[path]!;
    this.#handlers[path] = async (body, headers) => {
      this.#handlers[path] = handler;
      await work();
      return handler(body, headers);
    };
  }

  paths(): string[] {
    return this.calls.map((call) => call.path);
  }

  async #serve(path: string, options: RequestInit): Promise<Response> {
    const headers = new Headers(options.headers);
    const text = String(options.body);
    const body = JSON.parse(text) as Record<string, string>;
    this.calls.push({ path, body, headers, text });
    const handler = this.#handlers[path];
    const answer = handler ? await handler(body, headers) : [404, { error: { code: "path", message: "No such path" } }];
    const [status, content] = Array.isArray(answer) ? (answer as [number, unknown]) : [200, answer];
    if (this.lost.includes(path)) {
      this.lost.splice(this.lost.indexOf(path), 1);
      throw new TypeError("network error");
    }
    return new Response(JSON.stringify(content), { status });
  }
}

/** Catches what a promise is rejected with; fails when it is not. */
export async function failure(promise: Promise<unknown>): Promise<FrameError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FrameError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

export const refusal = (status: number, code: string, more: object = {}): [number, unknown] => [
  status,
  { error: { code, message: `Refused: ${code}`, ...more } },
];

/** Rejects as a browser's fetch does once its signal says so; never where there is none. */
export function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new DOMException("aborted", "AbortError"));
    if (signal?.aborted) fail();
    signal?.addEventListener("abort", fail);
  });
}
