// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configureSecure } from "$/public/external/walletmodal/components/embedded/embedded/config.ts";
import { ask, dropSecure } from "$/public/external/walletmodal/components/embedded/embedded/frame.ts";
import { holdPlace, place } from "$/public/external/walletmodal/components/embedded/embedded/place_store.ts";
import { NOT_LOADED, READY_MS } from "$/public/external/walletmodal/components/embedded/embedded/types.ts";
import { CHAINS, ORIGIN, Secure } from "./secure";

let secure: Secure;

beforeEach(() => {
  secure = new Secure();
});
afterEach(() => {
  secure.end();
  vi.useRealTimers();
});

const settled = (promise: Promise<unknown>): Promise<unknown> => promise.then((value) => value, (error: { code: number; message: string; reason: string }) => [error.code, error.message, error.reason]);

describe("the frame", () => {
  it("is made when it is first asked, hidden and with what it may do", async () => {
    const before = secure.element;
    void settled(ask("IS_CONNECTED"));
    await vi.waitFor(() => expect(secure.element).not.toBeNull());
    const { id, name, src, allow, style } = secure.element;
    expect([before, id, name, src]).toEqual([null, "w3m-iframe", "w3m-secure-iframe", `${ORIGIN}/sdk`]);
    expect([style.visibility, style.position]).toEqual(["hidden", "fixed"]);
    expect(allow).toBe(`publickey-credentials-get ${ORIGIN}; publickey-credentials-create ${ORIGIN}; clipboard-write ${ORIGIN}`);
  });

  it("goes when the site has moved", async () => {
    void settled(ask("IS_CONNECTED"));
    await vi.waitFor(() => expect(secure.element?.src).toBe(`${ORIGIN}/sdk`));
    configureSecure({ url: "https://new.example/sdk", name: "Shop", chains: CHAINS }, true);
    void settled(ask("IS_CONNECTED"));
    await vi.waitFor(() => expect(secure.element?.src).toBe("https://new.example/sdk"));
  });

  it("answers what it is asked", async () => {
    const answer = ask("IS_CONNECTED");
    await secure.start();
    await secure.answer("IS_CONNECTED", { isConnected: true });
    expect(await answer).toEqual({ isConnected: true });
  });

  it("says what went wrong, cut and with a reason that is a word", async () => {
    const answers = ["a", "b"].map((email) => settled(ask("CONNECT_EMAIL", { email })));
    await secure.start();
    await secure.refuse("CONNECT_EMAIL", { message: "Invalid email", code: -32602, reason: "invalid_email" });
    await secure.refuse("CONNECT_EMAIL", { message: "m".repeat(9_000), code: "x", reason: "<b>" }, 2);
    expect(await Promise.all(answers)).toEqual([
      [-32602, "Invalid email", "invalid_email"],
      [-32603, "m".repeat(500), ""],
    ]);
  });

  it("is told where it stands", async () => {
    void settled(ask("IS_CONNECTED"));
    await secure.start();
    const { payload } = await secure.question("SYNC_DAPP_DATA");
    expect(payload).toEqual({ metadata: { name: "Shop", description: "", url: "https://host.example", icons: [] }, projectId: "" });
    expect((await secure.question("SYNC_THEME")).payload).toEqual({ themeMode: "dark" });
  });

  it.each([
    ["another origin", { from: "https://other.example" }],
    ["another window", { source: {} }],
    ["no nonce", { nonce: "" }],
    ["an odd nonce", { nonce: "0123456789ABCDEF0123456789ABCDEF" }],
  ])("is given no port when it comes from %s", async (_, { nonce, from, source }: { nonce?: string; from?: string; source?: object }) => {
    void settled(ask("IS_CONNECTED"));
    await vi.waitFor(() => expect(secure.element).not.toBeNull());
    expect(secure.ready(nonce, from, source ?? secure.element.contentWindow)).toBe(false);
  });

  it("is given one port, however often its page says that it is there", async () => {
    void settled(ask("IS_CONNECTED"));
    await secure.start();
    expect(secure.ready()).toBe(false);
  });

  it("that was loaded anew gets another port, and what was asked before has failed", async () => {
    const lost = settled(ask("IS_CONNECTED"));
    await secure.start();
    await secure.question("IS_CONNECTED");
    expect(secure.ready("f".repeat(32))).toBe(true);
    secure.say("READY");
    expect(await lost).toEqual([-32603, "Something went wrong", ""]);
    const again = ask("IS_CONNECTED");
    await secure.answer("IS_CONNECTED", { isConnected: false }, 2);
    expect(await again).toEqual({ isConnected: false });
  });

  it("that was loaded anew is heard over its new port alone", async () => {
    void settled(ask("IS_CONNECTED"));
    await secure.start();
    const closed = secure.port!;
    secure.ready("f".repeat(32));
    secure.say("READY");
    const asked = settled(ask("GET_USER"));
    const { id } = await secure.question("GET_USER");
    closed.postMessage({ type: "@w3m-frame/GET_USER_SUCCESS", id, payload: { address: "0xforged" } });
    closed.postMessage({ type: "@w3m-frame/SHOW", payload: { height: 300 } });
    // A question of later, answered, is behind what was posted before it.
    const later = ask("IS_CONNECTED");
    await secure.answer("IS_CONNECTED", {}, 2);
    await later;
    secure.say("GET_USER_SUCCESS", { address: "0xright" }, id);
    expect([await asked, place().shown]).toEqual([{ address: "0xright" }, false]);
  });

  it("that does not come is given up, and asked for once more by the next question", async () => {
    vi.useFakeTimers();
    const late = settled(ask("IS_CONNECTED"));
    await vi.advanceTimersByTimeAsync(READY_MS);
    expect([await late, secure.element]).toEqual([[4900, NOT_LOADED, ""], null]);
    void settled(ask("IS_CONNECTED"));
    await vi.advanceTimersByTimeAsync(0);
    expect(secure.element).not.toBeNull();
  });

  it("that comes late is taken by who waits as long as it takes, though others have given up", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const tired = settled(ask("IS_CONNECTED"));
    const patient = ask("CONNECT_EMAIL", {}, true);
    await vi.advanceTimersByTimeAsync(READY_MS);
    expect(await tired).toEqual([4900, NOT_LOADED, ""]);
    vi.useRealTimers();
    await secure.start();
    await secure.answer("CONNECT_EMAIL", { action: "VERIFY_OTP" });
    expect(await patient).toEqual({ action: "VERIFY_OTP" });
  });

  it("that goes before its page came has failed", async () => {
    const lost = settled(ask("CONNECT_EMAIL", {}, true));
    await vi.waitFor(() => expect(secure.element).not.toBeNull());
    dropSecure();
    expect(await lost).toEqual([4900, NOT_LOADED, ""]);
  });

  it.each([
    ["needs nobody is given up after half a minute", "CONNECT_EMAIL", false, true],
    ["its visitor is told to be slow is not given up", "CONNECT_EMAIL", true, false],
    ["waits for a person is not given up", "CONNECT_DEVICE", false, false],
  ])("what %s", async (_, type, patient, given) => {
    let failed = false;
    ask(type, {}, patient).catch(() => {
      failed = true;
    });
    await vi.waitFor(() => expect(secure.element).not.toBeNull());
    secure.ready();
    // What waits for the answer begins with the question.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    secure.say("READY");
    await secure.question(type);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failed).toBe(given);
  });

  it("is asked nothing where there is none", async () => {
    secure.end();
    secure = new Secure({ url: "" });
    expect(await settled(ask("IS_CONNECTED"))).toEqual([4900, "There is no embedded wallet here", ""]);
  });
});

describe("its place", () => {
  const there = (): HTMLElement => {
    const here = document.createElement("div");
    here.getBoundingClientRect = () => ({ left: 20.4, top: 80, width: 360, height: 420 }) as DOMRect;
    document.body.append(here);
    return here;
  };
  const shown = (): unknown[] => {
    const { visibility, left, top, width, height } = secure.element.style;
    return [visibility, left, top, width, height];
  };

  beforeEach(async () => {
    const answer = ask("IS_CONNECTED");
    await secure.start();
    await secure.answer("IS_CONNECTED", {});
    await answer;
  });

  it("is where a view keeps it, once the frame wants to be seen", async () => {
    const leave = holdPlace(there());
    const before = secure.element.style.visibility;
    secure.say("SHOW", { height: 420 });
    await vi.waitFor(() => expect(shown()).toEqual(["visible", "20px", "80px", "360px", "420px"]));
    leave();
    expect([before, secure.element.style.visibility]).toEqual(["hidden", "hidden"]);
  });

  it("is nowhere without a view, and nowhere after the frame has hidden", async () => {
    secure.say("SHOW", { height: 420 });
    await vi.waitFor(() => expect(place().shown).toBe(true));
    const nowhere = secure.element.style.visibility;
    const leave = holdPlace(there());
    secure.say("HIDE");
    await vi.waitFor(() => expect(place().shown).toBe(false));
    expect([nowhere, secure.element.style.visibility]).toEqual(["hidden", "hidden"]);
    leave();
  });

  it("has the host page raise the modal for as long as it is seen", async () => {
    const raised = () => secure.posted.filter(([type]) => type === "raised").map(([, payload]) => payload["visible"]);
    const leave = holdPlace(there());
    const before = raised();
    secure.say("SHOW", { height: 420 });
    await vi.waitFor(() => expect(raised()).toEqual([true]));
    secure.say("RESIZE", { height: 430 });
    secure.say("HIDE");
    await vi.waitFor(() => expect(raised()).toEqual([true, false]));
    leave();
    expect(before).toEqual([]);
  });

  it("has it raised by no card that no view shows", async () => {
    secure.say("SHOW", { height: 420 });
    await vi.waitFor(() => expect(place().shown).toBe(true));
    expect(secure.posted.filter(([type]) => type === "raised")).toEqual([]);
  });

  it.each([
    [{ height: 300.2 }, 301],
    [{ height: 1e9 }, 2_000],
    [{ height: "300" }, 0],
    [{}, 0],
  ])("is as high as the frame says: %j", async (payload, height) => {
    secure.say("SHOW", { height: 1 });
    secure.say("RESIZE", payload);
    await vi.waitFor(() => expect(place().height).toBe(height));
  });
});
