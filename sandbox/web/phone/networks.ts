/** Which network each session is on, between page loads: the SDK keeps what is approved, not what is in use. */
import { isObject } from "../wallet/shapes";

const KEY = "sandbox-phone-networks";

export class Networks {
  readonly #used = new Map<string, string>(remembered());

  of(topic: string): string | undefined {
    return this.#used.get(topic);
  }

  use(topic: string, chain: string): void {
    this.#used.set(topic, chain);
    this.#keep();
  }

  forget(topic: string): void {
    if (this.#used.delete(topic)) this.#keep();
  }

  #keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(this.#used)));
    } catch {
      // Denied or full: the page's own life is then all there is.
    }
  }
}

function remembered(): [string, string][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (!isObject(stored)) return [];
    return Object.entries(stored).flatMap(([topic, chain]) => (typeof chain === "string" ? [[topic, chain]] : []));
  } catch {
    return [];
  }
}
