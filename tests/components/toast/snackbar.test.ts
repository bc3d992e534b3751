// @vitest-environment happy-dom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Snackbar } from "$/public/external/walletmodal/components/toast/toast/snackbar.tsx";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

const SHORT = "Address copied";
const LONG = "A message of the host page that is so long that it needs several lines";
const dismissed = vi.fn();
let place: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  dismissed.mockClear();
  place = document.body.appendChild(document.createElement("div"));
});

afterEach(() => {
  vi.useRealTimers();
  place.remove();
});

/** Shows a message. */
async function show(message: string, autoClose = true, variant = "success"): Promise<void> {
  await act(async () => createRoot(place).render(createElement(Snackbar, { serial: 1, message, variant, autoClose, onDismissed: dismissed })));
}

/** Lets time pass; returns whether the message has left. */
async function left(seconds: number): Promise<boolean> {
  await act(async () => {
    vi.advanceTimersByTime(seconds * 1000);
  });
  return dismissed.mock.calls.length > 0;
}

/** Moves the pointer onto the message, or off it. */
async function point(on: boolean): Promise<void> {
  const words = place.querySelector(".wm-toast-words")!;
  const moved = on ? new PointerEvent("pointerover", { bubbles: true }) : new PointerEvent("pointerout", { bubbles: true, relatedTarget: document.body });
  await act(async () => {
    words.dispatchEvent(moved);
  });
}

it("leaves when it has been there long enough to be read", async () => {
  await show(SHORT);
  expect([await left(3), await left(1)]).toEqual([false, true]);
});

it("stays longer the more there is to read", async () => {
  await show(LONG);
  expect([await left(6), await left(2)]).toEqual([false, true]);
});

it("stays while it is pointed at", async () => {
  await show(SHORT);
  await point(true);
  expect(await left(60)).toBe(false);
  await point(false);
  expect(await left(4)).toBe(true);
});

it("is reached by the keyboard, and stays while it has the focus", async () => {
  await show(SHORT);
  const toast = place.querySelector<HTMLElement>("[tabindex='0']")!;
  await act(async () => toast.focus());
  expect(await left(60)).toBe(false);
  await act(async () => toast.blur());
  expect(await left(4)).toBe(true);
});

it("stays until it is taken back where it tells of something that goes on", async () => {
  await show(SHORT, false);
  expect(await left(600)).toBe(false);
});

it("stays until it is closed where it tells what has failed, and leaves the focus in the card", async () => {
  place.className = "wm-card";
  place.tabIndex = -1;
  await show(SHORT, true, "error");
  expect(await left(600)).toBe(false);
  const close = place.querySelector<HTMLElement>("button[aria-label='Close the alert']")!;
  await act(async () => close.focus());
  await act(async () => close.click());
  expect([dismissed.mock.calls, document.activeElement]).toEqual([[[1]], place]);
});
