import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { load, PATIENCE, SRC, stage, stoppedClock } from "./stage";

describe("preload", () => {
  const frames = () => document.querySelectorAll("iframe").length;

  it("eager loads the frame at once", async () => {
    (await load()).create({ preload: "eager" });
    expect(frames()).toBe(1);
  });

  it("none loads it with open()", async () => {
    const modal = (await load()).create({ preload: "none" });
    const before = frames();
    modal.open().catch(() => {});
    expect([before, frames()]).toEqual([0, 1]);
  });

  it("idle loads it soon", async () => {
    (await load()).create({ preload: "idle" });
    await vi.waitFor(() => expect(frames()).toBe(1), PATIENCE);
  });

  it("auto loads it when a connection is remembered", async () => {
    localStorage.setItem("@appkit/eip155:connected_connector_id", "io.wallet");
    (await load()).create({ preload: "auto" });
    await vi.waitFor(() => expect(frames()).toBe(1), PATIENCE);
  });

  it("auto waits otherwise", async () => {
    const pass = stoppedClock();
    (await load()).create({ preload: "auto" });
    await pass(60_000);
    expect(frames()).toBe(0);
  });

  it("disableAppend puts nothing into the page before open()", async () => {
    (await load()).create({ preload: "eager", disableAppend: true });
    expect(frames()).toBe(0);
  });
});

describe("the iframe", () => {
  const iframe = async (options = {}) => {
    await stage(options);
    return document.querySelector("iframe")!;
  };

  it.each([
    ["src", SRC],
    ["sandbox", "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"],
    ["title", "Wallet connection"],
  ])("has the attribute %s", async (name, value) => {
    expect((await iframe()).getAttribute(name)).toBe(value);
  });

  it("may use the clipboard and hand passkeys on, for the modal's origin only", async () => {
    expect((await iframe()).allow).toBe(
      "clipboard-read https://modal.example;clipboard-write https://modal.example;" +
        "publickey-credentials-get https://modal.example;publickey-credentials-create https://modal.example;",
    );
  });

  it("is hidden until something is shown", async () => {
    expect((await iframe()).style.visibility).toBe("hidden");
  });

  it("has a fixed colour scheme", async () => {
    expect((await iframe()).style.getPropertyPriority("color-scheme")).toBe("important");
  });

  it("takes its z-index from the theme", async () => {
    const staged = await stage({ themeVariables: { "--w3m-z-index": 5 } });
    staged.frame.send("shown", { visible: true });
    await staged.frame.settled();
    expect(document.querySelector("iframe")!.style.zIndex).toBe("5");
  });

  it.each(["0", "-3", "auto"])("stands before the page where the theme says %s", async (zIndex) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const staged = await stage({ themeVariables: { "--w3m-z-index": zIndex } });
    staged.frame.send("shown", { visible: true });
    await staged.frame.settled();
    expect(+document.querySelector("iframe")!.style.zIndex).toBeGreaterThan(0);
  });

  it("takes a new z-index while it is shown", async () => {
    const staged = await stage();
    staged.frame.send("shown", { visible: true });
    await staged.frame.settled();
    staged.modal.setThemeVariables({ "--w3m-z-index": 7 });
    expect(document.querySelector("iframe")!.style.zIndex).toBe("7");
  });

  describe("over all of the page", () => {
    /** A browser's top layer: the iframe is in it while it is an open popover. */
    let shows: ReturnType<typeof vi.fn>;

    beforeEach(() => {
      shows = vi.fn();
      Object.assign(HTMLElement.prototype, { showPopover: shows });
    });

    afterEach(() => {
      delete (HTMLElement.prototype as Partial<HTMLElement>).showPopover;
    });

    /** A modal that was told these, one after the other. */
    async function told(...messages: [type: string, visible: boolean][]) {
      const staged = await stage();
      for (const [type, visible] of messages) staged.frame.send(type, { visible });
      await staged.frame.settled();
      return [document.querySelector("iframe")!.popover, shows.mock.calls.length];
    }

    it("is not the place of the modal", async () => {
      expect(await told(["shown", true])).toEqual([null, 0]);
    });

    it("it is while the secure frame shows something", async () => {
      expect(await told(["shown", true], ["raised", true])).toEqual(["manual", 1]);
    });

    it("it is no longer once that is over", async () => {
      expect(await told(["shown", true], ["raised", true], ["raised", false])).toEqual([null, 1]);
    });

    it("it is no longer once the modal is closed, and not when it is opened again", async () => {
      expect(await told(["shown", true], ["raised", true], ["shown", false], ["shown", true])).toEqual([null, 1]);
    });

    it("nothing is brought that is not shown", async () => {
      expect(await told(["raised", true])).toEqual([null, 0]);
    });

    it("no card in the page's flow is brought", async () => {
      document.body.append(document.createElement("wallet-modal-embed"));
      const staged = await stage({ enableEmbedded: true });
      staged.frame.send("shown", { visible: true });
      staged.frame.send("raised", { visible: true });
      await staged.frame.settled();
      expect([document.querySelector("iframe")!.popover, shows.mock.calls.length]).toEqual([null, 0]);
    });

    it("a browser without popovers brings nothing, and says nothing", async () => {
      delete (HTMLElement.prototype as Partial<HTMLElement>).showPopover;
      const staged = await stage();
      staged.frame.send("shown", { visible: true });
      staged.frame.send("raised", { visible: true });
      await staged.frame.settled();
      expect([staged.modal.dropped, document.querySelector("iframe")!.style.visibility]).toEqual([0, ""]);
    });

    it("a modal whose iframe the host has taken away can be destroyed", async () => {
      const staged = await stage();
      staged.frame.send("shown", { visible: true });
      staged.frame.send("raised", { visible: true });
      await staged.frame.settled();
      document.body.replaceChildren();
      expect(() => staged.modal.destroy()).not.toThrow();
    });
  });

  it("is as high as its card when embedded", async () => {
    document.body.append(document.createElement("wallet-modal-embed"));
    const staged = await stage({ enableEmbedded: true });
    staged.frame.send("size", { height: 412 });
    await staged.frame.settled();
    expect(document.querySelector("iframe")!.style.height).toBe("412px");
  });

  it("keeps its height when it covers the page", async () => {
    const staged = await stage();
    staged.frame.send("size", { height: 412 });
    await staged.frame.settled();
    expect(document.querySelector("iframe")!.style.height).toBe("100%");
  });

  it("goes into the embed element when embedded", async () => {
    document.body.append(document.createElement("wallet-modal-embed"));
    expect((await iframe({ enableEmbedded: true })).parentElement!.localName).toBe("wallet-modal-embed");
  });

  it("waits for the embed element when embedded", async () => {
    (await load()).create({ enableEmbedded: true, preload: "eager" });
    expect(document.querySelector("iframe")).toBeNull();
  });

  it("says that the embed element is missing to those who open it", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const pass = stoppedClock();
    const modal = (await load()).create({ enableEmbedded: true });
    const opened = modal.open().catch((error: Error) => error);
    await pass(20_000);
    expect(await opened).toMatchObject({ code: 4900, message: expect.stringContaining("<wallet-modal-embed>") });
  });

  it("is never hidden when embedded", async () => {
    document.body.append(document.createElement("wallet-modal-embed"));
    expect((await iframe({ enableEmbedded: true })).style.visibility).toBe("");
  });
});

describe("shown", () => {
  const rules = () => document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join();

  async function shown() {
    const button = document.createElement("button");
    document.body.append(button);
    button.focus();
    const staged = await stage();
    staged.frame.send("shown", { visible: true });
    await staged.frame.settled();
    return { ...staged, button };
  }

  it("brings the frame forward", async () => {
    await shown();
    expect(document.querySelector("iframe")!.style.visibility).toBe("");
  });

  it("gives the frame the focus", async () => {
    await shown();
    expect(document.activeElement!.localName).toBe("iframe");
  });

  it.each(["overflow: hidden", "touch-action: none", "overscroll-behavior: contain"])("locks the page with %s", async (rule) => {
    await shown();
    expect(rules()).toContain(rule);
  });

  it("leaves the host's own style attribute alone", async () => {
    document.documentElement.setAttribute("style", "overflow: scroll");
    await shown();
    expect(document.documentElement.getAttribute("style")).toBe("overflow: scroll");
    document.documentElement.removeAttribute("style");
  });

  it("hides the frame at the end", async () => {
    const { frame } = await shown();
    frame.send("shown", { visible: false });
    await frame.settled();
    expect(document.querySelector("iframe")!.style.visibility).toBe("hidden");
  });

  it("frees the page at the end", async () => {
    const { frame } = await shown();
    frame.send("shown", { visible: false });
    await frame.settled();
    expect(rules()).not.toContain("overflow");
  });

  it("gives the focus back at the end", async () => {
    const { frame, button } = await shown();
    frame.send("shown", { visible: false });
    await frame.settled();
    expect(document.activeElement).toBe(button);
  });

  it("leaves the focus where the host has put it meanwhile", async () => {
    const { frame } = await shown();
    const other = document.body.appendChild(document.createElement("input"));
    other.focus();
    frame.send("shown", { visible: false });
    await frame.settled();
    expect(document.activeElement).toBe(other);
  });

  it("frees the page when the modal is destroyed", async () => {
    const { modal } = await shown();
    modal.destroy();
    expect(rules()).not.toContain("overflow");
  });
});
