import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { standIn } from "$/public/external/walletmodal/components/pairing/pairing/host.ts";
import { reviveOnReturn } from "$/public/external/walletmodal/components/pairing/pairing/returning.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const relayer = {
  connected: true,
  transportOpen: vi.fn(() => Promise.resolve()),
  restartTransport: vi.fn(() => Promise.resolve()),
};

function turn(visibilityState: string): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event("visibilitychange"));
}

function away(ms: number): void {
  turn("hidden");
  vi.advanceTimersByTime(ms);
  turn("visible");
}

vi.stubGlobal("document", page);
reviveOnReturn(relayer);

beforeEach(() => {
  vi.useFakeTimers();
  standIn({}, "ios");
});
afterEach(() => {
  vi.useRealTimers();
  relayer.connected = true;
  relayer.transportOpen.mockClear();
  relayer.restartTransport.mockClear();
});

it("a connection that was cut is made anew at once", () => {
  relayer.connected = false;
  away(100);
  expect(relayer.transportOpen).toHaveBeenCalledOnce();
});

it.each(["ios", "android"] as const)("one that says it stands is not believed on %s after a while", (system) => {
  standIn({}, system);
  away(3_000);
  expect(relayer.restartTransport).toHaveBeenCalledOnce();
});

it("one that stands is left alone after a glance away", () => {
  away(1_000);
  expect(relayer.restartTransport).not.toHaveBeenCalled();
});

it.each(["mac", ""] as const)("one that stands is left alone on a computer (%j)", (system) => {
  standIn({}, system);
  away(60_000);
  expect([relayer.restartTransport.mock.calls, relayer.transportOpen.mock.calls]).toEqual([[], []]);
});

it("without a network the page lives on", async () => {
  relayer.connected = false;
  relayer.transportOpen.mockReturnValueOnce(Promise.reject(new Error("offline")));
  away(100);
  await expect(relayer.transportOpen.mock.results[0]!.value).rejects.toThrow("offline");
});
