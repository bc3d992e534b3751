import { describe, expect, it, vi } from "vitest";
import { frameOf, load, NONCE, PATIENCE, SRC, stage } from "./stage";

describe("handshake", () => {
  it("answers the frame's ready with a port for exactly the modal's origin", async () => {
    const { frame } = await stage();
    expect(frame.offers).toEqual([{ id: NONCE, origin: "https://modal.example" }]);
  });

  it("sends init first on the port", async () => {
    const { frame } = await stage({ networks: ["eip155:1"] });
    expect(frame.log[0]).toMatchObject({
      v: 1,
      type: "init",
      payload: { host: { origin: "https://host.example", standalone: false }, options: { networks: ["eip155:1"] }, snapshot: { sessions: {} } },
    });
  });

  it("gives no port to another origin", async () => {
    const { create } = await load();
    const frame = frameOf();
    create({ preload: "eager" });
    frame.ready({ origin: "https://evil.example" });
    expect(frame.offers).toEqual([]);
  });

  it("gives no port to another window", async () => {
    const { create } = await load();
    const frame = frameOf();
    create({ preload: "eager" });
    frame.ready({ source: window });
    expect(frame.offers).toEqual([]);
  });

  it("gives no port for a nonce that is none", async () => {
    const { create } = await load();
    const frame = frameOf();
    create({ preload: "eager" });
    frame.ready({ id: "short" });
    expect(frame.offers).toEqual([]);
  });

  it("counts a refused ready as dropped", async () => {
    const { create } = await load();
    const frame = frameOf();
    const modal = create({ preload: "eager" });
    frame.ready({ origin: "https://evil.example" });
    expect(modal.dropped).toBe(1);
  });

  it("leaves messages of other scripts alone", async () => {
    const { modal } = await stage();
    dispatchEvent(new MessageEvent("message", { data: "webpackOk", origin: "https://host.example" }));
    expect(modal.dropped).toBe(0);
  });

  it("gives a reloaded frame a new port", async () => {
    const { frame } = await stage();
    frame.ready();
    expect(frame.offers.length).toBe(2);
  });

  it("closes the port before", async () => {
    const { modal, frame } = await stage();
    const first = frame.port!;
    frame.ready();
    first.postMessage({ v: 1, id: "", type: "warn", payload: {} });
    await frame.settled();
    expect(modal.dropped).toBe(0);
  });

  it.each([
    ["no object", "garbage"],
    ["another version", { v: 2, id: "", type: "sync", payload: {} }],
    ["an unknown type", { v: 1, id: "", type: "toString", payload: {} }],
    ["no payload", { v: 1, id: "", type: "sync" }],
    ["a list as payload", { v: 1, id: "", type: "sync", payload: [] }],
    ["an oversized payload", { v: 1, id: "", type: "warn", payload: { message: "x".repeat(300_000) } }],
    ["commands that are no list", { v: 1, id: "", type: "commands", payload: { commands: 1 } }],
    ["commands that are none", { v: 1, id: "", type: "commands", payload: { commands: [null] } }],
    ["a state without accounts", { v: 1, id: "", type: "state", payload: { open: true } }],
    ["a shown that is no boolean", { v: 1, id: "", type: "shown", payload: { visible: "yes" } }],
    ["an answer that nobody awaits", { v: 1, id: "99", type: "result", payload: { ok: true } }],
  ])("drops and counts %s", async (_, message) => {
    const { modal, frame } = await stage();
    frame.port!.postMessage(message);
    await frame.settled();
    expect(modal.dropped).toBe(1);
  });

  it("rejects open() when no port came within 20 s", async () => {
    const { create } = await load();
    frameOf();
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers();
    const opening = expect(create().open()).rejects.toMatchObject({ code: 4900 });
    await vi.advanceTimersByTimeAsync(20_000);
    await opening;
  });

  it("names the setting and the page's origin on the console when no port came", async () => {
    const { create } = await load();
    frameOf();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers();
    create().open().catch(() => {});
    await vi.advanceTimersByTimeAsync(20_000);
    expect(log.mock.calls[0]![0]).toMatch(/ALLOWED_ORIGINS.*https:\/\/host\.example/);
  });

  it("tries again on the next open()", async () => {
    const { create } = await load();
    frameOf();
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers();
    const modal = create();
    modal.open().catch(() => {});
    await vi.advanceTimersByTimeAsync(20_000);
    modal.open().catch(() => {});
    expect(document.querySelectorAll("iframe").length).toBe(1);
  });

  it("talks to its own window when it stands alone", async () => {
    const { create } = await load();
    const offers = vi.spyOn(window, "postMessage").mockImplementation(() => {});
    create({ standalone: true, src: "https://host.example/" });
    const data = { v: 1, id: NONCE, type: "walletmodal:ready", payload: {} };
    dispatchEvent(new MessageEvent("message", { data, origin: "https://host.example", source: window }));
    const offer = [expect.objectContaining({ type: "walletmodal:port" }), "https://host.example", expect.anything()];
    await vi.waitFor(() => expect(offers).toHaveBeenCalledWith(...offer), PATIENCE);
  });

  it("makes no iframe when it stands alone", async () => {
    const { create } = await load();
    create({ standalone: true, src: SRC });
    expect(document.querySelector("iframe")).toBeNull();
  });
});
