/** Whether the page under the pointer has stood still: a host could move the frame so that a click meant for something else falls on a button. */

/** Milliseconds before a press within which neither may have happened: that the pointer came, or that the frame moved. */
const STILL_FOR = 500;

/** Pixels that rounding and a screen's scale account for. */
const ROUNDING = 3;

/** Watches the pointer over one button of the document. */
export class Pointer {
  readonly #ending = new AbortController();
  #place: [number, number] | null = null;
  /** Since when the frame has been where it is, and the pointer in it. */
  #still = 0;
  #over = Infinity;
  #steady = true;

  constructor(button: HTMLElement) {
    const { signal } = this.#ending;
    const note = (event: PointerEvent) => this.#note(event);
    for (const type of ["pointerover", "pointermove"] as const) document.addEventListener(type, note, { capture: true, passive: true, signal });
    document.documentElement.addEventListener("pointerleave", () => (this.#place = null), { signal });
    button.addEventListener("pointerenter", () => (this.#over = performance.now()), { signal });
    button.addEventListener("pointerleave", () => (this.#over = Infinity), { signal });
    document.addEventListener("pointerdown", this.#press, { capture: true, signal });
  }

  /** Whether the last press was one that the visitor saw coming. Touches and keys have nothing before them to go by. */
  get steady(): boolean {
    return this.#steady;
  }

  stop(): void {
    this.#ending.abort();
  }

  #note({ screenX, screenY, clientX, clientY }: PointerEvent): void {
    // Where the frame's corner is on the screen; a page that is zoomed has it wander with the pointer.
    const [x, y] = [screenX - clientX, screenY - clientY];
    if (this.#place && Math.abs(this.#place[0] - x) <= ROUNDING && Math.abs(this.#place[1] - y) <= ROUNDING) return;
    this.#place = [x, y];
    this.#still = performance.now();
  }

  #press = (event: PointerEvent): void => {
    if (event.isTrusted) this.#note(event);
    // Also where the frame's place cannot be told: who rests on the button itself has seen what is under the pointer.
    const since = Math.min(this.#still, this.#over);
    this.#steady = event.pointerType === "touch" || performance.now() - since >= STILL_FOR;
  };
}
