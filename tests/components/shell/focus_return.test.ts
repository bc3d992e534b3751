// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

const shown = (name: string, ...controls: string[]): HTMLElement => {
  document.body.innerHTML = `<div class="wm-view" data-view="${name}" tabindex="-1">${controls
    .map((control) => `<button data-testid="${control}">${control}</button>`)
    .join("")}</div>`;
  return document.querySelector(".wm-view") as HTMLElement;
};
const focus = (part: Element | undefined): void => (part as HTMLElement).focus();

beforeAll(async () => {
  await import("$/public/external/walletmodal/components/shell/shell/focus_return.ts");
});

describe("the focus", () => {
  beforeEach(() => {
    focus(shown("Connect", "row", "row").children[1]);
    focus(shown("AllWallets", "cell"));
    focus(document.querySelector("button") ?? undefined);
  });

  it("is back where the visitor went on from", () => {
    const view = shown("Connect", "row", "row");
    focus(view);
    expect(document.activeElement).toBe(view.children[1]);
  });

  it("stays with the view where that is gone", () => {
    const view = shown("Connect", "row");
    focus(view);
    expect(document.activeElement).toBe(view);
  });

  it("begins anew in a view that the visitor goes on to", () => {
    focus(shown("Connect", "row", "row"));
    const view = shown("AllWallets", "cell");
    focus(view);
    expect(document.activeElement).toBe(view);
  });
});
