import { afterEach, expect, it, vi } from "vitest";

vi.mock("$/utils/context-registry", () => ({ app: { initialEvents: () => [] }, eventLoop: { addEvents: vi.fn() } }));

import { speak, t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { mark } from "$/public/external/walletmodal/components/language/language/mark.ts";
import { showIn } from "$/public/external/walletmodal/components/language/language/other.ts";

const TO = "To {address}";

/** Shows the page in a language that has one text. */
async function shown(locale: string, rtl: boolean, text: string): Promise<void> {
  const gaps = String.fromCharCode(48 + mark(TO, 0, 6));
  const answer = { locale, rtl, seed: 0, bits: 6, gaps, swapped: "", texts: text };
  vi.stubGlobal("fetch", async () => Response.json(answer));
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("location", { hash: `#locale=${locale}` });
  await showIn(locale, new URL("http://localhost/v1/texts"));
}

afterEach(() => {
  speak("en", () => undefined);
  vi.unstubAllGlobals();
});

it("says a text with its values as it is", async () => {
  await shown("de", false, "An {address}");
  expect(t(TO, { address: "0x1" })).toBe("An 0x1");
});

it("says that the page runs from right to left", async () => {
  await shown("ar", true, "إلى \u2068{address}\u2069");
  expect([t(TO, { address: "0x1" }), document.documentElement.dir]).toEqual(["إلى \u20680x1\u2069", "rtl"]);
});

it("has a value that runs the other way move nothing beside it", () => {
  expect(t(TO, { address: "שקל 900" })).toBe("To \u2068שקל 900\u2069");
  expect(t(TO, { address: "Zoë's 金 🦊…" })).toBe("To Zoë's 金 🦊…");
  const within = "1 \u2068שקל\u2069 2";
  expect(t(TO, { address: `\u202e${within}\u2069\u2066` })).toBe(`To \u2068${within}\u2069`);
});

it("stays in English where the texts do not come, and has the server speak so too", async () => {
  vi.stubGlobal("fetch", async () => Response.error());
  const replaceState = vi.fn();
  vi.stubGlobal("location", { hash: "#locale=de" });
  vi.stubGlobal("history", { replaceState });
  vi.resetModules();
  const { showIn: showFirst } = await import("$/public/external/walletmodal/components/language/language/other.ts");
  const { eventLoop } = await import("$/utils/context-registry");
  await expect(showFirst("de", new URL("http://localhost/v1/texts"))).rejects.toThrow();
  expect(replaceState).toHaveBeenCalledWith(null, "", "#locale=en");
  expect(eventLoop.addEvents).toHaveBeenCalledOnce();
});
