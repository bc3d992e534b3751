/** Changes of who controls a Safe, as its owner may make them: another owner, or one less. One signature stays enough, and the wallet's own key stays an owner. */
import { hex } from "../bytes";
import type { Summary } from "../cards/card";
import { t } from "../language";
import type { Call } from "../requests/calls";
import type { SmartAccountTools } from "../scripts";
import { addressWord, word } from "../smart_account/abi";

/** `addOwnerWithThreshold(address,uint256)`, `removeOwner(address,address,uint256)`. */
export const [ADD, REMOVE] = ["0d582f13", "f8dc5dd9"];

/** Reads the one call that changes the owners; null for anything else. */
export function readOwnerChange(calls: readonly Call[], safe: string, owner: string, { checksummed }: SmartAccountTools): Summary | null {
  const [call, ...others] = calls;
  if (!call || others.length || call.to.toLowerCase() !== safe.toLowerCase() || call.value) return null;
  const data = hex(call.data);
  const adds = data.startsWith(ADD);
  const before = adds ? "" : data.slice(8, 72);
  const changed = `0x${data.slice(adds ? 32 : 96, adds ? 72 : 136)}`;
  const own = [owner, safe].map((one) => one.toLowerCase());
  // Safe's list begins with the address 1, and no contract of the network's own is anybody's.
  const isSomebody = /^0x(?!0{36})[0-9a-f]{40}$/.test(changed) && !own.includes(changed);
  if (!isSomebody || data !== `${adds ? ADD : REMOVE}${before}${addressWord(changed)}${word(1)}`) return null;
  const name = checksummed(changed);
  const label = adds ? t`Will control this account` : t`Will no longer control this account`;
  return {
    title: adds ? t`Add an owner` : t`Remove an owner`,
    sections: [{ rows: [{ label, value: name, tone: "code" }] }],
    warnings: adds ? [t`${name} will control this account: it can move everything in it, now and later, and remove your wallet as an owner.`] : [],
  };
}
