import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { askWindow } from "../src/own_window";

const ORIGIN = "https://secure.example";
const POLL = 400;

let heard: ((event: object) => void)[];
let opened: { closed: boolean; close(): void };

beforeEach(() => {
  vi.useFakeTimers();
  heard = [];
  opened = { closed: false, close: vi.fn() };
  vi.stubGlobal("open", () => opened);
  vi.stubGlobal("location", { origin: ORIGIN });
  vi.stubGlobal("addEventListener", (_: string, run: (event: object) => void) => heard.push(run));
  vi.stubGlobal("removeEventListener", () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const answers = (answer: unknown) => heard.forEach((run) => run({ source: opened, origin: ORIGIN, data: { type: "walletmodal:window-answer", answer } }));

it("a window's answer counts that is heard after the window was seen to be gone", async () => {
  const given = askWindow("", {}, new AbortController().signal);
  opened.closed = true;
  vi.advanceTimersByTime(POLL);
  answers(true);
  expect(await given).toBe(true);
});

it("a window that was closed without an answer is told of", async () => {
  const given = askWindow("", {}, new AbortController().signal);
  opened.closed = true;
  vi.advanceTimersByTime(2 * POLL);
  await expect(given).rejects.toThrow("The window was closed without an answer.");
});
