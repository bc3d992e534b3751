/**
 * The SDK's store, kept in the host page's localStorage: the frame's own can be denied or wiped by the browser.
 *
 * Everything is read once; afterwards the copy here answers, and what changes is written behind. Without a host page that
 * keeps it, it lasts as long as the frame.
 */

/** Sends one message `store` to the loader and gives back its `value`. */
export type AskPage = (payload: { method: "entries" | "set" | "remove"; key?: string; value?: string }) => Promise<unknown>;

const KEPT = /^wc@/;
const MAX_VALUE = 64 * 1024;
/** Where the app of the connected wallet is, for the requests that it is sent later. */
export const LINK_KEY = "wc@2:walletmodal:link";
/** Where the app is that a pairing was opened in and that has not approved yet. */
export const OPENED_KEY = "wc@2:walletmodal:opened";
/** What was chosen on the phone: chain and account by namespace. */
export const CHOSEN_KEY = "wc@2:walletmodal:chosen";
/** The SDK's own name for the first, which it deletes with the session. */
const SDK_LINK_KEY = "WALLETCONNECT_DEEPLINK_CHOICE";

/** Some wallets number their requests in nanoseconds: too large for a number, so the SDK makes a bigint of it, which JSON does not know. */
const written = (value: unknown): string | undefined => JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part));
/** Only an id is one again: what a wallet calls itself stays a text. */
const read = (text: string): unknown =>
  JSON.parse(text, (key, part: unknown) => (key === "id" && typeof part === "string" && /^\d{1,40}n$/.test(part) ? BigInt(part.slice(0, -1)) : part));

export class PageStorage {
  readonly #values = new Map<string, string>();

  constructor(private readonly ask: AskPage) {}

  /** Reads what the page keeps; what is no JSON is dropped there too. */
  async load(): Promise<void> {
    const entries = await this.ask({ method: "entries" }).catch(() => []);
    for (const entry of Array.isArray(entries) ? entries : []) {
      const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : [];
      if (typeof key !== "string" || typeof value !== "string" || !KEPT.test(key)) continue;
      try {
        read(value);
        this.#values.set(key, value);
      } catch {
        this.#write({ method: "remove", key });
      }
    }
  }

  /** Forgets everything, here and in the page. */
  clear(): void {
    for (const key of [...this.#values.keys()]) this.#forget(key);
  }

  async getKeys(): Promise<string[]> {
    return [...this.#values.keys()];
  }

  async getEntries<T = unknown>(): Promise<[string, T][]> {
    return [...this.#values].map(([key, value]) => [key, read(value) as T]);
  }

  async getItem<T = unknown>(key: string): Promise<T | undefined> {
    const value = this.#values.get(key);
    return value === undefined ? undefined : (read(value) as T);
  }

  async setItem<T = unknown>(key: string, value: T): Promise<void> {
    const text = written(value);
    if (text === undefined || text === this.#values.get(key)) return;
    this.#values.set(key, text);
    if (!KEPT.test(key)) return;
    // Half of the truth is worse than none: the page is not left with what was true before.
    if (text.length > MAX_VALUE) this.#write({ method: "remove", key });
    else this.#write({ method: "set", key, value: text });
  }

  async removeItem(key: string): Promise<void> {
    this.#forget(key === SDK_LINK_KEY ? LINK_KEY : key);
  }

  #forget(key: string): void {
    if (this.#values.delete(key) && KEPT.test(key)) this.#write({ method: "remove", key });
  }

  #write(payload: Parameters<AskPage>[0]): void {
    // A page that cannot keep it (storage full or denied) still pairs; the session ends with the page then.
    this.ask(payload).catch(() => undefined);
  }
}
