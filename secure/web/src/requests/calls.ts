/** Calls of contracts that everybody should be able to read: transfers and allowances of tokens. Others are shown by their selector. */
import { hex } from "../bytes";
import type { Summary } from "../cards/card";
import { t } from "../language";
import { baseUnits, coins, dataLabel, isUnlimited, sendTitle, tokens } from "./amounts";

const UNLIMITED = t`It lets somebody else take all of a token, now and whatever you get of it later.`;
const COLLECTION = t`It lets somebody else take every item of a collection, now and later.`;
const UNKNOWN = t`It calls a function that cannot be read here. It may move anything that this account has allowed.`;
const SELF = t`It has the account call itself in a way that cannot be read here. It may move everything that this account has.`;
const LOST = t`It sends a token to its own contract. What is sent there can usually never be recovered.`;
const OTHERS = t`It moves a token out of the account that stands under From.`;
const CREATION = t`It makes a new contract.`;

/** Characters of call data that are shown. */
const SHOWN = 2048;

export interface Call {
  /** "" makes a contract. */
  to: string;
  value: bigint;
  data: Uint8Array;
}

type Argument = bigint;
type Read = (call: Call, given: Argument[], address: (given: Argument) => string) => Summary;

const KNOWN: Record<string, [count: number, read: Read]> = {
  a9059cbb: [
    2,
    ({ to }, [receiver, amount], address) => ({
      title: t`Send a token`,
      sections: [{ rows: [row(t`To`, address(receiver!)), { label: t`Amount`, value: baseUnits(amount!) }, row(t`Token contract`, to)] }],
      warnings: address(receiver!) === to ? [LOST] : [],
    }),
  ],
  "23b872dd": [
    3,
    ({ to }, [from, receiver, amount], address) => ({
      title: t`Send a token`,
      sections: [
        {
          rows: [
            row(t`From`, address(from!)),
            row(t`To`, address(receiver!)),
            { label: t`Amount or number`, value: `${amount}` },
            row(t`Token contract`, to),
          ],
        },
      ],
      warnings: [OTHERS],
    }),
  ],
  "095ea7b3": [2, allowance(t`Allow spending`, true)],
  "39509351": [2, allowance(t`Allow more spending`)],
  a22cb465: [
    2,
    ({ to }, [operator, approved], address) => ({
      title: approved ? t`Allow taking a collection` : t`Take back an allowance`,
      sections: [{ rows: [row(approved ? t`Who may take` : t`Who may no longer take`, address(operator!)), row(t`Collection`, to)] }],
      warnings: approved ? [COLLECTION] : [],
    }),
  ],
};

function allowance(title: string, orItem?: boolean): Read {
  return ({ to }, [spender, amount], address) => ({
    title: amount ? title : t`Take back an allowance`,
    sections: [{ rows: [row(t`Spender`, address(spender!)), { label: t`Amount`, value: tokens(amount!) }, row(t`Token contract`, to)] }],
    // Collections have the function too, with the number of an item in the place of the amount.
    warnings: isUnlimited(amount!) ? [UNLIMITED] : orItem ? [t`If the contract is a collection, this lets the spender take its item ${amount}.`] : [],
  });
}

const row = (label: string, value: string) => ({ label, value, tone: "code" as const });

/** Tells what a transaction of an account does; `checksummed` spells addresses. */
export function readCall(call: Call, chain: string, checksummed: (address: string) => string, account: string): Summary {
  const { to, value, data } = call;
  const paid = { label: t`Amount`, value: coins(chain, value) };
  if (!to) return { title: t`Make a contract`, sections: [{ rows: [paid, ...raw(data)] }], warnings: [CREATION] };
  if (!data.length) return { title: sendTitle(paid.value), sections: [{ rows: [row(t`To`, to), paid] }], warnings: [] };
  const known = readKnown(call, checksummed);
  const sent = value ? [{ ...paid, label: t`Sends along`, tone: "warning" as const }] : [];
  if (known) return { ...known, sections: [...known.sections, { rows: sent }] };
  const selector = data.length < 4 ? [] : [row(t`Function`, `0x${hex(data.subarray(0, 4))}`)];
  return { title: t`Contract call`, sections: [{ rows: [row(t`Contract`, to), paid, ...selector, ...raw(data)] }], warnings: [to === account ? SELF : UNKNOWN] };
}

function readKnown(call: Call, checksummed: (address: string) => string): Summary | null {
  const { data } = call;
  const selector = hex(data.subarray(0, 4));
  const found = Object.hasOwn(KNOWN, selector) ? KNOWN[selector] : undefined;
  if (!found || data.length !== 4 + 32 * found[0]) return null;
  const given = Array.from({ length: found[0] }, (_, at) => BigInt(`0x${hex(data.subarray(4 + 32 * at, 36 + 32 * at))}`));
  let clean = true;
  const address = (one: Argument) => {
    // A contract may refuse what stands before an address, or read another one.
    clean &&= one < 2n ** 160n;
    return checksummed(`0x${(one % 2n ** 160n).toString(16).padStart(40, "0")}`);
  };
  const summary = found[1](call, given, address);
  return clean ? summary : null;
}

function raw(data: Uint8Array) {
  const text = `0x${hex(data)}`;
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return data.length ? [row(dataLabel(data), cut)] : [];
}
