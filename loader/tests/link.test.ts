import { afterEach, describe, expect, it, vi } from "vitest";
import { stage } from "./stage";

const DEEP = "WALLETCONNECT_DEEPLINK_CHOICE";
const INTERRUPTED = "walletmodal:interrupted";

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

  it("that leaves the page has the embedded wallet asked when it is back", async () => {
    const { calls } = await opened({ href: "https://secure.example/oauth/go/google/a", target: "_self", deep: null, leaves: true });
    expect(calls).toHaveLength(1);
    expect(JSON.parse(localStorage.getItem(INTERRUPTED)!)).toEqual({ namespace: "", connector: "ID_AUTH", wallet: null });
  });

  it.each([undefined, 1, "true"])("that does not leave it (%j) has nobody asked", async (leaves) => {
    await opened({ href: "https://secure.example/oauth/go/google/a", target: "_self", deep: null, leaves });
    expect(localStorage.getItem(INTERRUPTED)).toBeNull();
  });
});

describe("a page that is back from a login", () => {
  const MARK = "result_uri=https%3A%2F%2Fsecure.example%2Foauth%2Fdone%2Fgoogle";

  afterEach(() => history.replaceState(null, "", "/"));

  /** The page's address once the modal has been told of it, and what it was told. */
  async function back(address: string, left = true) {
    history.replaceState({ kept: 1 }, "", address);
    if (left) localStorage.setItem(INTERRUPTED, JSON.stringify({ namespace: "", connector: "ID_AUTH", wallet: null }));
    const { frame } = await stage();
    const { payload } = await frame.next("init");
    await frame.settled();
    return [location.pathname + location.search + location.hash, payload.host.url.includes(MARK), payload.snapshot.storage.interrupted?.connector];
  }

  it.each([
    [`/shop?${MARK}`, "/shop"],
    [`/shop?item=7&${MARK}`, "/shop?item=7"],
    [`/shop?${MARK}&item=%20#part`, "/shop?item=%20#part"],
    [`/shop?a=1&${MARK}&b=2`, "/shop?a=1&b=2"],
  ])("tells the modal, and drops the mark: %s", async (address, after) => {
    expect(await back(address)).toEqual([after, true, "ID_AUTH"]);
  });

  it("keeps the state of its history", async () => {
    await back(`/shop?${MARK}`);
    expect(history.state).toEqual({ kept: 1 });
  });

  it("that was left for none keeps its address", async () => {
    expect(await back(`/shop?${MARK}`, false)).toEqual([`/shop?${MARK}`, true, undefined]);
  });
});
