/** Requests of Polkadot. */
import { hex } from "@scure/base";
import { sign } from "@scure/sr25519";
import { unsupportedMethod } from "../wallet/errors";
import { ACCOUNTS, secretOf } from "../wallet/polkadot/accounts";
import { askMessage } from "../wallet/question";
import { isObject, text } from "../wallet/shapes";
import { type Prepare, permitted } from "./request";

export const preparePolkadot: Prepare = async (asked) => {
  if (asked.method !== "polkadot_signMessage") throw unsupportedMethod(asked.method);
  const params = isObject(asked.params) ? asked.params : {};
  const account = permitted(ACCOUNTS, asked, params.address);
  const message = text(params.message, "message");
  // As extensions do it, so that a message cannot be a transaction.
  const wrapped = new TextEncoder().encode(`<Bytes>${message}</Bytes>`);
  return {
    question: askMessage(account.address, new TextEncoder().encode(message)),
    carryOut: async () => ({ signature: `0x${hex.encode(sign(secretOf(account), wrapped))}` }),
  };
};
