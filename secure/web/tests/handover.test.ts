// @vitest-environment happy-dom
import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { base64url, hex, random } from "../src/bytes";
import { halfOf } from "../src/custody";
import { Device, type Sealed } from "../src/device";
import { beHandoverWindow, beRememberWindow } from "../src/handover";
import { openStore } from "../src/storage";
import { makeSite } from "./handover_server";
import { ANN, KIM, owner, SITE, visitor } from "./handover_stage";
import { failure } from "./server";

vi.mock("../src/scripts", () => ({ loadHandover: () => import("../src/handover") }));

const UNTIL = 1_900_000_000_000;

/** All that has passed between frame and window. */
let passed: unknown[] = [];
/** The browser opens windows; another one is `denied` them. */
let opens = true;
let place: { postMessage(data: unknown): void; closed: boolean; close(): void };

beforeEach(() => {
  vi.stubGlobal("indexedDB", new IDBFactory());
  passed = [];
  opens = true;
  document.body.replaceChildren();
  const say = (data: unknown, source: object) => {
    passed.push(data);
    dispatchEvent(Object.assign(new Event("message"), { data, source, origin: location.origin }));
  };
  const opener = { postMessage: (data: unknown) => queueMicrotask(() => say(data, place)) };
  vi.stubGlobal("open", (address: string) => {
    if (!opens) return null;
    place = { closed: false, close: () => undefined, postMessage: (data) => queueMicrotask(() => say(data, opener)) };
    void (address === "/popup#handover" ? beHandoverWindow : beRememberWindow)(opener as unknown as Window);
    return place;
  });
  vi.stubGlobal("close", () => undefined);
});

afterEach(() => vi.unstubAllGlobals());

const part = (name: string) => document.querySelector<HTMLButtonElement>(`[data-testid=${name}]`);

/** Clicks as a visitor does, once it can be clicked. */
async function click(name: string, trusted = true): Promise<void> {
  await vi.waitFor(() => expect(part(name)?.disabled).toBe(false), 20_000);
  part(name)!.onclick!({ isTrusted: trusted } as PointerEvent);
}

async function approved(asking: Promise<unknown>): Promise<unknown> {
  // What fails is looked at later.
  asking.catch(() => undefined);
  await click("window-open");
  await click("popup-approve");
  const answer = await asking;
  // A frame clears its screen once the answer has left; the next one has the same document here, and would lose its card.
  await new Promise((done) => setTimeout(done));
  return answer;
}

const remember = (who: Awaited<ReturnType<typeof visitor>>) => approved(who.ask("DEVICE_REMEMBER"));
const opened = (who: Awaited<ReturnType<typeof visitor>>, said: object = {}) => who.ask("RECOVERY", { way: "window", ...said });
/** Opens the wallet on another site. */
async function opensElsewhere(): Promise<boolean> {
  const other = await visitor();
  await approved(opened(other));
  return other.custody.holds(await other.login.userWithWallet());
}

async function sentence(): Promise<string> {
  await vi.waitFor(() => expect(part("popup-error")).not.toBeNull(), 20_000);
  return part("popup-error")!.textContent!;
}

describe("a window that keeps the wallet", () => {
  it("opens it on another site, with a set of its own", async () => {
    const { wallets } = makeSite();
    const first = await owner();
    await remember(first);
    const other = await visitor();
    await approved(opened(other));
    const user = await other.login.userWithWallet();
    expect(user.wallet).toEqual((await first.login.user()).wallet);
    await other.custody.withKeys(user, (_keys, root) => expect(root).toHaveLength(16));
    expect(new Set(wallets.get(KIM)!.halves.values()).size).toBe(3);
  });

  it("tells which site asks, and for whose wallet, before anything is done", async () => {
    const { server } = makeSite();
    await remember(await owner());
    const other = await visitor();
    const asking = failure(opened(other));
    await click("window-open");
    await vi.waitFor(() => expect(part("frame-origin")?.textContent).toBe(SITE));
    expect(part("frame-summary")!.textContent).toContain(KIM);
    expect(server.paths()).not.toContain("/v1/handover/finish");
    await click("popup-reject");
    expect((await asking).code).toBe(4001);
  });

  it("takes no click in its first half second, which may have been meant for the page below", async () => {
    makeSite();
    await remember(await owner());
    const asking = failure(opened(await visitor()));
    await click("window-open");
    await vi.waitFor(() => expect(part("popup-approve")).not.toBeNull(), { interval: 5 });
    const shown = performance.now();
    await vi.waitFor(() => expect(part("popup-approve")!.disabled).toBe(false), 20_000);
    expect(performance.now() - shown).toBeGreaterThan(450);
    await click("popup-reject");
    await asking;
  });

  it("takes no click right after the window has come to the front: another one may have lain on it", async () => {
    makeSite();
    await remember(await owner());
    const asking = failure(opened(await visitor()));
    await click("window-open");
    await vi.waitFor(() => expect(part("popup-approve")?.disabled).toBe(false), 20_000);
    dispatchEvent(new Event("focus"));
    expect(part("popup-approve")!.disabled).toBe(true);
    await vi.waitFor(() => expect(part("popup-approve")!.disabled).toBe(false), 20_000);
    await click("popup-reject");
    await asking;
  });

  it("does nothing for a click that is no visitor's", async () => {
    const { server } = makeSite();
    await remember(await owner());
    const asking = failure(opened(await visitor()));
    await click("window-open");
    await click("popup-approve", false);
    await click("popup-reject");
    await asking;
    expect(server.paths()).not.toContain("/v1/handover/finish");
  });

  it("says nothing of the root or a half to anyone but the frame's key", async () => {
    makeSite();
    const first = await owner();
    await remember(first);
    const other = await visitor();
    await approved(opened(other));
    const said = JSON.stringify(passed);
    await other.custody.withKeys(await other.login.user(), (_keys, root) => {
      expect(said).not.toContain(base64url(root));
      expect(said).not.toContain(hex(root));
    });
    const store = await openStore();
    const kept = halfOf(`id-${KIM}`, (await first.login.user()).wallet!);
    const half = await (await Device.open(store)).unseal((await store.get(kept)) as Sealed, kept);
    expect(said).not.toContain(base64url(half));
  });

  it("is given no set where the visitor rejects it", async () => {
    const { windows } = makeSite();
    const asking = failure((await owner()).ask("DEVICE_REMEMBER"));
    await click("window-open");
    await click("popup-reject");
    expect([(await asking).code, windows.size]).toEqual([4001, 0]);
  });

  it("takes over the set of a frame that has the same storage", async () => {
    const { windows, wallets } = makeSite();
    const first = await owner(KIM, await openStore());
    await remember(first);
    expect([...windows]).toEqual([first.device.id]);
    expect(wallets.get(KIM)!.halves.size).toBe(1);
    const other = await visitor();
    await approved(opened(other));
    expect((await other.login.userWithWallet()).wallet).toEqual((await first.login.user()).wallet);
  });
});

it("on a device whose transfers wait, that is told before any window is opened", async () => {
  const { server, waits, windows } = makeSite();
  const first = await owner();
  waits.add(KIM);
  first.login.took({ ...(await first.login.user()), heldUntil: UNTIL });
  const asking = failure(first.ask("DEVICE_REMEMBER"));
  await click("hold-close");
  expect((await asking).reason).toBe("held");
  expect([passed.length, windows.size, server.paths().includes("/v1/wallet/half")]).toEqual([0, 0, false]);
});

describe("a window that is asked to keep the wallet once more", () => {
  it("hands it over though the server never heard of it", async () => {
    const { server } = makeSite();
    const first = await owner();
    await remember(first);
    server.fails("/v1/handover/window");
    await failure(remember(first));
    expect(await opensElsewhere()).toBe(true);
  });

  it("hands it over though the server's answer was lost", async () => {
    const { server } = makeSite();
    const first = await owner();
    server.lost.push("/v1/handover/window");
    await failure(remember(first));
    await remember(first);
    expect(await opensElsewhere()).toBe(true);
  });

  it("takes another set where the one that it has was removed", async () => {
    const { windows, wallets } = makeSite();
    const first = await owner();
    await remember(first);
    wallets.get(KIM)!.halves.delete([...windows][0]!);
    await remember(first);
    expect(await opensElsewhere()).toBe(true);
  });

  it("leaves a frame that has its storage the half that this has", async () => {
    makeSite();
    const store = await openStore();
    const first = await owner(KIM, store);
    const other = await visitor();
    await remember(first);
    await approved(opened(other));
    await remember(other);
    await first.custody.withKeys(await first.login.user(), (_keys, root) => expect(root).toHaveLength(16));
  });
});

describe("in a browser that does not tell which site is around the frame", () => {
  /** The browser loads the page that may be framed within `around` alone, and nothing in any other. */
  const surround = (around: string) => {
    vi.spyOn(document.documentElement, "append").mockImplementation((probe) => {
      const { src, onload } = probe as unknown as HTMLIFrameElement;
      const site = new URL(src, "https://wallet.example").searchParams.get("site") ?? "";
      const within = { documentElement: { dataset: { within: site } } };
      Object.defineProperty(probe, "contentDocument", { value: site === around ? within : null });
      queueMicrotask(() => onload!.call(probe as never, new Event("load")));
    });
  };
  afterEach(() => vi.restoreAllMocks());

  it("the window names the site that the modal says and the browser confirms", async () => {
    makeSite();
    await remember(await owner());
    surround(SITE);
    const asking = failure(opened(await visitor(KIM, undefined, ""), { site: SITE }));
    await click("window-open");
    await vi.waitFor(() => expect(part("frame-origin")?.textContent).toBe(SITE));
    await click("popup-reject");
    await asking;
  });

  it.each([["https://bank.example"], [""]])("nothing is handed over where the modal says %j and the browser does not", async (said) => {
    const { server } = makeSite();
    await remember(await owner());
    surround(SITE);
    const refused = await failure(opened(await visitor(KIM, undefined, ""), { site: said }));
    expect([refused.reason, refused.message.includes("does not tell which site")]).toEqual(["site", true]);
    expect(server.paths()).not.toContain("/v1/handover/start");
  });

  it("nor is a set kept", async () => {
    const { windows } = makeSite();
    const first = await owner(KIM, undefined, "");
    surround(SITE);
    expect((await failure(first.ask("DEVICE_REMEMBER", { site: "https://bank.example" }))).reason).toBe("site");
    expect(windows.size).toBe(0);
  });
});

describe("where the wallet cannot be handed over", () => {
  it("a window that keeps nothing says how it comes to", async () => {
    makeSite();
    await owner();
    const asking = failure(opened(await visitor()));
    await click("window-open");
    expect(await sentence()).toContain("Use on other sites");
    await click("popup-reject");
    expect((await asking).message).toBe("The wallet could not be opened. Please try again, or open it in another way.");
  });

  it("one that keeps another account's wallet says so, and not whose", async () => {
    makeSite();
    await remember(await owner(ANN));
    await owner();
    const asking = failure(opened(await visitor()));
    await click("window-open");
    expect(await sentence()).toContain("another account");
    expect(document.body.textContent).not.toContain(ANN);
    await click("popup-reject");
    await asking;
  });

  it("one that was removed from the devices says so, and forgets its half", async () => {
    const { windows, wallets } = makeSite();
    const first = await owner();
    await remember(first);
    wallets.get(KIM)!.halves.delete([...windows][0]!);
    const store = await openStore();
    const place = halfOf(`id-${KIM}`, (await first.login.user()).wallet!);
    await store.put(`former:${place}`, "sealed before");
    const asking = failure(opened(await visitor()));
    await click("window-open");
    await click("popup-approve");
    expect(await sentence()).toContain("removed from your devices");
    expect([await store.get(place), await store.get(`former:${place}`)]).toEqual([undefined, undefined]);
    await click("popup-reject");
    await asking;
  });

  it("one that has the storage of a site's device leaves that device its half", async () => {
    makeSite();
    const store = await openStore();
    const first = await owner(KIM, store);
    const asking = failure(opened(await visitor()));
    await click("window-open");
    await click("popup-approve");
    await sentence();
    const user = await first.login.user();
    await first.custody.withKeys(user, (_keys, root) => expect(root).toHaveLength(16));
    await click("popup-reject");
    await asking;
  });

  it("one to which the browser denies storage keeps nothing", async () => {
    const { windows } = makeSite();
    const first = await owner();
    vi.stubGlobal("indexedDB", undefined);
    const asking = failure(first.ask("DEVICE_REMEMBER"));
    await click("window-open");
    expect(await sentence()).toContain("does not let this site keep anything");
    await click("popup-reject");
    await asking;
    expect(windows.size).toBe(0);
  });

  it("a browser that opens no window leaves the card with a sentence", async () => {
    makeSite();
    await owner();
    const asking = failure(opened(await visitor()));
    opens = false;
    await click("window-open");
    await vi.waitFor(() => expect(part("window-error")?.textContent).toContain("blocked"));
    await click("window-cancel");
    expect((await asking).code).toBe(4001);
  });

  it("a window that is closed can be opened again", async () => {
    makeSite();
    await remember(await owner());
    const asking = failure(opened(await visitor()));
    await vi.waitFor(() => expect(part("window-open")).not.toBeNull());
    // Frame and window share one page here: what the window shows takes the place of the card.
    const [go, cancel, error] = [part("window-open")!, part("window-cancel")!, part("window-error")!];
    await click("window-open");
    await vi.waitFor(() => expect(part("popup-approve")).not.toBeNull());
    place.closed = true;
    await vi.waitFor(() => expect([error.textContent, go.disabled]).toEqual(["The window was closed without an answer.", false]), 20_000);
    cancel.click();
    expect((await asking).code).toBe(4001);
  });

  it("who has no wallet here keeps none in a window", async () => {
    makeSite();
    await owner();
    expect((await failure((await visitor()).ask("DEVICE_REMEMBER"))).reason).toBe("recovery_needed");
  });

  it("a box of another key opens nothing", async () => {
    makeSite();
    await remember(await owner());
    const other = await visitor();
    const asking = opened(other);
    await click("window-open");
    await vi.waitFor(() => expect(part("popup-approve")).not.toBeNull());
    dispatchEvent(
      Object.assign(new Event("message"), {
        source: place,
        origin: location.origin,
        data: { type: "walletmodal:window-answer", answer: { box: base64url(random(109)), grant: "grant" } },
      }),
    );
    await expect(asking).rejects.toThrow();
    expect((await failure(other.login.userWithWallet())).reason).toBe("recovery_needed");
  });
});
