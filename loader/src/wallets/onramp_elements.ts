/** Elements `wallet-modal-onramp`: the third script, which draws them, is fetched once there is one. */
import type { Draw, OnrampElement, OnrampScript } from "../seam";
import { page } from "./page";

/** Set by the build. */
declare const ONRAMP_INTEGRITY: string;

const second = document.currentScript as HTMLScriptElement | null;
let fetched: Promise<Draw> | undefined;

function fetchDraw(): Promise<Draw> {
  fetched ??= new Promise((resolve, reject) => {
    const script: OnrampScript = document.createElement("script");
    script.takeOnramp2 = resolve;
    script.crossOrigin = "anonymous";
    script.integrity = ONRAMP_INTEGRITY;
    // A host's policy may go by nonces.
    if (second?.nonce) script.nonce = second.nonce;
    script.onerror = () => {
      script.remove();
      fetched = undefined;
      reject();
    };
    script.src = new URL("walletmodal-onramp.js?" + ONRAMP_INTEGRITY.slice(-12), second!.src).href;
    document.head.append(script);
  });
  return fetched;
}

const placed = () => document.querySelectorAll<OnrampElement>("wallet-modal-onramp");

/** Draws the elements that are there, and those that come. */
export function drawElements(): void {
  const known = customElements.get("wallet-modal-onramp")?.prototype as OnrampElement | undefined;
  if (!known) return;
  known.draw = function (this: OnrampElement) {
    fetchDraw().then(
      // Also those for whom it did not come before.
      (draw) => [this, ...placed()].forEach((one) => one.shadowRoot || draw(one, () => page)),
      () => console.error("Could not load walletmodal-onramp.js. After an upgrade of the modal, reload the page."),
    );
  };
  placed().forEach((one) => one.draw?.());
  refreshElements();
}

/** Has the elements follow a wallet that has come or gone. */
export function refreshElements(): void {
  placed().forEach((one) => one.refresh?.());
}
