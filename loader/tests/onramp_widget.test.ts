import { describe, expect, it, vi } from "vitest";
import { announce, FakeWallet, load, PATIENCE, stage } from "./stage";

const ANSWER = { token: "ETH", currency: "EUR", kind: "known", gets: "0.039 ETH" };

const element = () => document.querySelector("wallet-modal-onramp")!;
const part = <E extends HTMLElement = HTMLButtonElement>(name: string) =>
  element().shadowRoot!.querySelector<E>(`[data-testid="onramp-widget-${name}"]`)!;
const input = () => part<HTMLInputElement>("amount");

function type(amount: string) {
  input().value = amount;
  input().dispatchEvent(new Event("input"));
}

async function drawn(answer: object = ANSWER, attributes: Record<string, string> = {}) {
  const { defineElements } = await load();
  if (!customElements.get("wallet-modal-onramp")) defineElements();
  const staged = await stage();
  const placed = document.createElement("wallet-modal-onramp");
  for (const [name, value] of Object.entries(attributes)) placed.setAttribute(name, value);
  document.body.append(placed);
  await vi.waitFor(() => expect(element().shadowRoot).toBeTruthy(), PATIENCE);
  const { id } = await staged.frame.next("call", ({ method }) => method == "onramp");
  staged.frame.send("result", { ok: true, value: answer, error: null }, id);
  await staged.frame.settled();
  return staged;
}

describe("the element of buying", () => {
  it("is drawn by a script of its own, and loads the frame by itself", async () => {
    await drawn();
    expect(element().shadowRoot!.querySelectorAll("button")).toHaveLength(7);
  });

  it("shows what is chosen in the modal", async () => {
    await drawn();
    expect([part("token").textContent, part("currency").textContent, part("preset-100").textContent]).toEqual(["ETH ▾", "EUR ▾", "€100"]);
  });

  it("shows what the amount buys", async () => {
    await drawn();
    expect(part("gets").textContent).toBe("About 0.039 ETH");
  });

  it("calls an example an example, and shows no figure of it", async () => {
    await drawn({ ...ANSWER, kind: "example", gets: "100 EUR" });
    expect(part("gets").textContent).toBe("Example: the provider tells the price");
  });

  it("shows what comes as text, never as markup", async () => {
    await drawn({ ...ANSWER, token: "<b>x</b>", gets: "<i>y</i>" });
    expect(element().shadowRoot!.querySelector("b, i")).toBeNull();
  });

  it("asks what a preset buys", async () => {
    const { frame } = await drawn();
    part("preset-250").click();
    expect((await frame.next("call", ({ params }) => params?.amount == "250")).payload.method).toBe("onramp");
  });

  it.each([
    ["12,5", "12.5"],
    ["1e21", ""],
    ["-5", ""],
    ["1.005", ""],
  ])("reads %s as %j", async (typed, amount) => {
    const { frame } = await drawn();
    frame.log.length = 0;
    type(typed);
    expect((await frame.next("call", ({ method }) => method == "onramp")).payload.params).toEqual({ amount });
  });

  it.each([
    ["currency", "OnRampFiatSelect"],
    ["token", "OnRampTokenSelect"],
  ])("opens the choice of the %s", async (name, view) => {
    const { frame } = await drawn();
    part(name).click();
    expect((await frame.next("call", ({ method }) => method == "open")).payload.params).toEqual({ view });
  });

  it("leads to Connect where nobody is connected", async () => {
    const { frame } = await drawn();
    expect(part("submit").textContent).toBe("Connect wallet");
    part("submit").click();
    expect((await frame.next("call", ({ method }) => method == "open")).payload.params).toEqual({ view: "Connect" });
  });

  it("leads to the providers with what was entered", async () => {
    const { frame } = await drawn();
    announce(new FakeWallet());
    await frame.snapshot(({ wallets }) => wallets.length > 0);
    await frame.run(frame.command("wallet.connect", {}));
    await vi.waitFor(() => expect(part("submit").textContent).toBe("Get quotes"), PATIENCE);
    input().value = "100";
    part("submit").click();
    const asked = await frame.next("call", ({ method }) => method == "open");
    expect(asked.payload.params).toEqual({ view: "OnRampProviders", arguments: { token: "ETH", currency: "EUR", amount: "100" } });
  });

  it("follows the page's language", async () => {
    const { modal, frame } = await drawn();
    frame.log.length = 0;
    const texts = { "Connect wallet": "Wallet verbinden", "Buys {token}, choose another token": "Kauft {token}, anderes wählen", "About {amount}": "Rund {amount}" };
    vi.stubGlobal("fetch", async () => ({ json: async () => ({ texts }) }));
    modal.setLocale("de").catch(() => {});
    const { id } = await frame.next("call", ({ method }) => method == "onramp");
    frame.send("result", { ok: true, value: ANSWER, error: null }, id);
    await vi.waitFor(() => expect(part("gets").textContent).toBe("Rund 0.039 ETH"), PATIENCE);
    expect([part("submit").textContent, part("token").ariaLabel]).toEqual(["Wallet verbinden", "Kauft ETH, anderes wählen"]);
  });

  it("takes nothing while it is disabled", async () => {
    await drawn(ANSWER, { disabled: "" });
    expect([input().disabled, part("submit").disabled]).toEqual([true, true]);
  });

  it("tells the console of a script that cannot be had, and draws both once it comes with the next element", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {});
    const { defineElements } = await load();
    if (!customElements.get("wallet-modal-onramp")) defineElements();
    const had = vi.mocked(document.head.append);
    const append = had.getMockImplementation()!;
    let refused = 0;
    had.mockImplementation((...nodes) => {
      const script = nodes[0] as HTMLScriptElement;
      if (refused || !script.src.includes("onramp")) return append(...nodes);
      refused++;
      queueMicrotask(() => script.dispatchEvent(new Event("error")));
    });
    await stage();
    document.body.append(document.createElement("wallet-modal-onramp"));
    await vi.waitFor(() => expect(told.mock.calls.flat().join()).toContain("walletmodal-onramp.js"), PATIENCE);
    expect(element().shadowRoot).toBeNull();
    const next = document.createElement("wallet-modal-onramp");
    document.body.append(next);
    await vi.waitFor(() => expect([!!next.shadowRoot, !!element().shadowRoot]).toEqual([true, true]), PATIENCE);
  });

  it("is drawn where it is placed later, once", async () => {
    await drawn();
    const later = document.createElement("wallet-modal-onramp");
    document.body.append(later);
    await vi.waitFor(() => expect(later.shadowRoot).toBeTruthy(), PATIENCE);
    const root = later.shadowRoot;
    later.remove();
    document.body.append(later);
    expect([!!root, later.shadowRoot == root]).toEqual([true, true]);
  });
});
