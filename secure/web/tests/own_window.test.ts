import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { askWindow } from "../src/own_window";

const ORIGIN = "https://secure.example";
const POLL = 400;

let heard: ((event: object) => void)[];
let opened: { closed: boolean; close(): void; postMessage(): void };

beforeEach(() => {
  vi.useFakeTimers();
  heard = [];
  opened = { closed: false, close: vi.fn(), postMessage: vi.fn() };
  vi.stubGlobal("document", { documentElement: { dataset: {}, style: { getPropertyValue: () => "" } } });
  vi.stubGlobal("open", () => opened);
  vi.stubGlobal("location", { origin: ORIGIN });
  vi.stubGlobal("addEventListener", (_: string, run: (event: object) => void) => heard.push(run));
  vi.stubGlobal("removeEventListener", () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const says = (data: object) => heard.forEach((run) => run({ source: opened, origin: ORIGIN, data }));
const answers = (answer: unknown) => says({ type: "walletmodal:window-answer", answer });
const ask = () => {
  const given = askWindow("", {}, new AbortController().signal);
  says({ type: "walletmodal:window-ready" });
  return given;
};

it("a window's answer counts that is heard after the window was seen to be gone", async () => {
  const given = ask();
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

it("an answer from a page that was in the window before, to another question, does not count", async () => {
  const given = askWindow("", {}, new AbortController().signal);
  answers(true);
  says({ type: "walletmodal:window-ready" });
  answers(false);
  expect(await given).toBe(false);
});
