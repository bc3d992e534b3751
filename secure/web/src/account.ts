/** The fifth script: the end of an account. Fetched by who deletes it. */
export { deleteAccount } from "./account/deletion";
