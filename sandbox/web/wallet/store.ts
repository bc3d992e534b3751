/** What the wallet remembers between page loads: nothing secret, for its keys are public test keys. */
import { isObject } from "./shapes";
import { ACCOUNTS } from "./accounts";

const KEY = "sandbox-wallet";

export interface Memory {
  /** Index of the chosen account in ACCOUNTS. */
  account: number;
  /** Whether this page may see the chosen account. */
  connected: boolean;
  locked: boolean;
  chainId: number;
  /** Chain ids that the wallet knows; others answer 4902 until they are added. */
  known: number[];
}

const FIRST: Memory = { account: 0, connected: false, locked: false, chainId: 1, known: [1, 137] };

/** The memory of this page's origin, kept in localStorage where the browser allows it. */
export class Store {
  readonly memory: Memory = { ...FIRST, ...remembered() };

  /** Change and keep; when storage is denied the change lasts as long as the page. */
  update(change: Partial<Memory>): void {
    Object.assign(this.memory, change);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.memory));
    } catch {
      // Denied or full: the page's own life is then all there is.
    }
  }
}

function remembered(): Partial<Memory> {
  let stored: unknown;
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return {};
  }
  if (!isObject(stored)) return {};
  const { account, connected, locked, chainId, known } = stored;
  const sound =
    typeof account === "number" &&
    ACCOUNTS[account] !== undefined &&
    typeof connected === "boolean" &&
    typeof locked === "boolean" &&
    typeof chainId === "number" &&
    Array.isArray(known) &&
    known.every((id): id is number => Number.isSafeInteger(id) && id > 0) &&
    known.includes(chainId);
  return sound ? { account, connected, locked, chainId, known } : {};
}
