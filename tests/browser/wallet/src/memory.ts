/** What the wallet keeps for one site across page loads: a real one keeps it in its own process, this one in the site's storage. */
import type { Misdeed } from "./mischief";

export type Remembered = {
  permitted: boolean;
  locked: boolean;
  chainId: number;
  keys: string[];
  chains: Record<number, string>;
  misdeeds: Record<string, Misdeed>;
};

export class Memory<Value> {
  constructor(
    private readonly place: string,
    private value: Value,
  ) {
    try {
      const kept = localStorage.getItem(place);
      if (kept) this.value = JSON.parse(kept) as Value;
    } catch {
      // The site has no storage: then nothing outlives the page.
    }
  }

  read(): Readonly<Value> {
    return this.value;
  }

  write(change: Partial<Value>): void {
    this.value = { ...this.value, ...change };
    try {
      localStorage.setItem(this.place, JSON.stringify(this.value));
    } catch {
      // As above.
    }
  }
}
