/**
 * The life of a code: four minutes, and ten seconds before its end a fresh one takes its place on the screen.
 *
 * What was shown before still counts when a phone approves it, so codes overlap; the first approval wins.
 */
import { LIFETIME, RENEW_BEFORE } from "./store";
import { isRefusal, PairingError } from "./types";

const RETRY_AFTER = 2_000;

export type Code<T> = { uri: string; approval: Promise<T> };

export type Watcher = {
  /** A code is to be shown; `expires` in ms since the epoch. */
  show(uri: string, expires: number): void;
  /** The code on the screen has ended, and nobody looks at it. */
  lapse(): void;
  isWatched(): boolean;
};

/** One wish for a session, with as many codes as it takes. */
export class Codes<T> {
  /** Settles with the first approval, with a refusal, or with why there is no code. */
  readonly outcome: Promise<T>;
  #resolve!: (value: T) => void;
  #reject!: (reason: unknown) => void;
  #ended = false;
  #lapsed = false;
  #renewing = false;
  #current: Code<T> | null = null;
  #expires = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly propose: () => Promise<Code<T>>,
    private readonly watcher: Watcher,
  ) {
    this.outcome = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever asked hears of it through `outcome`; a wish that was given up has nobody to tell.
    this.outcome.catch(() => undefined);
    void this.renew();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Someone looks again: a code that lapsed is replaced. */
  look(): void {
    if (this.#lapsed) void this.renew();
  }

  /** Puts a fresh code on the screen. */
  async renew(): Promise<void> {
    if (this.#ended || this.#renewing) return;
    this.#renewing = true;
    this.#lapsed = false;
    clearTimeout(this.#timer);
    try {
      const code = await this.propose();
      code.approval.then(
        (value) => this.settle(value),
        (error: unknown) => this.#lost(code, error),
      );
      // Ended meanwhile by another code: this one is not shown, and what a phone does with it is its maker's business.
      if (this.#ended) return;
      this.#current = code;
      this.#expires = Date.now() + LIFETIME;
      this.watcher.show(code.uri, this.#expires);
      this.#in(LIFETIME - RENEW_BEFORE, () => this.#due());
    } catch (error) {
      if (Date.now() >= this.#expires) this.end(() => this.#reject(error));
      else this.#in(RETRY_AFTER, () => void this.renew());
    } finally {
      this.#renewing = false;
    }
  }

  /** A phone has approved a code of an earlier life of the page: that is the answer. */
  settle(value: T): void {
    this.end(() => this.#resolve(value));
  }

  /** A phone has answered with what is neither approval nor refusal: nothing better will come of its code. */
  fail(reason: unknown): void {
    this.end(() => this.#reject(reason));
  }

  /** No more codes; what phones still do with those that were shown is not this wish's any more. */
  end(settle: () => void = () => this.#reject(new PairingError(-1, "orphaned"))): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    settle();
  }

  #due(): void {
    if (this.watcher.isWatched()) {
      void this.renew();
      return;
    }
    this.#in(this.#expires - Date.now(), () => {
      this.#lapsed = true;
      this.watcher.lapse();
    });
  }

  #lost(code: Code<T>, error: unknown): void {
    if (isRefusal(error)) this.end(() => this.#reject(error));
    // The protocol ends proposals by itself, and timers of a page in the background are late.
    else if (code === this.#current) this.#due();
  }

  #in(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, Math.max(ms, 0));
  }
}
