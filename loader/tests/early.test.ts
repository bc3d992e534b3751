import { expect, it, vi } from "vitest";
import { frameOf, SRC } from "./stage";

it("a click on an element that came before the modal is carried out once the frame is ready, and says when it was", async () => {
  await import("../src/index");
  const element = document.body.appendChild(document.createElement("wallet-modal-button"));
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  element.shadowRoot!.querySelector("button")!.click();
  vi.useRealTimers();
  const frame = frameOf();
  const modal = window.WalletModal.create({ src: SRC, preload: "none" });
  frame.ready();
  expect((await frame.next("call")).payload.params.view).toBe("Connect");
  expect(frame.times).toEqual([1_000_000]);
  modal.destroy();
});
