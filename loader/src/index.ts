/** Puts `WalletModal` on the page. */
import { create } from "./modal";

// A page that loads the script twice keeps the first: the elements are defined once, and belong to it.
window.WalletModal ??= { create };
