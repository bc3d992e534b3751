/** What calls do, one after the other, as sections of a card. */
import type { Section } from "../cards/card";
import { t } from "../language";
import type { Call } from "../requests/calls";
import type { Asked, SmartAccountTools } from "../scripts";

interface Described {
  title: string;
  sections: Section[];
  warnings: string[];
}

/** Reads calls that are made at once; each keeps its own words, and warnings are said once. */
export function describeCalls(calls: readonly Call[], { chain, addresses }: Asked, { readCall, checksummed, coins }: SmartAccountTools): Described {
  const read = calls.map((call) => readCall({ ...call, to: checksummed(call.to) }, chain, checksummed, addresses.evm));
  const sections = read.flatMap(({ title, sections: [first, ...rest] }, index) => [{ title: `${index + 1}. ${title}`, rows: first?.rows ?? [] }, ...rest]);
  const value = calls.reduce((sum, call) => sum + call.value, 0n);
  const total = value ? [{ title: t`In all`, rows: [{ label: t`Amount`, value: coins(chain, value) }] }] : [];
  const count = calls.length;
  const title = count === 1 ? (read[0]?.title ?? "") : t`Make ${count} calls at once`;
  return { title, sections: [...sections, ...total], warnings: [...new Set(read.flatMap(({ warnings }) => warnings))] };
}
