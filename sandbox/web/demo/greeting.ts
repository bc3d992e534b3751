/** A message that the page has signed, by the request of the account's namespace. */
import { base58 } from "@scure/base";
import { stringToHex } from "viem/utils";
import type { Modal, Request } from "./modal";

const MESSAGE = "Hello from the host page";

const REQUESTS: Readonly<Record<string, (address: string) => Request>> = {
  eip155: (address) => ({ method: "personal_sign", params: [stringToHex(MESSAGE), address] }),
  solana: (pubkey) => ({
    method: "solana_signMessage",
    params: { message: base58.encode(new TextEncoder().encode(MESSAGE)), pubkey },
  }),
  bip122: (address) => ({ method: "signMessage", params: { message: MESSAGE, address } }),
  polkadot: (address) => ({ method: "polkadot_signMessage", params: { message: MESSAGE, address } }),
};

/** Ask the connected wallet for a signature; gives what it answered. */
export async function signGreeting(modal: Modal, address: string): Promise<unknown> {
  const namespace = modal.getActiveChainNamespace() ?? "eip155";
  const provider = modal.getProvider(namespace);
  const request = REQUESTS[namespace]?.(address);
  if (provider === undefined || request === undefined) throw new Error(`The modal has no provider for ${namespace}.`);
  return provider.request(request);
}
