/** Plain reads of the host's provider: over HTTP, so that results do not pass through state. */

import type { Result } from "../../loader/src/protocol";

export type Question = { chain: string; method: unknown; params: unknown };

/** No host waits longer for a read, ms; the server gives each try of a node ten seconds. */
const PATIENCE = 60_000;

/** Asks the server. Never throws: whatever goes wrong is an answer too. */
export async function askServer(url: URL, question: Question): Promise<Result> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const body = await response.json();
    return body.error ? { ok: false, value: null, error: body.error } : { ok: true, value: body.result, error: null };
  } catch {
    return { ok: false, value: null, error: { code: -32603, message: "The server could not be reached" } };
  }
}
