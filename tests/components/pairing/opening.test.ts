import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openForRequest, openWallet, rememberApp } from "$/public/external/walletmodal/components/pairing/pairing/opening.ts";

const post = vi.fn();

function frame(visible: boolean, alone = false): void {
  const self: Record<string, unknown> = { __walletmodal: { post } };
  self.parent = alone ? self : {};
  vi.stubGlobal("window", self);
  vi.stubGlobal("document", { visibilityState: visible ? "visible" : "hidden" });
}

beforeEach(() => frame(true));
afterEach(() => {
  rememberApp(null);
  post.mockClear();
  vi.unstubAllGlobals();
});

it("a request brings the app to the front that the pairing was opened in", () => {
  openWallet("mobile", "lantern://", "Lantern", "eip155", "wc:ab@2");
  openForRequest(7, "topic");
  expect(post).toHaveBeenLastCalledWith("link", {
    href: "lantern://wc?requestId=7&sessionTopic=topic",
    target: "_self",
    deep: { href: "lantern://", name: "Lantern" },
  });
});

it("an app behind a web address opens in a tab of its own", () => {
  rememberApp({ href: "https://lantern.example/", name: "Lantern" });
  openForRequest(7, "topic");
  expect(post.mock.lastCall?.[1]).toMatchObject({ target: "_blank" });
});

it.each([
  ["a pairing by a code on the screen", () => rememberApp(null)],
  ["what was kept being nothing of ours", () => rememberApp({ href: 7, name: [] })],
  ["what was kept being script", () => rememberApp({ href: "javascript:alert(1)", name: "x" })],
  ["the page being hidden", () => (rememberApp({ href: "lantern://", name: "x" }), frame(false))],
  ["a page of its own, where the SDK does so", () => (rememberApp({ href: "lantern://", name: "x" }), frame(true, true))],
])("nothing is opened with %s", (_, given) => {
  given();
  openForRequest(7, "topic");
  expect(post).not.toHaveBeenCalled();
});
