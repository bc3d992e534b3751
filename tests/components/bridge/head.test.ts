// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it, vi } from "vitest";

const HEAD = readFileSync(resolve(import.meta.dirname, "../../../components/bridge/head.js"), "utf8");

it("says a nonce of 32 digits, however small the random numbers are", () => {
  const parent = { postMessage: vi.fn() };
  const crypto = { getRandomValues: (numbers: Uint32Array) => numbers.fill(7) };
  new Function("parent", "crypto", HEAD)(parent, crypto);
  expect(parent.postMessage.mock.calls[0]![0].id).toMatch(/^[0-9a-f]{32}$/);
});
