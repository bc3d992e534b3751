// @vitest-environment happy-dom
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { HeaderTitle } from "$/public/external/walletmodal/components/shell/shell/views.tsx";

it("has the new title alone from the first frame of a push", () => {
  const animate = vi.fn();
  Element.prototype.animate = animate;
  const header = document.createElement("header");
  const root = createRoot(header);
  const show = (text: string): void => flushSync(() => root.render(createElement(HeaderTitle, { text })));
  show("Connect Wallet");
  animate.mockClear();
  show("What is a wallet?");
  const titles = [...header.querySelectorAll("h1 > *")].map((title) => title.textContent);
  // It moves in, and nothing is left that moves out.
  expect([titles, animate.mock.calls.length]).toEqual([["What is a wallet?"], 1]);
});
