// @vitest-environment happy-dom
import { createElement, useLayoutEffect } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { preload } from "$/public/external/walletmodal/components/shell/shell/ahead.ts";
import { lazyView } from "$/public/external/walletmodal/components/shell/shell/lazy.tsx";

const View = () => createElement("p", null, "the view");

it("shows a view whose script comes ahead just when it is first shown", async () => {
  vi.stubGlobal("requestIdleCallback", (run: () => void) => run());
  const Lazy = lazyView(async () => View, "Lazy");
  function Page() {
    // Between the first drawing, which had no script, and the effects after it.
    useLayoutEffect(() => {
      preload("all");
    }, []);
    return createElement(Lazy);
  }
  const place = document.createElement("div");
  createRoot(place).render(createElement(Page));
  await vi.waitFor(() => expect(place.textContent).toBe("the view"));
});
