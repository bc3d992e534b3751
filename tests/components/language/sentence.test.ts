// @vitest-environment happy-dom
import { createElement as element } from "react";
import { createRoot } from "react-dom/client";
import { act } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { Sentence } from "$/public/external/walletmodal/components/language/sentence/sentence.tsx";

afterEach(() => vi.unstubAllGlobals());

it("puts its children where the language says them", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const place = document.createElement("p");
  const parts = [element("b", null, "terms"), element("i", null, "policy")];
  const text = "Unserer {privacy} und den {terms} wird zugestimmt";
  await act(async () => createRoot(place).render(element(Sentence, { text, names: ["terms", "privacy"] }, ...parts)));
  expect(place.innerHTML).toBe("Unserer <bdi><i>policy</i></bdi> und den <bdi><b>terms</b></bdi> wird zugestimmt");
});
