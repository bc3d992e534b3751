// @vitest-environment happy-dom
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { NftGrid } from "$/public/external/walletmodal/components/nft_grid/nft_grid/nft_grid.tsx";

// What the grid keeps belongs to a list: each test has one of its own.
let list = 0;

/** What may be cut of each name, and what stays whole. */
async function shown(...names: string[]): Promise<string[][]> {
  const entries = JSON.stringify(names.map((name, number) => [`asset ${number}`, name, "A collection", "", ""]));
  const place = document.createElement("div");
  createRoot(place).render(createElement(NftGrid, { page: { list: ++list, number: 1, entries, more: false }, loading: false }));
  await vi.waitFor(() => expect(place.querySelectorAll(".wm-nft-name")).toHaveLength(names.length));
  const parts = [...place.querySelectorAll(".wm-nft-name")].map((name) => [...name.children]);
  return parts.map((spans) => spans.map((span) => span.textContent ?? ""));
}

it.each(["Field Badge of the Northern Harbour #7", "Field Badge #1234567", "Badge", "é", "星のバッジ 12", "Badge 🦊🦊🦊", ""])(
  "loses nothing of the name %s",
  async (name) => {
    expect((await shown(name)).map((parts) => parts.join(""))).toEqual([name]);
  },
);

it("keeps the end of a long name, by which the pieces of a collection differ", async () => {
  const numbers = ["#1", "#2", "#10", "#1234", "#1235"];
  const ends = (await shown(...numbers.map((number) => `Field Badge of the Northern Harbour ${number}`))).map((parts) => parts[1]);
  expect(ends).toEqual(numbers.map((number) => ` ${number}`));
});

it("keeps no more of a name without a number than a few letters, or there would be no room for its beginning", async () => {
  const [parts] = await shown("Supercalifragilisticexpialidocious");
  expect(parts![1]!.length).toBe(6);
});
