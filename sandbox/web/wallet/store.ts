/** What the wallet remembers between page loads: nothing secret, for its keys are public test keys. */
import { Emitter } from "./emitter";
import { isObject } from "./shapes";

const KEY = "sandbox-wallet";

export const NAMESPACES = ["eip155", "solana", "bip122", "polkadot"] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** What is remembered of one namespace. */
export interface Kept {
  /** Index of the chosen account. */
  readonly account: number;
  /** Whether this page may see the chosen account. */
  readonly connected: boolean;
}

export interface Memory {
  /** One lock for all namespaces. */
  readonly locked: boolean;
  /** The network of eip155. */
  readonly chainId: number;
  /** Ids of eip155 that the wallet knows; others answer 4902 until they are added. */
  readonly known: readonly number[];
  readonly purses: Readonly<Record<Namespace, Kept>>;
}

const UNTOUCHED: Kept = { account: 0, connected: false };
const FIRST: Memory = {
  locked: false,
  chainId: 1,
  known: [1, 137],
  purses: { eip155: UNTOUCHED, solana: UNTOUCHED, bip122: UNTOUCHED, polkadot: UNTOUCHED },
};

/** The memory of this page's origin, kept in localStorage where the browser allows it. Tells of each change as `changed`. */
export class Store extends Emitter {
  #memory: Memory = remembered() ?? FIRST;

  get memory(): Memory {
    return this.#memory;
  }

  /** Change and keep; when storage is denied the change lasts as long as the page. */
  update(change: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#memory));
    } catch {
      // Denied or full: the page's own life is then all there is.
    }
    this.emit("changed");
  }

  /** Change what is remembered of one namespace, and with it, where given, the lock. */
  updatePurse(namespace: Namespace, change: Partial<Kept>, rest: Partial<Pick<Memory, "locked">> = {}): void {
    const { purses } = this.#memory;
    this.update({ ...rest, purses: { ...purses, [namespace]: { ...purses[namespace], ...change } } });
  }
}

function remembered(): Memory | undefined {
  let stored: unknown;
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return undefined;
  }
  if (!isObject(stored)) return undefined;
  const { locked, chainId, known, purses } = stored;
  if (typeof locked !== "boolean" || typeof chainId !== "number" || !Array.isArray(known) || !isObject(purses)) return undefined;
  if (!known.every((id): id is number => Number.isSafeInteger(id) && id > 0) || !known.includes(chainId)) return undefined;
  const { eip155, solana, bip122, polkadot } = purses;
  if (!isKept(eip155) || !isKept(solana) || !isKept(bip122) || !isKept(polkadot)) return undefined;
  return { locked, chainId, known, purses: { eip155, solana, bip122, polkadot } };
}

function isKept(value: unknown): value is Kept {
  return isObject(value) && Number.isSafeInteger(value.account) && typeof value.connected === "boolean";
}
