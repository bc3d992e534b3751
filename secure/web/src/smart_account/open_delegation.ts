/** Delegations (ERC-7710) that have no limits, or none that can be read: what is told of them. */
import type { Row } from "../cards/card";
import { t } from "../language";
import type { TypedData } from "../requests/typed_data_hash";

const NOBODY = /^0x0{36}(?:0000|0a11)$/i;

const EVERYTHING = t`It has no limits: whoever has this signature can do with your account whatever you can, now and later.`;
const UNKNOWN = t`It is limited by terms that cannot be read here. Nobody can say what it allows.`;
const ANYONE = t`It is for nobody in particular: everybody who gets hold of it can use it.`;

/** Tells who may act, and warns of it; where that is anybody, in the second warning. */
export function readOpenDelegation({ message }: TypedData): [rows: [Row], warnings: string[]] {
  const { delegate, caveats } = message;
  const value = String(delegate);
  const isOpen = Array.isArray(caveats) && !caveats.length;
  return [[{ label: t`Who may act`, value, tone: "code" }], [isOpen ? EVERYTHING : UNKNOWN, ...(NOBODY.test(value) ? [ANYONE] : [])]];
}
