import { useEffect, useRef } from "react";

type Props = { every?: number; active?: boolean; about?: string; onTick?: () => void };

/** Asks at once, then in even steps; a hidden tab asks nothing, and catches up when it is looked at again. */
export function Ticker({ every = 30_000, active = true, about = "", onTick }: Props) {
  const emit = useRef(onTick);
  useEffect(() => {
    emit.current = onTick;
  });
  // Another pace is no reason to ask: only another question is, or one that was not asked before.
  const last = useRef(-Infinity);
  useEffect(() => {
    last.current = -Infinity;
  }, [active, about]);
  useEffect(() => {
    if (!active) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") return;
      const now = performance.now();
      if (now - last.current >= every) {
        last.current = now;
        emit.current?.();
      }
      timer = setTimeout(look, last.current + every - now);
    };
    look();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("focus", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("focus", look);
    };
  }, [every, active, about]);
  return null;
}
