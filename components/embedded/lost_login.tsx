import { useEffect, useSyncExternalStore, type ReactNode } from "react";

/** Who had it in view for so long has read it, ms: the modal may also close again by itself right after the page was loaded. */
const READ_MS = 2_000;

/** A login was there before the page was loaded anew, and the browser has kept nothing of it. */
let lost = false;
const subscribers = new Set<() => void>();

function change(to: boolean): void {
  lost = to;
  subscribers.forEach((run) => run());
}

function subscribe(run: () => void): () => void {
  subscribers.add(run);
  return () => subscribers.delete(run);
}

export const loginLost = (): void => change(true);

/** Shows `children` to a visitor whose browser has lost a login, until the view is left in which they were read. */
export function LostLogin({ children }: { children?: ReactNode }) {
  const shown = useSyncExternalStore(subscribe, () => lost);
  useEffect(() => {
    if (!shown) return undefined;
    const since = performance.now();
    return () => {
      if (performance.now() - since > READ_MS) change(false);
    };
  }, [shown]);
  return shown ? <>{children}</> : null;
}
