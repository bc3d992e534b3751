import { afterEach, describe, expect, it, vi } from "vitest";
import { askingPage } from "../src/host_page";

const MODAL = "https://modal.example";
const SHOP = "https://shop.example";
const BANK = "https://bank.example";

afterEach(() => vi.unstubAllGlobals());

/** As a modal says that it is for a bank, with `ancestors` above the frame, the nearest first. */
function asked(ancestors?: string[]) {
  vi.stubGlobal("location", { ancestorOrigins: ancestors });
  return askingPage(BANK);
}

describe("who asks", () => {
  it("is the page around the modal, as the browser says, whatever the modal does", () => {
    expect(asked([MODAL, SHOP])).toEqual({ origin: SHOP, vouched: true });
  });

  it("is the modal itself where no page is around it", () => {
    expect(asked([MODAL])).toEqual({ origin: MODAL, vouched: true });
  });

  it("is whom the modal names in a browser that says nothing, and nobody vouches for it", () => {
    expect(asked()).toEqual({ origin: BANK, vouched: false });
  });
});
