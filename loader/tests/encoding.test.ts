import { describe, expect, it } from "vitest";
import { fromBase58, fromBase64, fromHex, toBase58, toBase64, toHex, toUtf8 } from "../src/wallets/encoding";

const bytes = (...values: number[]) => Uint8Array.from(values);

describe("base58", () => {
  it.each([
    [bytes(), ""],
    [bytes(0), "1"],
    [bytes(0, 0, 1), "112"],
    [bytes(255, 255), "LUv"],
    [new TextEncoder().encode("Hello World!"), "2NEpo7TZRRrLZSi2U"],
    [new Uint8Array(32), "1".repeat(32)],
  ])("spells %o as %s, and reads it", (value, text) => {
    expect([toBase58(value), fromBase58(text)]).toEqual([text, value]);
  });

  it.each(["0", "O", "I", "l", "a b", 7, "2".repeat(20_000)])("refuses %s", (text) => {
    expect(() => fromBase58(text)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});

describe("base64 and hex", () => {
  it("are read back", () => {
    const value = bytes(0, 127, 128, 255);
    expect([fromBase64(toBase64(value)), fromHex(toHex(value))]).toEqual([value, value]);
  });

  it.each([[fromBase64, "%"], [fromBase64, 7], [fromHex, "abc"], [fromHex, "zz"], [fromHex, 7], [toUtf8, 7]])("refuse what is none", (read, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: -32602 }));
  });
});
