import { expect, it } from "vitest";
import { frameOf, SRC } from "./stage";

it("a click on an element that came before the modal is carried out once the frame is ready", async () => {
  await import("../src/index");
  const element = document.body.appendChild(document.createElement("wallet-modal-button"));
  element.shadowRoot!.querySelector("button")!.click();
  const frame = frameOf();
  const modal = window.WalletModal.create({ src: SRC, preload: "none" });
  frame.ready();
  expect((await frame.next("call")).payload.params.view).toBe("Connect");
  modal.destroy();
});
