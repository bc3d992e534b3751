import { type RefObject, useEffect } from "react";

/**
 * Calls `onNear` once when the end of a list comes near what its scroll area shows, while the list `waits` for that.
 *
 * It is looked for anew whenever one of `changes` does. `ahead`: how near, in px.
 */
export function useListEnd(
  scroller: RefObject<Element | null>,
  end: RefObject<Element | null>,
  { waits, ahead, changes }: { waits: boolean; ahead: number; changes: unknown[] },
  onNear: () => void,
): void {
  useEffect(() => {
    if (!end.current || !waits) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        onNear();
      },
      { root: scroller.current, rootMargin: `0px 0px ${ahead}px 0px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [waits, ...changes]);
}
