/** A session with an app, as the phone looks at it and changes it. */
import type { SessionTypes } from "@walletconnect/types";
import { type Kind, kindOf } from "./kinds";

export type Session = SessionTypes.Struct;

/** The namespaces of a session that the phone knows. */
export function kindsOf(session: Session): readonly Kind[] {
  return Object.keys(session.namespaces).flatMap((namespace) => kindOf(namespace) ?? []);
}

/** The addresses that the app may see, the one in use first. */
export function addressesOf(session: Session, namespace: string): readonly string[] {
  const accounts = session.namespaces[namespace]?.accounts ?? [];
  return [...new Set(accounts.map((account) => account.slice(account.lastIndexOf(":") + 1)))];
}

/** The networks that it is connected on. */
export function chainsOf(session: Session, namespace: string): readonly string[] {
  const { chains, accounts = [] } = session.namespaces[namespace] ?? {};
  return chains ?? [...new Set(accounts.map((account) => account.slice(0, account.lastIndexOf(":"))))];
}

/** The session's namespaces with other networks or accounts in one of them. */
export function changed(
  session: Session,
  namespace: string,
  chains: readonly string[],
  addresses: readonly string[],
): SessionTypes.Namespaces {
  const before = session.namespaces[namespace];
  const accounts = chains.flatMap((chain) => addresses.map((address) => `${chain}:${address}`));
  return {
    ...session.namespaces,
    [namespace]: { methods: [], events: [], ...before, chains: [...chains], accounts },
  };
}
