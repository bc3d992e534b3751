// @vitest-environment happy-dom
import { act, createElement, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ask } from "$/public/external/walletmodal/components/embedded/embedded/frame.ts";
import { PasskeyButton } from "$/public/external/walletmodal/components/embedded/embedded/passkey_button.tsx";
import { SocialButton } from "$/public/external/walletmodal/components/embedded/embedded/social_button.tsx";
import { SocialWatch } from "$/public/external/walletmodal/components/embedded/embedded/social_watch.tsx";
import { ORIGIN, Secure } from "./secure";

let place: HTMLElement;
let root: Root;
let secure: Secure;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  secure = new Secure();
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});
afterEach(() => {
  act(() => root.unmount());
  place.remove();
  secure.end();
  vi.useRealTimers();
});

const show = (what: ReactNode): void => act(() => root.render(what));
const click = (): void => act(() => place.querySelector("button")!.click());

/** The window that a browser opens, or the refusal. */
function opens(): { closed: boolean; name: string; opener: unknown; close: () => void; led: unknown[] } {
  const page = { closed: false, name: "", opener: window as unknown, close: vi.fn(() => void (page.closed = true)), led: [] as unknown[] };
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    page.led.push([this.href, this.target, this.referrerPolicy, page.opener]);
  });
  vi.stubGlobal("open", vi.fn(() => page));
  return page;
}

function begin(provider = "google"): { provider: string; attempt: string; opened: boolean } {
  const begun = vi.fn();
  show(createElement(SocialButton, { site: ORIGIN, provider, onBegun: begun }));
  click();
  return begun.mock.calls[0]![0] as { provider: string; attempt: string; opened: boolean };
}

describe("the button of a provider", () => {
  it("opens the site's own address for an attempt that nobody can guess, in the click, and cuts it off from here", () => {
    const page = opens();
    const first = begin();
    // It learns who leads it, and is led while it has its opener: a frame in a sandbox may lead no other.
    expect(page.led).toEqual([[`${ORIGIN}/oauth/go/google/${first.attempt}`, page.name, "strict-origin", window]]);
    expect([page.name, page.opener]).toEqual([expect.stringMatching(/./), null]);
    expect(first).toEqual({ provider: "google", attempt: expect.stringMatching(/^[\w-]{32}$/), opened: true });
    expect(begin().attempt).not.toBe(first.attempt);
  });

  it("has the frame begin the same attempt", async () => {
    opens();
    const { attempt } = begin();
    await secure.start();
    expect((await secure.question("GET_SOCIAL_REDIRECT_URI")).payload).toEqual({ provider: "google", attempt });
  });

  it("tells when the browser opens nothing", () => {
    vi.stubGlobal("open", () => null);
    expect(begin().opened).toBe(false);
  });

  describe("where no window can be opened", () => {
    const BACK = "https://shop.example/cart";
    const URI = `${ORIGIN}/oauth/go/google/a`;

    /** What is told of a click, once the frame has answered. */
    async function leave(answer: () => Promise<void>): Promise<unknown> {
      const [begun, open] = [vi.fn(), vi.fn()];
      vi.stubGlobal("open", open);
      show(createElement(SocialButton, { site: ORIGIN, provider: "google", back: BACK, onBegun: begun }));
      click();
      await secure.start();
      await answer();
      await vi.waitFor(() => expect(begun).toHaveBeenCalled());
      expect(open).not.toHaveBeenCalled();
      return begun.mock.calls[0]![0];
    }
    const links = () => secure.posted.filter(([type]) => type === "link").map(([, payload]) => payload);

    it("has the host page go where the frame says, and come back", async () => {
      const begun = await leave(() => secure.answer("GET_SOCIAL_REDIRECT_URI", { uri: URI }));
      const { payload } = await secure.question("GET_SOCIAL_REDIRECT_URI");
      expect(begun).toEqual({ provider: "google", attempt: payload!["attempt"], opened: false, left: true, error: null });
      expect(payload).toEqual({ provider: "google", attempt: expect.stringMatching(/^[\w-]{32}$/), back: BACK });
      expect(links()).toEqual([{ href: URI, target: "_self", deep: null, leaves: true }]);
    });

    it("stays where the frame refuses, and tells why", async () => {
      const begun = await leave(() => secure.refuse("GET_SOCIAL_REDIRECT_URI", { message: "Not offered", code: -32603, reason: "not_offered" }));
      expect(begun).toMatchObject({ left: true, error: { code: -32603, message: "Not offered", reason: "not_offered" } });
      expect(links()).toEqual([]);
    });

    it("stays where the frame says no address", async () => {
      expect(await leave(() => secure.answer("GET_SOCIAL_REDIRECT_URI", {}))).toMatchObject({ error: { message: "Something went wrong" } });
      expect(links()).toEqual([]);
    });
  });

  it("closes the window of the attempt before", () => {
    const before = opens();
    begin();
    opens();
    begin("github");
    expect(before.close).toHaveBeenCalledOnce();
  });
});

describe("the watch of its window", () => {
  const seconds = (count: number): void => act(() => void vi.advanceTimersByTime(count * 1000));

  beforeEach(() => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));

  it("says that it seems closed once it has been for three seconds", () => {
    const page = opens();
    begin();
    show(createElement(SocialWatch, { attempt: "a" }, "closed"));
    page.closed = true;
    seconds(2);
    expect(place.textContent).toBe("");
    seconds(1);
    expect(place.textContent).toBe("closed");
  });

  it("takes that back when it was not so", () => {
    const page = opens();
    begin();
    show(createElement(SocialWatch, { attempt: "a" }, "closed"));
    page.closed = true;
    seconds(3);
    page.closed = false;
    seconds(1);
    expect(place.textContent).toBe("");
  });

  it("closes the window and ends the login when its view goes", async () => {
    const page = opens();
    begin();
    ask("PREPARE").catch(() => undefined);
    await secure.start();
    await secure.question("PREPARE");
    show(createElement(SocialWatch, { attempt: "a" }));
    show(null);
    expect(page.closed).toBe(true);
    await secure.question("CANCEL_SOCIAL");
  });
});

describe("the button of a passkey", () => {
  const chosen = vi.fn();

  it("is there where the browser has passkeys", () => {
    vi.stubGlobal("PublicKeyCredential", {});
    show(createElement(PasskeyButton, { onClick: chosen, "data-testid": "passkey-login-button" }, "Continue"));
    click();
    expect(chosen).toHaveBeenCalledOnce();
  });

  it("is not there where it has none", () => {
    Reflect.deleteProperty(window, "PublicKeyCredential");
    show(createElement(PasskeyButton, {}, "Continue"));
    expect(place.innerHTML).toBe("");
  });
});
