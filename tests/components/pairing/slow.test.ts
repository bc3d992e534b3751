// @vitest-environment happy-dom
import { act, createElement, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PairingAhead } from "$/public/external/walletmodal/components/pairing/pairing/pairing_ahead.tsx";
import { PairingLink } from "$/public/external/walletmodal/components/pairing/pairing/pairing_link.tsx";
import { PairingQr } from "$/public/external/walletmodal/components/pairing/pairing/pairing_qr.tsx";
import { slowRelay } from "$/public/external/walletmodal/components/pairing/pairing/slow.ts";
import { IDLE, showPairing } from "$/public/external/walletmodal/components/pairing/pairing/store.ts";

const SLOW_RELAY = slowRelay();
/** As long as a slow relay takes for a connection, and for an answer, ms. */
const SLOW_CONNECTION = 5_000;
const SLOW_ANSWER = 5_000;

let place: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  showPairing({ ...IDLE, phase: "starting" });
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = (what: ReactNode): void => act(() => root.render(what));
const pass = (milliseconds: number): void => act(() => vi.advanceTimersByTime(milliseconds));
const answer = (): void => act(() => showPairing({ phase: "ready", uri: "wc:ab@2", expires: Date.now() + 240_000, error: null }));

it.each([
  ["the code", createElement(PairingQr)],
  ["the link", createElement(PairingLink, { name: "Lantern" })],
])("the pane of %s says after 3 s that the relay is slow, until it has answered", (_, pane) => {
  show(pane);
  pass(2_999);
  const before = place.textContent?.includes(SLOW_RELAY);
  pass(1);
  const late = place.textContent?.includes(SLOW_RELAY);
  pass(SLOW_CONNECTION - 3_000);
  answer();
  expect([before, late, place.textContent?.includes(SLOW_RELAY)]).toEqual([false, true, false]);
});

const rows = (chosen: () => void): ReactNode =>
  createElement(PairingAhead, { mode: "code" }, createElement("button", { "data-pairs": "true", onClick: chosen }));

it("rows say to who cannot see them that the relay is slow, until it has answered", () => {
  show(rows(() => undefined));
  pass(3_000);
  const late = place.querySelector("[role=status]")?.textContent;
  answer();
  expect([late, place.querySelector("[role=status]")?.textContent]).toEqual([SLOW_RELAY, ""]);
});

it("rows wait for the code of a slow relay, and go on because it came", () => {
  const chosen = vi.fn();
  show(rows(chosen));
  pass(SLOW_CONNECTION + SLOW_ANSWER);
  place.querySelector("button")?.click();
  const early = chosen.mock.calls.length;
  answer();
  place.querySelector("button")?.click();
  expect([early, chosen.mock.calls.length]).toEqual([0, 1]);
});
