// @vitest-environment happy-dom
import { createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { PendingEntry } from "$/public/external/walletmodal/components/activity_list/activity_list/pending.tsx";

const ROW = {
  id: "1",
  hash: "0xab",
  link: "",
  title: "Send",
  amount: "2.5 USDC",
  image: "",
  received: "",
  receiver: "0xd8...A96045",
  name: "",
  label: "Confirmed",
  tone: "good",
};

it.each(["waiting", "good"])("shows the picture of what a transaction moves while its tone is %s", (tone) => {
  const place = document.createElement("ul");
  const row = { ...ROW, tone, image: "/images/remote/usdc" };
  flushSync(() => createRoot(place).render(createElement(PendingEntry, { row })));
  expect(place.querySelector(".wm-entry-picture img")?.getAttribute("src")).toBe("/images/remote/usdc");
});

it("shows the symbol in the place of a picture that is not known", () => {
  const place = document.createElement("ul");
  flushSync(() => createRoot(place).render(createElement(PendingEntry, { row: ROW })));
  expect([place.querySelector("img"), place.querySelector(".wm-entry-picture")?.textContent]).toEqual([null, "USDC"]);
});
