/** Whether a card is really seen: whole, with nothing over it, neither faded nor distorted (IntersectionObserver v2). */

/** Milliseconds that a card must have been seen before a click on it counts. */
export const SEEN_FOR = 500;

const WHOLE = 0.99;
/** The shortest that browsers allow with `trackVisibility`. */
const DELAY = 100;

/** Whether this browser can tell that an element is covered. */
export const canTell = (): boolean =>
  typeof IntersectionObserverEntry === "function" && "isVisible" in IntersectionObserverEntry.prototype;

/** Watches one element; `changed` is called whenever it has been seen for long enough, or no longer is. */
export class Visibility {
  readonly #element: Element;
  readonly #changed: (ripe: boolean) => void;
  readonly #observer: IntersectionObserver | null;
  readonly #alone: boolean;
  #seen = false;
  #ripe = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** In a window of its own, which no other page can cover, `alone` lets the document's own visibility count. */
  constructor(element: Element, changed: (ripe: boolean) => void, alone: boolean) {
    this.#element = element;
    this.#changed = changed;
    this.#alone = alone;
    this.#observer = canTell() ? this.#observe() : null;
    if (!this.#observer && alone) this.#set(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", this.#again);
    // Another window may have lain on this one until now, and have gone between two clicks.
    if (alone) addEventListener("focus", this.#again);
  }

  /** Whether a click counts now. */
  get ripe(): boolean {
    const records = this.#observer?.takeRecords();
    if (records?.length) this.#read(records);
    return this.#ripe;
  }

  stop(): void {
    this.#observer?.disconnect();
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#again);
    removeEventListener("focus", this.#again);
  }

  #observe(): IntersectionObserver {
    // `trackVisibility` and `delay` are not yet in the compiler's types.
    const options = { trackVisibility: true, delay: DELAY, threshold: [0, 0.5, WHOLE, 1] } as IntersectionObserverInit;
    const observer = new IntersectionObserver((records) => this.#read(records), options);
    observer.observe(this.#element);
    return observer;
  }

  #read(records: IntersectionObserverEntry[]): void {
    const last = records[records.length - 1] as IntersectionObserverEntry & { isVisible?: boolean };
    this.#set(last.isVisible === true && last.intersectionRatio >= WHOLE);
  }

  /** What was seen before the page was hidden says nothing about now. */
  #again = (): void => {
    this.#set(false);
    if (document.visibilityState !== "visible") return;
    if (this.#observer) {
      this.#observer.unobserve(this.#element);
      this.#observer.observe(this.#element);
    } else {
      this.#set(this.#alone);
    }
  };

  #set(seen: boolean): void {
    if (seen === this.#seen) return;
    this.#seen = seen;
    clearTimeout(this.#timer);
    // Not by a clock: a timer may end a little before one says so, and the button that it has just enabled would take no click.
    if (seen) this.#timer = setTimeout(() => this.#changed((this.#ripe = true)), SEEN_FOR);
    else this.#changed((this.#ripe = false));
  }
}
