import { beforeEach, describe, expect, it, vi } from "vitest";

import { mark } from "../../../components/language/mark";
import { explain, speak, t } from "../src/language";

const SAID = { Approve: "Genehmigen", "Sign in to {0}": "Bei {0} anmelden", "{0} of {1}": "{1}: {0}" };
const NUMBERED = Object.entries(SAID).map(([english, text]) => [mark(english, 7, 6), text] as const).sort(([one], [other]) => one - other);
const PACKED = {
  rtl: false,
  seed: 7,
  bits: 6,
  gaps: NUMBERED.map(([number], at) => String.fromCharCode(48 + number - (NUMBERED[at - 1]?.[0] ?? 0))).join(""),
  swapped: "",
  texts: NUMBERED.map(([, text]) => text).join("\x7f"),
  errors: { "Too many tries": "Zu viele Versuche" },
};

async function inLanguage(texts = PACKED): Promise<void> {
  vi.stubGlobal("TEXTS", texts);
  vi.resetModules();
  vi.stubGlobal("walletmodalSaid", (await import("../src/said")).said);
}

beforeEach(() => void vi.unstubAllGlobals());

describe("a card in English", () => {
  it("says what is written", () => {
    const [site, count] = ["shop.example", 3];
    expect([t`Approve`, t`Sign in to ${site}`, t`${count} of ${site}`]).toEqual(["Approve", "Sign in to shop.example", "3 of shop.example"]);
    expect(explain(new Error("Too many tries"))).toBe("Too many tries");
  });

  it("is not moved by a value of another direction", () => {
    const site = "\u05e9\u05dc\u2069\u202e.example";
    expect(t`Sign in to ${site}`).toBe("Sign in to \u2068\u05e9\u05dc.example\u2069");
  });

  it("is what a visitor gets whose texts do not come", async () => {
    const root = { lang: "xx", dir: "rtl" };
    vi.stubGlobal("document", { documentElement: root });
    await speak();
    expect(root).toEqual({ lang: "en", dir: "ltr" });
    expect(t`Approve`).toBe("Approve");
  });
});

describe("texts that come late", () => {
  it("change nothing any more", async () => {
    vi.useFakeTimers();
    let arrive: (script: object) => void = () => undefined;
    vi.doMock("/sdk/xl.js", () => new Promise<object>((resolve) => (arrive = resolve)));
    vi.resetModules();
    vi.stubGlobal("document", { documentElement: { lang: "xl", dir: "ltr" } });
    const page = await import("../src/language");
    const spoken = page.speak();
    await vi.advanceTimersByTimeAsync(2999);
    expect(document.documentElement.lang).toBe("xl");
    await vi.advanceTimersByTimeAsync(1);
    await spoken;
    arrive({ said: () => "Genehmigen" });
    await vi.runAllTimersAsync();
    vi.useRealTimers();
    expect([document.documentElement.lang, page.t`Approve`]).toEqual(["en", "Approve"]);
  });
});

describe("a card in another language", () => {
  it("says so, with values in its own order", async () => {
    await inLanguage();
    const [one, all] = [1, 2];
    expect([t`Approve`, t`${one} of ${all}`, explain(new Error("Too many tries"))]).toEqual(["Genehmigen", "2: 1", "Zu viele Versuche"]);
  });

  it("never says another thing for a value", async () => {
    await inLanguage();
    const site = "Approve {1} {0}";
    expect(t`Sign in to ${site}`).toBe("Bei Approve {1} {0} anmelden");
  });

  it("is in English where the language does not have a text", async () => {
    await inLanguage();
    const site = "shop.example";
    expect([t`Reject`, t`Sign out of ${site}`, explain(new Error("constructor"))]).toEqual(["Reject", "Sign out of shop.example", "constructor"]);
  });

  it("keeps the direction of values within a sentence from right to left", async () => {
    await inLanguage({ ...PACKED, rtl: true });
    const site = "shop.example";
    expect(t`Sign in to ${site}`).toBe("Bei \u2068shop.example\u2069 anmelden");
  });
});
