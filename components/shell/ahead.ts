// Scripts of views, loaded before the views are shown.

/** When a script comes ahead of all others: once an account is connected, or when a row that leads to a pairing is pointed at. */
export type Occasion = "" | "account" | "pairing";

type Load = () => Promise<unknown>;

/** How long after a press nothing is loaded ahead, ms: what was asked for is drawn first, and more may be. */
export const QUIET = 700;

let waiting: { load: Load; occasion: Occasion }[] = [];
let pressed = -QUIET;

if (typeof addEventListener === "function") {
  const note = (): void => {
    pressed = performance.now();
  };
  for (const event of ["pointerdown", "keydown"]) addEventListener(event, note, { capture: true, passive: true });
}

/** Runs something while nothing else is done. */
export const idle = (run: () => void): void => {
  if (typeof requestIdleCallback === "function") requestIdleCallback(run, { timeout: 2000 });
  else setTimeout(run, 100);
};

/** Notes a script that nobody has asked for yet. */
export function comesAhead(load: Load, occasion: Occasion): void {
  waiting.push({ load, occasion });
}

function take(wanted: (occasion: Occasion) => boolean): Load | undefined {
  const found = waiting.find(({ occasion }) => wanted(occasion));
  waiting = waiting.filter((one) => one !== found);
  return found?.load;
}

/** Loads the scripts of an occasion one after the other while nothing else is done, or all. Returns what stops it. */
export function preload(which: Occasion | "all"): () => void {
  let stopped = false;
  const next = (): void => {
    if (stopped) return;
    const quiet = pressed + QUIET - performance.now();
    if (which === "all" && quiet > 0) {
      setTimeout(next, quiet);
      return;
    }
    const load = take((occasion) => which === "all" || occasion === which);
    const on = (): void => idle(next);
    load?.().then(on, on);
  };
  idle(next);
  return () => {
    stopped = true;
  };
}

/** Loads the scripts of an occasion at once: someone is about to need them. */
export function loadNow(which: Occasion): void {
  for (let load = take((one) => one === which); load; load = take((one) => one === which)) load().catch(() => undefined);
}
