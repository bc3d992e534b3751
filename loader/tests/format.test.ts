import { describe, expect, it } from "vitest";
import { colourOf, floorBalance, truncate } from "../src/format";
import { ADDRESS } from "./stage";

describe("formats", () => {
  it.each([
    ["1.5", "1.5"],
    ["1.23999", "1.239"],
    ["1.0004", "1"],
    ["1.230", "1.23"],
    ["100", "100"],
    ["9999.999", "9,999.999"],
    ["123456789012345678901234.5678", "123,456,789,012,345,678,901,234.567"],
    ["0.0009", "0.000"],
    ["0", "0.000"],
    ["", "0.000"],
    ["nonsense", "0.000"],
  ])("floors the balance %s to %s", (balance, text) => {
    expect(floorBalance(balance)).toBe(text);
  });

  it("truncates what is longer", () => {
    expect(truncate(ADDRESS, 4, 6)).toBe("0xf3...b92266");
  });

  it("leaves what fits", () => {
    expect(truncate("0x12345678", 4, 6)).toBe("0x12345678");
  });

  it("takes an address's colour from its first six hex digits", () => {
    expect(colourOf(ADDRESS)).toBe("#f39Fd6");
  });
});
