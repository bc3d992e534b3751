import { expect, it } from "vitest";
import { mark, swappedBack } from "$/public/external/walletmodal/components/language/language/mark.ts";

// As in tests/web/test_texts.py.
it.each([
  ["Close", 0, "CVE"],
  ["tab\u0004Send", 1, "iww"],
  ["Zurück – 戻る 🙂", 7, "Uxc"],
])("makes the marks that the server makes: %s", (text, seed, made) => {
  expect(mark(text, seed, 3)).toBe(made);
});

it("swaps letters back", () => {
  expect(swappedBack("xx ab 🙂", "дxa🙂")).toBe("дд 🙂b a");
});
