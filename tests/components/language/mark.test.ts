import { expect, it } from "vitest";
import { mark } from "$/public/external/walletmodal/components/language/language/mark.ts";

// As in tests/web/test_texts.py.
it.each([
  ["Close", 0, "cve"],
  ["tab\u0004Send", 1, "IWW"],
  ["Zurück – 戻る 🙂", 7, "uXC"],
])("makes the marks that the server makes: %s", (text, seed, made) => {
  expect(mark(text, seed, 3)).toBe(made);
});
