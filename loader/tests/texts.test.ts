import { describe, expect, it, vi } from "vitest";
import type { Options } from "../walletmodal";
import { frameOf, load, PATIENCE, SRC, stage } from "./stage";

const GERMAN = { "Connect Wallet": "Wallet verbinden", "Wallet connection": "Wallet-Verbindung" };

/** Plays the server: the texts by what is asked for as `locales`; others are not there. */
function serves(languages: Record<string, object>) {
  const asked = vi.fn(async (address: string) => {
    const locales = new URL(address).searchParams.get("locales")!;
    if (!languages[locales]) throw new TypeError("Failed to fetch");
    return { json: async () => languages[locales] } as Response;
  });
  vi.stubGlobal("fetch", asked);
  return asked;
}

/** The elements can be defined once for each page, so a page of the tests says what it would show of one. */
async function page(options: Options) {
  const { create } = await load();
  const { t } = await import("../src/texts");
  return { modal: create(options), said: () => t("Connect Wallet") };
}

const waitFor = (said: () => string, text: string) => vi.waitFor(() => expect(said()).toBe(text), PATIENCE);

describe("texts of the host page", () => {
  it("are those of the language that the host wants", async () => {
    const asked = serves({ de: { texts: GERMAN } });
    const { said } = await page({ locale: "de" });
    await waitFor(said, "Wallet verbinden");
    expect(asked.mock.calls).toEqual([[SRC + "v1/texts?of=loader&locales=de"]]);
  });

  it("are those of the browser where the host wants none", async () => {
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["de-CH", "fr"]);
    serves({ "de-CH,fr": { texts: GERMAN } });
    const { said } = await page({});
    await waitFor(said, "Wallet verbinden");
  });

  it.each(["en", "en-GB"])("are not asked for in English: %s", async (locale) => {
    const asked = serves({});
    await page({ locale });
    expect(asked).not.toHaveBeenCalled();
  });

  it("change without a reload, back to English too", async () => {
    serves({ de: { texts: GERMAN } });
    const { modal, said } = await page({ locale: "de" });
    await waitFor(said, "Wallet verbinden");
    modal.setLocale("en").catch(() => {});
    await waitFor(said, "Connect Wallet");
  });

  it("are not asked for again with other options", async () => {
    const asked = serves({ de: { texts: GERMAN } });
    const { modal, said } = await page({ locale: "de" });
    await waitFor(said, "Wallet verbinden");
    modal.updateOptions({ debug: false }).catch(() => {});
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it("are those of the language that is wanted last, whichever comes first", async () => {
    let answer: (response: object) => void = () => {};
    vi.stubGlobal("fetch", () => new Promise((resolve) => (answer = resolve)));
    const { modal, said } = await page({ locale: "fr" });
    const late = answer;
    modal.setLocale("de").catch(() => {});
    answer({ json: async () => ({ texts: GERMAN }) });
    await waitFor(said, "Wallet verbinden");
    const read = vi.fn(async () => ({ texts: { "Connect Wallet": "Connecter" } }));
    late({ json: read });
    await vi.waitFor(() => expect(read).toHaveBeenCalled(), PATIENCE);
    await read.mock.results[0]!.value;
    expect(said()).toBe("Wallet verbinden");
  });

  it.each([
    ["nothing that is listed", { error: { code: "malformed" } }],
    ["nothing at all", undefined],
  ])("stay English where the server has %s", async (_, answer) => {
    serves(answer ? { de: answer } : {});
    const { said } = await page({ locale: "de" });
    await new Promise((answered) => setTimeout(answered));
    expect(said()).toBe("Connect Wallet");
  });

  it("name the frame", async () => {
    serves({ de: { texts: GERMAN } });
    await stage({ locale: "de" });
    await vi.waitFor(() => expect(document.querySelector("iframe")!.title).toBe("Wallet-Verbindung"), PATIENCE);
  });
});

describe("an element", () => {
  it("is drawn again with the texts, but for its own label", async () => {
    serves({ de: { texts: GERMAN } });
    const { create, defineElements } = await load();
    defineElements();
    const place = (label: string) => {
      const element = document.createElement("wallet-modal-connect-button");
      if (label) element.setAttribute("label", label);
      document.body.append(element);
      return element.shadowRoot!.querySelector("button")!;
    };
    const buttons = [place(""), place("Join")];
    frameOf();
    create({ locale: "de" });
    await vi.waitFor(() => expect(buttons.map(({ textContent }) => textContent)).toEqual(["Wallet verbinden", "Join"]), PATIENCE);
  });
});
