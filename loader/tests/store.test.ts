import { describe, expect, it, vi } from "vitest";
import { FakeFrame, PATIENCE, stage } from "./stage";

describe("the store of the SDK", () => {
  let counter = 0;
  async function ask(frame: FakeFrame, payload: object) {
    const id = "s" + ++counter;
    frame.send("store", payload, id);
    return vi.waitFor(() => {
      const found = frame.log.find((message) => message.type == "stored" && message.id == id);
      if (!found) throw new Error("not yet");
      return found.payload;
    }, PATIENCE);
  }

  it("keeps a text with the host page", async () => {
    const { frame } = await stage();
    await ask(frame, { method: "set", key: "wc@2:core", value: "{}" });
    expect(localStorage.getItem("walletmodal:wc@2:core")).toBe("{}");
  });

  it.each([
    ["get", { method: "get", key: "wc@a" }, "1"],
    ["get of nothing", { method: "get", key: "wc@b" }, null],
    ["entries, its own only", { method: "entries" }, [["wc@a", "1"]]],
  ])("answers %s", async (_, question, value) => {
    localStorage.setItem("walletmodal:wc@a", "1");
    localStorage.setItem("walletmodal:interrupted", "secret");
    localStorage.setItem("wc@elsewhere", "not ours");
    const { frame } = await stage();
    expect(await ask(frame, question)).toEqual({ ok: true, value, error: null });
  });

  it("removes", async () => {
    localStorage.setItem("walletmodal:wc@a", "1");
    const { frame } = await stage();
    await ask(frame, { method: "remove", key: "wc@a" });
    expect(localStorage.getItem("walletmodal:wc@a")).toBeNull();
  });

  it.each([
    ["a key of somebody else", { method: "get", key: "@appkit/connection_status" }],
    ["a key that is none", { method: "get", key: 7 }],
    ["a value that is none", { method: "set", key: "wc@a", value: {} }],
    ["a value above 64 kB", { method: "set", key: "wc@a", value: "x".repeat(65_537) }],
    ["another method", { method: "clear", key: "wc@a" }],
  ])("refuses %s", async (_, question) => {
    const { frame } = await stage();
    expect(await ask(frame, question)).toMatchObject({ ok: false, error: { code: -32602 } });
  });

  it("keeps it for as long as the page lives when storage is denied", async () => {
    const { frame } = await stage();
    vi.spyOn(window, "localStorage", "get").mockImplementation(() => { throw new DOMException("denied", "SecurityError"); });
    await ask(frame, { method: "set", key: "wc@a", value: "1" });
    expect((await ask(frame, { method: "entries" })).value).toEqual([["wc@a", "1"]]);
  });
});
