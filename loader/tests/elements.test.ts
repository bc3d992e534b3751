import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { Options } from "../walletmodal";
import { connected, FakeFrame, frameOf, PATIENCE, SRC, state } from "./stage";

// The elements can be defined once for each page, so these tests share one copy of the loader.
let create: typeof import("../src/modal").create;

beforeAll(async () => {
  await import("../src/index");
  create = window.WalletModal.create;
});

const destroyed: (() => void)[] = [];

function place(name: string, attributes: Record<string, string> = {}) {
  const element = document.createElement("wallet-modal-" + name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  document.body.append(element);
  return element.shadowRoot!.querySelector("button")!;
}

async function page(change = {}, options: Options = {}) {
  destroyed.splice(0).forEach((end) => end());
  const frame = frameOf();
  const modal = create({ src: SRC, preload: "eager", ...options });
  destroyed.push(() => modal.destroy());
  frame.ready();
  await frame.next("init");
  frame.send("state", state(change));
  await frame.settled();
  return { frame, modal };
}

const viewOf = async (frame: FakeFrame) => (await frame.next("call")).payload;

describe("wallet-modal-connect-button", () => {
  it("reads Connect Wallet", async () => {
    await page();
    expect(place("connect-button").textContent).toBe("Connect Wallet");
  });

  it("takes another label", async () => {
    await page();
    expect(place("connect-button", { label: "Join" }).textContent).toBe("Join");
  });

  it("follows a label that is changed", async () => {
    await page();
    const button = place("connect-button", { label: "Join" });
    (button.getRootNode() as ShadowRoot).host.setAttribute("label", "Leave");
    expect(button.textContent).toBe("Leave");
  });

  it("reads Connecting... while loading", async () => {
    await page({ loading: true });
    expect(place("connect-button").textContent).toBe("Connecting...");
  });

  it("takes another label for loading", async () => {
    await page({ loading: true });
    expect(place("connect-button", { loadingLabel: "Wait" }).textContent).toBe("Wait");
  });

  it("is inert while loading, and keeps the focus", async () => {
    await page({ loading: true });
    const button = place("connect-button");
    expect([button.getAttribute("aria-disabled") ?? button.ariaDisabled, button.disabled]).toEqual(["true", false]);
  });

  it("opens Connect for its namespace", async () => {
    const { frame } = await page();
    place("connect-button", { namespace: "eip155" }).click();
    expect(await viewOf(frame)).toEqual({ method: "open", params: { view: "Connect", namespace: "eip155" } });
  });

  it("closes the modal that is open", async () => {
    const { frame } = await page({ open: true });
    place("connect-button").click();
    expect((await viewOf(frame)).method).toBe("close");
  });

  it("has a test id", async () => {
    await page();
    expect(place("connect-button").dataset.testid).toBe("connect-button");
  });

  it("has its namespace in the test id", async () => {
    await page();
    expect(place("connect-button", { namespace: "solana" }).dataset.testid).toBe("connect-button-solana");
  });

  it("has a small size", async () => {
    await page();
    expect(place("connect-button", { size: "sm" }).classList).toContain("sm");
  });
});

describe("wallet-modal-account-button", () => {
  it("shows balance and address", async () => {
    await page(connected());
    expect(place("account-button").textContent).toBe("1.234 ETH0xf3...b92266");
  });

  it("hides the balance", async () => {
    await page(connected());
    expect(place("account-button", { balance: "hide" }).textContent).toBe("0xf3...b92266");
  });

  it("cuts the address as asked", async () => {
    await page(connected());
    expect(place("account-button", { balance: "hide", charsStart: "6", charsEnd: "2" }).textContent).toBe("0xf39F...66");
  });

  it("prefers a name", async () => {
    await page(connected({ profileName: "vitalik.eth" }));
    expect(place("account-button", { balance: "hide" }).textContent).toBe("vitalik.eth");
  });

  it("turns while the balance is unknown", async () => {
    await page(connected({ balance: null, balanceState: "loading" }));
    expect(place("account-button").ariaBusy).toBe("true");
  });

  it("stands still while nobody is connected", async () => {
    await page();
    const button = place("account-button");
    expect([button.textContent, button.ariaBusy, button.querySelector(".s")]).toEqual(["Account", "false", null]);
  });

  it.each([
    ["shows no balance", (button: HTMLElement) => button.textContent, "0xf3...b92266"],
    ["is not busy", (button: HTMLElement) => button.ariaBusy, "false"],
  ])("%s when that cannot be read", async (_, see, value) => {
    await page(connected({ balance: null, balanceState: "unavailable" }));
    expect(see(place("account-button"))).toBe(value);
  });

  it("reads Switch Network on an unsupported one", async () => {
    await page({ ...connected(), network: { ...state().network!, unsupported: true } });
    expect(place("account-button").textContent).toContain("Switch Network");
  });

  it("opens UnsupportedChain on an unsupported network", async () => {
    const { frame } = await page({ ...connected(), network: { ...state().network!, unsupported: true } });
    place("account-button").click();
    expect((await viewOf(frame)).params.view).toBe("UnsupportedChain");
  });

  it("opens Account there with allowUnsupportedChain", async () => {
    const { frame } = await page({ ...connected(), network: { ...state().network!, unsupported: true } }, { allowUnsupportedChain: true });
    place("account-button").click();
    expect((await viewOf(frame)).params.view).toBe("Account");
  });

  it("opens Account", async () => {
    const { frame } = await page(connected());
    place("account-button").click();
    expect((await viewOf(frame)).params.view).toBe("Account");
  });

  it("does nothing when disabled", async () => {
    const { frame } = await page(connected());
    place("account-button", { disabled: "" }).click();
    await frame.settled();
    expect(frame.log.filter(({ type }) => type == "call")).toEqual([]);
  });

  it("shows foreign text as text", async () => {
    await page(connected({ profileName: "<img src=x>" }));
    expect(place("account-button", { balance: "hide" }).querySelector("img")).toBeNull();
  });

  it("has a test id", async () => {
    await page(connected());
    expect(place("account-button").dataset.testid).toBe("account-button");
  });
});

describe("a click whose answer takes long", () => {
  const kinds = ["button", "connect-button", "account-button", "network-button"];
  const clicked = async (kind: string, change = {}) => {
    const { frame } = await page(change);
    const button = place(kind);
    vi.useFakeTimers();
    button.click();
    return { frame, button };
  };
  afterEach(() => vi.useRealTimers());

  it.each(kinds)("turns within 100 ms: %s", async (kind) => {
    const { button } = await clicked(kind);
    vi.advanceTimersByTime(100);
    expect([button.ariaBusy, button.querySelectorAll(".s").length]).toEqual(["true", 1]);
  });

  it("turns where a phone shows it: in the account's pill", async () => {
    const { button } = await clicked("account-button", connected());
    vi.advanceTimersByTime(100);
    expect(button.querySelector(".p .s")).not.toBeNull();
  });

  it("keeps its words", async () => {
    const { button } = await clicked("connect-button");
    vi.advanceTimersByTime(100);
    expect(button.textContent).toBe("Connect Wallet");
  });

  it.each([true, false])("rests when there is an answer, ok: %s", async (ok) => {
    const { frame, button } = await clicked("connect-button");
    vi.advanceTimersByTime(100);
    vi.useRealTimers();
    const { id } = await frame.next("call");
    frame.send("result", { ok, value: null, error: ok ? null : { code: 4900, message: "Gone" } }, id);
    await vi.waitFor(() => expect(button.ariaBusy).toBe("false"), PATIENCE);
    expect(button.querySelector(".s")).toBeNull();
  });

  it("does not flicker when the answer is there at once", async () => {
    const { button } = await clicked("connect-button");
    vi.advanceTimersByTime(50);
    expect(button.ariaBusy).toBe("false");
  });
});

describe("wallet-modal-network-button", () => {
  it.each([
    ["the network's name", {}, {}, "Ethereum"],
    ["Select Network without one", { network: null }, {}, "Select Network"],
    ["Unknown Network for an account on none", { network: null, ...connected() }, {}, "Unknown Network"],
    ["its own label without one", { network: null }, { label: "Chain" }, "Chain"],
    ["Switch Network on an unsupported one", { ...connected(), network: { ...state().network!, unsupported: true } }, {}, "Switch Network"],
  ])("reads %s", async (_, change, attributes, text) => {
    await page(change);
    expect(place("network-button", attributes).textContent).toBe(text);
  });

  it("opens Networks", async () => {
    const { frame } = await page();
    place("network-button").click();
    expect((await viewOf(frame)).params.view).toBe("Networks");
  });

  it("is inert while loading", async () => {
    await page({ loading: true });
    expect(place("network-button").ariaDisabled).toBe("true");
  });

  it("has a test id", async () => {
    await page();
    expect(place("network-button").dataset.testid).toBe("w3m-network-button");
  });

  it("has a test id on what it shows", async () => {
    await page();
    expect(place("network-button").querySelector("[data-testid=wui-network-button]")!.textContent).toBe("Ethereum");
  });
});

describe("wallet-modal-button", () => {
  it("is a connect button without an account", async () => {
    await page();
    expect(place("button").dataset.testid).toBe("connect-button");
  });

  it("is an account button with one", async () => {
    await page(connected());
    expect(place("button").dataset.testid).toBe("account-button");
  });

  it("keeps its inner button when it changes, and with it the focus", async () => {
    const { frame } = await page();
    const button = place("button");
    frame.send("state", state(connected()));
    await frame.settled();
    expect([button.isConnected, button.dataset.testid]).toEqual([true, "account-button"]);
  });

  it("says that it opens a dialog", async () => {
    await page();
    expect(place("button").ariaHasPopup).toBe("dialog");
  });

  it("says whether that is open", async () => {
    await page({ open: true });
    expect(place("button").ariaExpanded).toBe("true");
  });

  it("follows the theme mode", async () => {
    await page({}, { themeMode: "dark" });
    expect(place("button").style.colorScheme).toBe("dark");
  });

  it("follows the system without a theme mode", async () => {
    await page();
    expect(place("button").style.colorScheme).toBe("light dark");
  });

  it("follows theme variables live", async () => {
    const { modal } = await page();
    const button = place("button");
    modal.setThemeVariables({ "--w3m-accent": "red" });
    expect(((button.getRootNode() as ShadowRoot).host as HTMLElement).style.getPropertyValue("--w3m-accent")).toBe("red");
  });

  it("lives in an open shadow root", async () => {
    await page();
    expect(place("button").getRootNode()).toBeInstanceOf(ShadowRoot);
  });

  it("loads the frame when the pointer reaches it", async () => {
    destroyed.splice(0).forEach((end) => end());
    const modal = create({ src: SRC });
    destroyed.push(() => modal.destroy());
    (place("button").getRootNode() as ShadowRoot).host.dispatchEvent(new Event("pointerenter"));
    expect(document.querySelector("iframe")).not.toBeNull();
  });

  it("reads Connect Wallet again after destroy()", async () => {
    const { modal } = await page(connected());
    const button = place("button");
    modal.destroy();
    expect(button.textContent).toBe("Connect Wallet");
  });
});

describe("wallet-modal-embed", () => {
  it("takes the frame when it is placed later", async () => {
    destroyed.splice(0).forEach((end) => end());
    const modal = create({ src: SRC, enableEmbedded: true });
    destroyed.push(() => modal.destroy());
    const embed = document.createElement("wallet-modal-embed");
    // The DOM of the tests finds a connected element only after its callback; browsers before.
    vi.spyOn(document, "querySelector").mockReturnValue(embed);
    document.body.append(embed);
    expect(embed.querySelector("iframe")).not.toBeNull();
  });
});

describe("a script that is loaded twice", () => {
  it("keeps the first", async () => {
    vi.resetModules();
    await import("../src/index");
    expect(window.WalletModal.create).toBe(create);
  });
});

describe("theme variables", () => {
  const warnings = async (themeVariables: Record<string, string>) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    await page({}, { themeVariables });
    const told = warn.mock.calls.length;
    warn.mockRestore();
    return told;
  };

  it.each([
    ["--w3m-font-size-master", "0px"],
    ["--w3m-font-size-master", "0.1em"],
    ["--w3m-font-size-master", "99px"],
    ["--w3m-font-size-master", "nonsense"],
    ["--w3m-border-radius-master", "500px"],
    ["--w3m-z-index", "0"],
  ])("warns once of %s: %s, which is out of bounds", async (name, value) => {
    expect(await warnings({ [name]: value })).toBe(1);
  });

  it("says nothing of those within", async () => {
    expect(await warnings({ "--w3m-font-size-master": "13px", "--w3m-border-radius-master": "0px", "--w3m-z-index": "5", "--w3m-accent": "red" })).toBe(0);
  });
});
