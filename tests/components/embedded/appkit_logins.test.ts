// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
// It tells the accounts anew.
import "$/public/external/walletmodal/components/embedded/embedded/exchange.ts";
import { ask } from "$/public/external/walletmodal/components/embedded/embedded/frame.ts";
import { beginSocial } from "$/public/external/walletmodal/components/embedded/embedded/social_window.ts";
import { AppKitSite, EVM, settled, SOLANA, UNREADABLE, user } from "./appkit_site";
import { ORIGIN } from "./secure";

let site: AppKitSite;

beforeEach(() => {
  site = new AppKitSite();
});
afterEach(() => {
  site.end();
  vi.useRealTimers();
});

describe("a login by email", () => {
  it.each(["VERIFY_OTP", "VERIFY_DEVICE", "CONNECT"])("goes on with %s", async (action) => {
    const { outcome: answer } = await site.asks("CONNECT_EMAIL", { email: "kim@example.org" });
    expect(await site.answer("CONNECT_EMAIL", { action, more: 1 })).toEqual({ email: "kim@example.org" });
    expect(await answer).toEqual({ value: { action } });
  });

  it.each([[{ action: "VERIFY_PRIMARY_OTP" }], [{}], [null], ["VERIFY_OTP"]])("does not go on with %j", async (told) => {
    const { outcome: answer } = await site.asks("CONNECT_EMAIL", { email: "kim@example.org" });
    await site.answer("CONNECT_EMAIL", told);
    expect(await answer).toEqual(UNREADABLE);
  });

  it("has another mail sent by the question of before", async () => {
    const { outcome: answer } = await site.asks("RESEND_CODE", { email: "kim@example.org" });
    expect(await site.answer("CONNECT_EMAIL", { action: "VERIFY_OTP" })).toEqual({ email: "kim@example.org" });
    expect(await answer).toEqual({ value: { action: "VERIFY_OTP" } });
  });

  it("says what the site says of a wrong code", async () => {
    const { outcome: answer } = await site.asks("CONNECT_OTP", { otp: "123456" });
    await site.refuse("CONNECT_OTP", { message: "Invalid code" });
    expect(await answer).toEqual([-32603, "Invalid code"]);
  });

  it.each(["CONNECT_DEVICE", "CONNECT_OTP"])("waits for a person at %s as long as it takes", async (type) => {
    await site.there();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = settled(ask(type, { otp: "123456" }));
    await site.question(type);
    await vi.advanceTimersByTimeAsync(600_000);
    await site.answer(type);
    expect(await answer).toMatchObject({ value: undefined });
  });
});

describe("a login at a provider", () => {
  const URI = "https://provider.example/authorize?state=1";
  const back = (popup: unknown, from = ORIGIN): void => site.say({ resultUri: `${ORIGIN}/done?code=1` }, from, popup);

  async function begun(): Promise<{ popup: ReturnType<AppKitSite["opens"]>; attempt: string }> {
    const popup = site.opens();
    const { attempt, opened } = beginSocial("", "google");
    expect(opened).toBe(true);
    await site.start();
    return { popup, attempt };
  }

  it("leads a window that was opened in the click, and finishes with what that window says", async () => {
    const { popup, attempt } = await begun();
    expect(await site.answer("GET_SOCIAL_REDIRECT_URI", { uri: URI })).toEqual({ provider: "google" });
    // A site that is ours asks the visitor of every window that does not say who leads it.
    await vi.waitFor(() => expect(popup.led).toEqual([[URI, "strict-origin"]]));
    expect(popup.opener).toBe(window);
    const done = settled(ask("CONNECT_SOCIAL", { attempt }));
    await vi.waitFor(() => back(popup));
    expect(await site.answer("CONNECT_SOCIAL", { address: EVM, chainId: 1, userName: "Kim" })).toEqual({ uri: `${ORIGIN}/done?code=1` });
    expect(await done).toEqual({ value: {} });
    const account = settled(ask("GET_USER", { chainId: "eip155:1" }));
    await site.answer("GET_USER", user(EVM, { email: null }));
    expect(await account).toMatchObject({ value: { provider: "google", userName: "Kim", email: "" } });
  });

  it.each([
    ["another origin", "https://other.example", true],
    ["another window", ORIGIN, false],
  ])("is not finished by a message from %s", async (_, from, own) => {
    const { popup, attempt } = await begun();
    await site.answer("GET_SOCIAL_REDIRECT_URI", { uri: URI });
    const done = settled(ask("CONNECT_SOCIAL", { attempt }));
    back(own ? popup : {}, from);
    void settled(ask("CANCEL_SOCIAL"));
    expect(await done).toEqual([4001, "Request was aborted"]);
    expect(site.asked.map((one) => one.type)).not.toContain("@w3m-app/CONNECT_SOCIAL");
  });

  it.each([["javascript:alert(1)"], ["data:text/html,x"], ["http://provider.example"], [7]])("leads no window to %s", async (uri) => {
    const { popup, attempt } = await begun();
    await site.answer("GET_SOCIAL_REDIRECT_URI", { uri });
    expect(await settled(ask("CONNECT_SOCIAL", { attempt }))).toEqual(UNREADABLE);
    expect([popup.led, popup.closed]).toEqual([[], true]);
  });

  it("that was begun in another life of the page is over", async () => {
    const { outcome: answer } = await site.asks("CONNECT_SOCIAL", { attempt: "a".repeat(32) });
    expect(await answer).toEqual([-32603, "This login is over. Please begin again."]);
  });

  it("by email forgets by whom somebody was logged in before", async () => {
    localStorage.setItem("walletmodal-appkit-login", JSON.stringify({ provider: "google", userName: "Kim" }));
    const { outcome: answer } = await site.asks("CONNECT_OTP", { otp: "123456" });
    await site.answer("CONNECT_OTP");
    await answer;
    const account = settled(ask("GET_USER", { chainId: "eip155:1" }));
    await site.answer("GET_USER", user());
    expect(await account).toMatchObject({ value: { provider: "", userName: "" } });
  });
});

describe("a login with Farcaster", () => {
  const LINK = "https://farcaster.xyz/~/siwf?channelToken=1";

  async function begun(): Promise<string> {
    const { outcome: answer } = await site.asks("GET_FARCASTER_URI");
    await site.answer("GET_FARCASTER_URI", { url: LINK });
    const { value } = (await answer) as { value: { attempt: string; url: string } };
    expect(value).toEqual({ attempt: expect.stringMatching(/^[\w-]{32}$/), url: LINK });
    return value.attempt;
  }

  it("has a link for the app, and waits for it", async () => {
    const done = settled(ask("CONNECT_FARCASTER", { attempt: await begun() }));
    await site.answer("CONNECT_FARCASTER", { userName: "kim.eth" });
    expect(await done).toMatchObject({ value: undefined });
    expect(JSON.parse(localStorage.getItem("walletmodal-appkit-login")!)).toEqual({ provider: "farcaster", userName: "kim.eth" });
  });

  it("that nobody waits for any more ends with the page that waits, and the next one is told where it stands", async () => {
    const done = settled(ask("CONNECT_FARCASTER", { attempt: await begun() }));
    await site.question("CONNECT_FARCASTER");
    const loads = vi.spyOn(site.element, "src", "set");
    void settled(ask("CANCEL_SOCIAL"));
    expect(await done).toEqual([4001, "Request was aborted"]);
    expect(loads).toHaveBeenCalledOnce();
    site.ready();
    expect((await site.question("SYNC_DAPP_DATA", 2)).payload).toMatchObject({ projectId: "p1" });
  });

  it("has no link that is no page's", async () => {
    const { outcome: answer } = await site.asks("GET_FARCASTER_URI");
    await site.answer("GET_FARCASTER_URI", { url: "javascript:alert(1)" });
    expect(await answer).toEqual(UNREADABLE);
  });
});

describe("another email address", () => {
  it.each(["VERIFY_PRIMARY_OTP", "VERIFY_SECONDARY_OTP"])("goes on with %s", async (action) => {
    const { outcome: answer } = await site.asks("UPDATE_EMAIL", { email: "lee@example.org" });
    expect(await site.answer("UPDATE_EMAIL", { action })).toEqual({ email: "lee@example.org" });
    expect(await answer).toEqual({ value: { action } });
  });

  it("has both codes looked at, and the accounts read anew after the second", async () => {
    const { outcome: first } = await site.asks("UPDATE_EMAIL_PRIMARY_OTP", { otp: "123456" });
    expect(await site.answer("UPDATE_EMAIL_PRIMARY_OTP")).toEqual({ otp: "123456" });
    await first;
    const second = settled(ask("UPDATE_EMAIL_SECONDARY_OTP", { otp: "654321" }));
    expect(await site.answer("UPDATE_EMAIL_SECONDARY_OTP", { newEmail: "lee@example.org" })).toEqual({ otp: "654321" });
    await second;
    await site.answer("GET_USER", user(EVM, { email: "lee@example.org" }));
    await site.answer("GET_USER", user(SOLANA, { email: "lee@example.org" }), 2);
    await vi.waitFor(() => expect(site.posted).toHaveLength(1));
    expect(site.posted[0]).toMatchObject(["sessions", { sessions: { eip155: { user: { email: "lee@example.org" } } } }, undefined]);
  });
});
