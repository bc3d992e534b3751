import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import type { Card } from "../src/cards/card";
import { Device } from "../src/device";
import { FrameError } from "../src/errors";
import type { Parts } from "../src/frame";
import { serve } from "../src/later";
import { Screen } from "../src/screen";
import { MemoryStore } from "../src/storage";
import { failure, Server } from "./server";

const HERE = { id: "a", name: "Chrome on Windows", site: "https://shop.example", current: true };
const LOST = { id: "b", name: "Safari on iOS", site: "", createdAt: Date.UTC(2026, 10, 20), current: false };

const UNTIL = 1_900_000_000_000;

/** What the visitor was shown, and what the visitor does then. */
const shown: Card[] = [];
let approves = true;
/** Until when transfers from this device wait. */
let heldUntil: number | null = null;
/** Those of the wallet. */
let passkeys: { id: string; name: string; site: string; createdAt: number }[] = [];

vi.mock("../src/later/hold", () => ({ endHold: () => Promise.reject(new FrameError("Transfers wait", 4001, "held")) }));
vi.mock("../src/scripts", () => ({
  loadRequests: async () => ({
    askConsent: (card: Card) => (shown.push(card), { card: { children: [] }, given: Promise.resolve(approves), working: () => undefined, stop: () => undefined }),
  }),
}));

beforeEach(() => {
  shown.length = 0;
  approves = true;
  heldUntil = null;
  vi.stubGlobal("document", { body: { replaceChildren: () => undefined }, getElementById: () => null });
  vi.stubGlobal("location", { ancestorOrigins: ["https://modal.example", "https://shop.example"] });
  vi.stubGlobal("ResizeObserver", class { observe() {} disconnect() {} });
});

async function open() {
  const server = new Server({
    "/v1/devices": () => ({ devices: [HERE, LOST] }),
    "/v1/devices/release": () => ({ devices: [HERE] }),
    "/v1/passkeys": () => ({ passkeys }),
    "/v1/passkeys/remove": ({ id }) => ({ passkeys: passkeys.filter((one) => one.id !== id) }),
    "/v1/devices/revoke": ({ id }) => ({ devices: [HERE, LOST].filter((one) => one.id !== id) }),
  });
  const api = new Api(await Device.open(new MemoryStore()));
  const ended = vi.fn();
  api.onSessionEnd = ended;
  const parts = { api, custody: { site: HERE.site }, screen: new Screen(() => undefined), login: { user: async () => ({ heldUntil }) } } as unknown as Parts;
  return { server, ended, ask: (type: string, payload = {}) => serve(type, payload as never, parts) };
}

describe("the devices of a wallet", () => {
  it("are listed", async () => {
    const { ask } = await open();
    expect(await ask("DEVICE_LIST")).toEqual({ devices: [HERE, LOST] });
  });

  it("are named on the card before one is removed, as the server knows them", async () => {
    const { ask, ended } = await open();
    expect(await ask("DEVICE_REVOKE", { id: "b" })).toEqual({ devices: [HERE] });
    expect(shown[0]?.sections[0]?.rows.map(({ value }) => value)).toEqual(["Safari on iOS", "Unknown"]);
    expect(ended).not.toHaveBeenCalled();
  });

  it("are let move funds once the card has named them", async () => {
    const { ask, server } = await open();
    expect(await ask("DEVICE_RELEASE", { id: "b" })).toEqual({ devices: [HERE] });
    expect(shown[0]?.title).toBe("Let this device move funds?");
    expect(shown[0]?.sections[0]?.rows.map(({ value }) => value)).toEqual(expect.arrayContaining(["Safari on iOS", expect.stringContaining("2026")]));
    expect(server.calls.at(-1)?.body).toEqual({ id: "b" });
  });

  it("go on waiting when the visitor refuses that", async () => {
    const { ask, server } = await open();
    approves = false;
    expect((await failure(ask("DEVICE_RELEASE", { id: "b" }) as Promise<unknown>)).code).toBe(4001);
    expect(server.paths()).not.toContain("/v1/devices/release");
  });

  it.each(["DEVICE_REVOKE", "DEVICE_RELEASE"])("are left alone by one that waits itself: %s", async (type) => {
    const { ask, server } = await open();
    heldUntil = UNTIL;
    expect((await failure(ask(type, { id: "b" }) as Promise<unknown>)).reason).toBe("held");
    expect([server.paths(), shown]).toEqual([["/v1/devices"], []]);
  });

  it("stay when the visitor refuses", async () => {
    const { ask, server } = await open();
    approves = false;
    expect((await failure(ask("DEVICE_REVOKE", { id: "b" }) as Promise<unknown>)).code).toBe(4001);
    expect(server.paths()).not.toContain("/v1/devices/revoke");
  });

  it.each([null, UNTIL])("end the session with this one, whether it waits or not", async (until) => {
    const { ask, ended } = await open();
    heldUntil = until;
    await ask("DEVICE_REVOKE", { id: "a" });
    expect(ended).toHaveBeenCalledOnce();
  });

  it("that are not listed are not asked about", async () => {
    const { ask } = await open();
    expect((await failure(ask("DEVICE_REVOKE", { id: "c" }) as Promise<unknown>)).reason).toBe("device_unknown");
    expect(shown).toEqual([]);
  });
});

describe("the passkeys of a wallet", () => {
  const LAPTOP = { id: "p", name: "Chrome on Windows", site: "https://shop.example", createdAt: Date.UTC(2026, 10, 20) };
  const PHONE = { id: "q", name: "Safari on iOS", site: "", createdAt: Date.UTC(2026, 10, 21) };
  const removals = (server: Server) => server.calls.filter(({ path }) => path === "/v1/passkeys/remove").map(({ body }) => body["id"]);

  beforeEach(() => {
    passkeys = [LAPTOP, PHONE];
  });

  it("are named on the card before one is removed, as the server knows them", async () => {
    const { ask, server } = await open();
    expect(await ask("PASSKEY_REMOVE", { id: "q" })).toEqual({ passkeys: [LAPTOP] });
    expect(shown[0]?.sections[0]?.rows.map(({ value }) => value)).toEqual(["Safari on iOS", "Unknown", expect.stringContaining("2026")]);
    expect(removals(server)).toEqual(["q"]);
  });

  it("stay when the visitor refuses that", async () => {
    const { ask, server } = await open();
    approves = false;
    expect((await failure(ask("PASSKEY_REMOVE", { id: "q" }) as Promise<unknown>)).code).toBe(4001);
    expect(removals(server)).toEqual([]);
  });

  it("stay where transfers of this device wait", async () => {
    const { ask, server } = await open();
    heldUntil = UNTIL;
    expect((await failure(ask("PASSKEY_REMOVE", { id: "q" }) as Promise<unknown>)).reason).toBe("held");
    expect([removals(server), shown]).toEqual([[], []]);
  });

  it("say of the last one that it is the last", async () => {
    passkeys = [LAPTOP];
    const { ask } = await open();
    await ask("PASSKEY_REMOVE", { id: "p" });
    expect(shown[0]?.warnings[0]).toContain("It is the last one");
  });

  it("are none that is not on the list", async () => {
    const { ask } = await open();
    expect((await failure(ask("PASSKEY_REMOVE", { id: "x" }) as Promise<unknown>)).reason).toBe("passkey_unknown");
  });
});
