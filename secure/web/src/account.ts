/** The fifth script: what the site holds of the visitor, and the end of an account. */
export { deleteAccount } from "./account/deletion";
export { beDataWindow, showData } from "./account/data";
