/** What the frame shows, one thing at a time, and the modal's part in it: to show the frame, to hide it, and how tall it is. */
import { aborted, FrameError } from "./errors";

const MAX_HEIGHT = 600;
const MAX_WAITING = 20;

/** The time in which one task has the screen. */
export interface Turn {
  signal: AbortSignal;
  /** Shows a card in the place of what was shown. */
  show(card: HTMLElement): void;
  /** From here on the task can no longer be aborted. */
  commit(): void;
}

export class Screen {
  /** Tells the modal something that nobody has asked for. */
  readonly tell: (type: string, payload: object) => void;
  readonly #waiting = new Set<AbortController>();
  #last: Promise<unknown> = Promise.resolve();
  #sizes: ResizeObserver | null = null;

  constructor(tell: (type: string, payload: object) => void) {
    this.tell = tell;
  }

  /** Runs a task when those before it are done; raises "Request was aborted" as soon as it is aborted. */
  async run<T>(task: (turn: Turn) => Promise<T>): Promise<T> {
    if (this.#waiting.size >= MAX_WAITING) throw new FrameError("Too many requests are open");
    const ending = new AbortController();
    this.#waiting.add(ending);
    let done: () => void = () => undefined;
    const before = this.#last;
    const mine = new Promise<void>((resolve) => (done = resolve));
    this.#last = before.then(() => mine);
    const stopped = new Promise<never>((_, reject) => {
      ending.signal.addEventListener("abort", () => reject(aborted()));
    });
    let shown = false;
    const turn: Turn = {
      signal: ending.signal,
      show: (card) => {
        if (ending.signal.aborted) return;
        shown = true;
        this.#show(card);
      },
      commit: () => this.#waiting.delete(ending),
    };
    try {
      await Promise.race([before, stopped]);
      return await Promise.race([task(turn), stopped]);
    } finally {
      this.#waiting.delete(ending);
      // The answer leaves first: who waits for it need not wait for the card to go.
      setTimeout(() => {
        if (shown) this.#hide();
        done();
      });
    }
  }

  /** Rejects everything that waits for the visitor. */
  abort(): void {
    for (const ending of this.#waiting) ending.abort();
  }

  #show(card: HTMLElement): void {
    this.#sizes?.disconnect();
    document.body.replaceChildren(card);
    // Who hears the page is told what has come.
    document.getElementById("title")?.focus({ preventScroll: true });
    let height = naturalHeight(card);
    this.tell("SHOW", { height });
    this.#sizes = new ResizeObserver(() => {
      const now = naturalHeight(card);
      if (now !== height) this.tell("RESIZE", { height: (height = now) });
    });
    for (const part of partsOf(card)) this.#sizes.observe(part);
  }

  #hide(): void {
    this.#sizes?.disconnect();
    document.body.replaceChildren();
    this.tell("HIDE", {});
  }
}

/** The parts of a card whose heights make up its own: a part that scrolls counts with all that is in it. */
function partsOf(card: HTMLElement): Element[] {
  return Array.from(card.children, (part) => (part.classList.contains("body") ? (part.firstElementChild ?? part) : part));
}

function naturalHeight(card: HTMLElement): number {
  const height = partsOf(card).reduce((sum, part) => sum + part.getBoundingClientRect().height, 0);
  return Math.min(MAX_HEIGHT, Math.ceil(height));
}
