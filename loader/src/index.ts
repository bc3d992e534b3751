/** Puts `WalletModal` on the page. */
import { defineElements } from "./elements";
import { create } from "./modal";

// A page that loads the script twice keeps the first: the elements are defined once, and belong to it.
if (!window.WalletModal) {
  window.WalletModal = { create };
  defineElements();
}
