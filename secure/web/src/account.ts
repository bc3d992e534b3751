/** The fifth script: what the site holds of the visitor, the end of an account, and the beginning of one with a passkey alone. */
export { deleteAccount } from "./account/deletion";
export { beDataWindow, showData } from "./account/data";
export { makeWallet } from "./account/newcomer";
