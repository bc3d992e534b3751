import { expect, it } from "vitest";
import { lookup, mark, swappedBack } from "$/public/external/walletmodal/components/language/language/mark.ts";

// As in tests/web/test_texts.py.
it.each([
  ["Close", 0, 125916],
  ["tab\u0004Send", 1, 91528],
  ["Zurück – 戻る 🙂", 7, 9710],
])("makes the numbers that the server makes: %s", (text, seed, made) => {
  expect(mark(text, seed, 18)).toBe(made);
});

it("swaps letters back", () => {
  expect(swappedBack("xx ab 🙂", "дxa🙂")).toBe("дд 🙂b a");
});

it("finds each text by the gap between its number and the one before", () => {
  const [first, second] = [9710, 125916];
  const digits = (gap: number) => [12, 6, 0].map((place) => String.fromCharCode(48 + ((gap >> place) & 63))).join("");
  const answer = { seed: 7, bits: 18, gaps: digits(first), swapped: "дa", texts: "Nach links" };
  expect(lookup(answer)("Zurück – 戻る 🙂")).toBe("Nдch links");
  const both = { seed: 0, bits: 18, gaps: digits(first) + digits(second - first), swapped: "", texts: "Anderes\x7fSchließen" };
  expect([lookup(both)("Close"), lookup(both)("Open")]).toEqual(["Schließen", undefined]);
});
