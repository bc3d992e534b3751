import { afterEach, expect, it, vi } from "vitest";
import { askServer } from "$/public/external/components/bridge/bridge/reads.ts";

const URL_OF_READS = new URL("https://modal.example/v1/rpc");
const QUESTION = { chain: "eip155:1", method: "eth_blockNumber", params: [] };
const UNREACHED = { ok: false, value: null, error: { code: -32603, message: "The server could not be reached" } };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const says = (body: unknown) => vi.stubGlobal("fetch", vi.fn(async () => ({ json: async () => body })));

it("a result is the answer", async () => {
  says({ result: "0x10" });
  expect(await askServer(URL_OF_READS, QUESTION)).toEqual({ ok: true, value: "0x10", error: null });
});

it("a refusal is the answer", async () => {
  says({ error: { code: -32005, message: "Too many" } });
  expect(await askServer(URL_OF_READS, QUESTION)).toEqual({ ok: false, value: null, error: { code: -32005, message: "Too many" } });
});

it.each([null, 7, "<html>"])("an answer that is %s is none", async (body) => {
  vi.stubGlobal("fetch", vi.fn(async () => ({ json: async () => (body === "<html>" ? JSON.parse(body) : body) })));
  const answer = await askServer(URL_OF_READS, QUESTION);
  expect(answer.ok && answer.value).toBeFalsy();
});

it("a server that never answers is given up", async () => {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  const hangs = (_: unknown, { signal }: RequestInit) => new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  vi.stubGlobal("fetch", vi.fn(hangs));
  const asked = askServer(URL_OF_READS, QUESTION);
  patience.abort();
  expect(await asked).toEqual(UNREACHED);
});

it("an answer that never ends is given up", async () => {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  const json = () => new Promise((_resolve, reject) => patience.signal.addEventListener("abort", () => reject(patience.signal.reason)));
  vi.stubGlobal("fetch", vi.fn(async () => ({ json })));
  const asked = askServer(URL_OF_READS, QUESTION);
  await Promise.resolve();
  patience.abort();
  expect(await asked).toEqual(UNREACHED);
});
