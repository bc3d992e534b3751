/** `wallet_getCapabilities` (EIP-5792): whether calls are made at once, network by network. */
import type { Data, DataObject } from "../clean";
import type { Asked } from "../scripts";
import { findBatchAccount } from "./account_type";

const MOST_CHAINS = 10;
const CHAIN = /^0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,15})$/;

/** Answers for the networks that are named, or for the one that is in use. One that cannot be asked is left out: nothing is known of it. */
export async function readCapabilities(asked: Asked, find: (asked: Asked) => Promise<{ status: string }> = findBatchAccount): Promise<Data> {
  const given = Array.isArray(asked.params) ? asked.params[1] : undefined;
  const named = (Array.isArray(given) ? given : []).filter((one): one is string => typeof one === "string" && CHAIN.test(one));
  const chains = named.length ? named.slice(0, MOST_CHAINS) : [`0x${BigInt(asked.chain.slice(7)).toString(16)}`];
  const found: DataObject = {};
  await Promise.all(
    chains.map(async (name) => {
      const account = await find({ ...asked, chain: `eip155:${BigInt(name)}` }).catch(() => null);
      if (account) found[name] = { atomic: { status: account.status } };
    }),
  );
  return found;
}
