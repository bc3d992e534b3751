import { expect, it, vi } from "vitest";

vi.mock("$/utils/context-registry", () => ({ app: { initialEvents: () => ["all anew"] }, eventLoop: { addEvents: vi.fn() } }));
vi.mock("$/public/external/walletmodal/components/language/language/other.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});

import { eventLoop } from "$/utils/context-registry";
import { showIn } from "$/public/external/walletmodal/components/language/language/switch_language.ts";

it("has the server speak English where the script of another language does not come", async () => {
  const replaceState = vi.fn();
  vi.stubGlobal("location", { hash: "#locale=de" });
  vi.stubGlobal("history", { replaceState });
  await showIn("de", new URL("http://localhost/v1/texts"));
  vi.unstubAllGlobals();
  expect(replaceState).toHaveBeenCalledWith(null, "", "#locale=en");
  expect(eventLoop.addEvents).toHaveBeenCalledWith(["all anew"]);
});
