import { describe, expect, it, vi } from "vitest";
import { stage } from "./stage";

const DEEP = "WALLETCONNECT_DEEPLINK_CHOICE";

describe("link", () => {
  async function opened(payload: object) {
    const open = vi.spyOn(window, "open").mockReturnValue(null);
    const staged = await stage();
    staged.frame.send("link", payload);
    await staged.frame.settled();
    return { ...staged, calls: open.mock.calls };
  }
  const deep = { href: "lantern://", name: "Lantern" };

  it("is opened in the host's window", async () => {
    const { calls } = await opened({ href: "lantern://wc?uri=x", target: "_self", deep });
    expect(calls).toEqual([["lantern://wc?uri=x", "_self", "noreferrer,noopener"]]);
  });

  it("remembers the app", async () => {
    await opened({ href: "lantern://wc?uri=x", target: "_self", deep });
    expect(localStorage.getItem(DEEP)).toBe(JSON.stringify(deep));
  });

  it("forgets the app when there is none", async () => {
    localStorage.setItem(DEEP, "{}");
    await opened({ href: "https://wallet.example/", target: "_blank", deep: null });
    expect(localStorage.getItem(DEEP)).toBeNull();
  });

  it("leaves the frame of a host that is framed itself", async () => {
    vi.spyOn(window, "top", "get").mockReturnValue({} as Window);
    const { calls } = await opened({ href: "lantern://wc", target: "_self", deep: null });
    expect(calls[0]![1]).toBe("_top");
  });

  it.each([
    "javascript:alert(1)", " java\nscript:alert(1)", "data:text/html,x", "blob:https://host.example/1", "file:///etc/passwd", "about:blank", "no link", "", 7,
  ])("refuses %j", async (href) => {
    const { calls, modal } = await opened({ href, target: "_blank", deep: null });
    expect([calls, modal.dropped]).toEqual([[], 1]);
  });

  it("refuses another target", async () => {
    expect((await opened({ href: "https://wallet.example/", target: "host", deep: null })).calls).toEqual([]);
  });

  it("refuses an app whose link is script", async () => {
    expect((await opened({ href: "https://wallet.example/", target: "_blank", deep: { href: "javascript:1", name: "x" } })).calls).toEqual([]);
  });
});
