// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SEEN_FOR, Visibility } from "../src/cards/visibility";

let watched: Visibility;
let told: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  // A browser that tells nobody what is covered.
  vi.stubGlobal("IntersectionObserverEntry", undefined);
  told = [];
  watched = new Visibility(document.body, (ripe) => told.push(ripe), true);
});
afterEach(() => {
  watched.stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a card in a window of its own is ripe once it has been there for a while", () => {
  vi.advanceTimersByTime(SEEN_FOR);
  expect([watched.ripe, told]).toEqual([true, [true]]);
});

it("a card in a window that has come to the front just now is not ripe: another window may have lain on it", () => {
  vi.advanceTimersByTime(SEEN_FOR);
  dispatchEvent(new Event("focus"));
  expect([watched.ripe, told]).toEqual([false, [true, false]]);
});

it("a card in a window at the front becomes ripe again", () => {
  dispatchEvent(new Event("focus"));
  vi.advanceTimersByTime(SEEN_FOR);
  expect(watched.ripe).toBe(true);
});

it("a card whose button can be clicked takes the click, though the timer is a little early", () => {
  const early = performance.now() + SEEN_FOR - 0.5;
  vi.spyOn(performance, "now").mockReturnValue(early);
  vi.advanceTimersByTime(SEEN_FOR);
  expect([watched.ripe, told]).toEqual([true, [true]]);
});
