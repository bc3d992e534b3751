import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as Ahead from "$/public/external/walletmodal/components/shell/shell/ahead.ts";

let ahead: typeof Ahead;
let press: () => void;
let loaded: string[];

const script = (name: string) => async (): Promise<void> => void loaded.push(name);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("addEventListener", (_: string, note: () => void) => {
    press = note;
  });
  loaded = [];
  ahead = await import("$/public/external/walletmodal/components/shell/shell/ahead.ts");
  ahead.comesAhead(script("help"), "");
  ahead.comesAhead(script("account"), "account");
  ahead.comesAhead(script("code"), "pairing");
  ahead.comesAhead(script("tokens"), "account");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("scripts that come ahead", () => {
  it("are those of the occasion alone", async () => {
    ahead.preload("account");
    await pass(1000);
    expect(loaded).toEqual(["account", "tokens"]);
  });

  it("come one after the other, each once", async () => {
    ahead.preload("all");
    ahead.preload("all");
    await pass(2000);
    expect(loaded).toEqual(["help", "account", "code", "tokens"]);
  });

  it("come no more once they are stopped", async () => {
    const stop = ahead.preload("all");
    await pass(100);
    stop();
    await pass(2000);
    expect(loaded).toEqual(["help"]);
  });

  it("wait while the visitor presses one thing after the other", async () => {
    ahead.preload("all");
    for (let presses = 0; presses < 20; presses++) {
      press();
      await pass(ahead.QUIET - 100);
    }
    expect(loaded).toEqual([]);
    await pass(2000);
    expect(loaded).toHaveLength(4);
  });

  it("do not wait where an account needs them", async () => {
    press();
    ahead.preload("account");
    await pass(ahead.QUIET - 100);
    expect(loaded).toEqual(["account", "tokens"]);
  });

  it("come at once where someone is about to need them, and one that fails holds up no other", async () => {
    ahead.comesAhead(() => Promise.reject(new Error("offline")), "pairing");
    ahead.loadNow("pairing");
    await pass(0);
    expect(loaded).toEqual(["code"]);
  });
});
