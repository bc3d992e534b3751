import { afterEach, describe, expect, it, vi } from "vitest";
import { openPopup } from "$/public/external/walletmodal/components/popup_button/popup_button/../popup.ts";

function opening(made: object | null) {
  const open = vi.fn((..._given: string[]) => made);
  vi.stubGlobal("window", { open, screenX: 0, screenY: 0, outerWidth: 1200, outerHeight: 900 });
  return open;
}

afterEach(() => vi.unstubAllGlobals());

describe("a page in a window of its own", () => {
  it("is opened in the asked size, empty at first, and then led to the page", () => {
    const replace = vi.fn();
    const open = opening({ closed: false, location: { replace } });
    expect(openPopup("https://pay.example/x", 600, 800)).not.toBeNull();
    const [href, target, features] = open.mock.calls[0]!;
    expect([href, target]).toEqual(["", "_blank"]);
    expect(features).toMatch(/^popup,width=600,height=800,/);
    expect(replace).toHaveBeenCalledWith("https://pay.example/x");
  });

  it("learns nothing of ours: it has no opener once it is led there", () => {
    const order: string[] = [];
    const made = {
      closed: false,
      location: { replace: () => order.push("led") },
      set opener(value: unknown) {
        order.push(`opener ${value}`);
      },
    };
    opening(made);
    openPopup("https://pay.example/x", 600, 800);
    // The other way round a frame in a sandbox may not lead it.
    expect(order).toEqual(["led", "opener null"]);
  });

  it("is said to be blocked where the browser gives none", () => {
    opening(null);
    expect(openPopup("https://pay.example/x", 600, 800)).toBeNull();
  });

  it("is said to be blocked where a blocker has closed it", () => {
    opening({ closed: true });
    expect(openPopup("https://pay.example/x", 600, 800)).toBeNull();
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "blob:https://a.example/1", "no link", "", "file:///etc/passwd"])("is not opened for %j", (href) => {
    const open = opening(null);
    expect([openPopup(href, 600, 800), open.mock.calls.length]).toEqual([null, 0]);
  });
});
