/**
 * Where the secure site's frame is shown: over the place that a view keeps for it, followed as that moves. Meanwhile the host page raises
 * ours above all that it has: what lies over the secure frame makes its buttons dead.
 */

type Shown = { shown: boolean; height: number };

/** As many frames as a rectangle must stand still until it is believed to. */
const STILL = 20;
const OFF = "-10000px";

let state: Shown = { shown: false, height: 0 };
let element: HTMLIFrameElement | null = null;
let held: HTMLElement | null = null;
let frame = 0;
let still = 0;
let last = "";
let raised = false;
const subscribers = new Set<() => void>();

/** What the frame wants: whether it is to be seen, and how high it is; 0 until it has said so. */
export function place(): Shown {
  return state;
}

export function subscribePlace(run: () => void): () => void {
  subscribers.add(run);
  return () => subscribers.delete(run);
}

/** The frame has said something, has come, or has gone. */
export function placeChanged(change: Partial<Shown> & { element?: HTMLIFrameElement | null }): void {
  const { element: next, ...rest } = change;
  if (next !== undefined) {
    element = next;
    last = "none";
  }
  const known = state;
  state = { ...state, ...rest };
  if (state.shown !== known.shown || state.height !== known.height) subscribers.forEach((run) => run());
  follow();
}

/** A view keeps a place; returns what takes it away. */
export function holdPlace(here: HTMLElement): () => void {
  held = here;
  const again = (): void => follow();
  const sizes = new ResizeObserver(again);
  sizes.observe(here);
  sizes.observe(document.body);
  const moves = ["scroll", "transitionend", "animationend", "resize"] as const;
  for (const move of moves) addEventListener(move, again, { capture: true, passive: true });
  follow();
  return () => {
    sizes.disconnect();
    for (const move of moves) removeEventListener(move, again, { capture: true });
    // The next view may have taken it over by now.
    if (held === here) held = null;
    follow();
  };
}

/** Gives the frame the keys. */
export function focusFrame(): void {
  if (state.shown) element?.focus();
}

function draw(): void {
  const visible = element !== null && state.shown && held !== null;
  if (visible !== raised) window.__walletmodal.post("raised", { visible });
  raised = visible;
  if (!element) return;
  const { left, top, width, height } = visible ? held!.getBoundingClientRect() : { left: 0, top: 0, width: 0, height: 0 };
  const drawn = visible ? [left, top, width, height].map(Math.round).join() : "";
  still = drawn === last ? still + 1 : 0;
  if (drawn === last) return;
  last = drawn;
  const { style } = element;
  style.visibility = visible ? "visible" : "hidden";
  style.left = visible ? `${Math.round(left)}px` : "0";
  style.top = visible ? `${Math.round(top)}px` : OFF;
  if (visible) {
    style.width = `${Math.round(width)}px`;
    style.height = `${Math.round(height)}px`;
  }
}

/** Follows the place until it stands still: views slide in, and the card grows. */
function follow(): void {
  still = 0;
  draw();
  if (frame || !state.shown || !held) return;
  const next = (): void => {
    frame = 0;
    draw();
    if (state.shown && held && still < STILL) frame = requestAnimationFrame(next);
  };
  frame = requestAnimationFrame(next);
}
