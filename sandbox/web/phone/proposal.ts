/** What an app that wants to connect asks for, held against what the phone has. */
import type { ProposalTypes, SessionTypes } from "@walletconnect/types";
import { buildApprovedNamespaces } from "@walletconnect/utils";
import { KINDS, type Kind } from "./kinds";

export type Params = ProposalTypes.Struct;

/** Indices of the chosen accounts by namespace. */
export type Chosen = ReadonlyMap<string, readonly number[]>;

/** A namespace that the app wants and the phone has. */
export interface Wanted {
  readonly kind: Kind;
  /** The networks of it that the phone has. */
  readonly chains: readonly string[];
  readonly methods: readonly string[];
  readonly required: boolean;
}

type Asked = readonly (readonly [chain: string, methods: readonly string[]])[];

/** What can be granted, in the phone's order. */
export function wantedOf({ requiredNamespaces, optionalNamespaces }: Params): readonly Wanted[] {
  const required = asked(requiredNamespaces);
  const all = [...required, ...asked(optionalNamespaces)];
  return KINDS.flatMap((kind) => {
    const fitting = all.filter(([chain]) => kind.chains.includes(chain));
    if (fitting.length === 0) return [];
    const methods = new Set(fitting.flatMap(([, names]) => names).filter((name) => kind.methods.includes(name)));
    return {
      kind,
      chains: kind.chains.filter((chain) => fitting.some(([wanted]) => wanted === chain)),
      methods: [...methods],
      required: required.some(([chain]) => kind.chains.includes(chain)),
    };
  });
}

/** Networks that the app cannot do without and the phone does not have. */
export function missingIn({ requiredNamespaces }: Params): readonly string[] {
  const chains = KINDS.flatMap((kind) => kind.chains);
  return [...new Set(asked(requiredNamespaces).map(([chain]) => chain))].filter((chain) => !chains.includes(chain));
}

/** What the session is to hold; raises where the app requires more. */
export function approvedFor(proposal: Params, chosen: Chosen): SessionTypes.Namespaces {
  const supported = KINDS.flatMap((kind) => {
    const addresses = (chosen.get(kind.namespace) ?? []).flatMap((index) => kind.addresses[index] ?? []);
    if (addresses.length === 0) return [];
    const accounts = kind.chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`));
    const { chains, methods, events } = kind;
    const held = { chains: [...chains], methods: [...methods], events: [...events], accounts };
    return [[kind.namespace, held] satisfies [string, unknown]];
  });
  return buildApprovedNamespaces({ proposal, supportedNamespaces: Object.fromEntries(supported) });
}

function asked(namespaces: ProposalTypes.RequiredNamespaces | undefined): Asked {
  // A key is a namespace with its networks, or one network.
  return Object.entries(namespaces ?? {}).flatMap(([key, { chains, methods }]) =>
    (chains ?? [key]).map((chain) => [chain, methods] as const),
  );
}
