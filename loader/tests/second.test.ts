import { describe, expect, it, vi } from "vitest";
import { frameOf, load, SRC } from "./stage";

/** Plays a browser that answers each script as told. */
function scripts(...answers: ("error" | "load")[]) {
  const asked: HTMLScriptElement[] = [];
  vi.mocked(document.head.append).mockImplementation((...nodes) => {
    const script = nodes[0] as HTMLScriptElement;
    asked.push(script);
    queueMicrotask(() => script.dispatchEvent(new Event(answers.shift() ?? "error")));
  });
  return asked;
}

async function opened(first?: Partial<HTMLScriptElement>, ...answers: ("error" | "load")[]) {
  vi.spyOn(console, "error").mockImplementation(() => {});
  if (first) vi.spyOn(document, "currentScript", "get").mockReturnValue(first as HTMLScriptElement);
  const { create } = await load();
  vi.spyOn(document, "currentScript", "get").mockReturnValue(null);
  const asked = scripts(...answers);
  frameOf();
  const modal = create({ src: SRC });
  const failure = await modal.open().catch((error) => error);
  return { asked, failure, modal };
}

describe("the second script", () => {
  it("comes from where the first came from, pinned to what was built with it", async () => {
    const { asked } = await opened({ src: "https://modal.example/v/0.1.0/walletmodal.js", integrity: "sha384-x" });
    expect([asked[0]!.src, asked[0]!.integrity, asked[0]!.crossOrigin]).toEqual([
      "https://modal.example/v/0.1.0/walletmodal-wallets.js?sha384-built", "sha384-built", "anonymous",
    ]);
  });

  it("comes from the modal when the first was bundled into another script", async () => {
    const { asked } = await opened();
    expect(asked[0]!.src).toBe("https://modal.example/walletmodal-wallets.js?sha384-built");
  });

  it("is looked for at the modal when it does not lie beside the first", async () => {
    const { asked } = await opened({ src: "https://host.example/bundle.js", integrity: "" });
    expect(asked.map(({ src }) => new URL(src).origin)).toEqual(["https://host.example", "https://modal.example", "https://modal.example"]);
  });

  it("is never another than was built with a first one that the host has pinned", async () => {
    const { asked } = await opened({ src: SRC + "walletmodal.js", integrity: "sha384-x" });
    expect(asked.map(({ integrity }) => integrity)).toEqual(["sha384-built"]);
  });

  it("is the newer one after an upgrade of a modal that is not pinned", async () => {
    const { asked } = await opened({ src: SRC + "walletmodal.js", integrity: "" });
    expect(asked.map(({ integrity }) => integrity)).toEqual(["sha384-built", ""]);
  });

  it("carries the nonce of the first", async () => {
    const { asked } = await opened({ src: SRC + "walletmodal.js", nonce: "n0nce" });
    expect(asked[0]!.nonce).toBe("n0nce");
  });

  it("rejects open() when it cannot be had", async () => {
    const { failure } = await opened();
    expect(failure).toMatchObject({ code: 4900, message: expect.stringContaining("walletmodal-wallets.js") });
  });

  it("rejects open() when it is something else", async () => {
    const { failure } = await opened(undefined, "load", "load");
    expect(failure.code).toBe(4900);
  });

  it("is told on the console when it cannot be had", async () => {
    await opened();
    expect(vi.mocked(console.error).mock.calls[0]![0]).toContain("walletmodal-wallets.js");
  });

  it("is asked for again with the next click", async () => {
    const { asked, modal } = await opened();
    const before = asked.length;
    await modal.open().catch(() => {});
    expect(asked.length).toBe(2 * before);
  });

  it("is not fetched before the frame is wanted", async () => {
    const { create } = await load();
    const asked = scripts();
    create();
    expect(asked).toEqual([]);
  });
});
