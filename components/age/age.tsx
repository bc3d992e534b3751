import { useEffect, useState } from "react";

const STEP_MS = 10_000;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** An age in the shortest words, up to days: no page is open for longer. */
export function ageText(seconds: number): string {
  if (seconds < 45) return `${seconds} sec`;
  if (seconds < 90) return "1 min";
  if (seconds < 45 * MINUTE) return `${Math.round(seconds / MINUTE)} min`;
  if (seconds < 90 * MINUTE) return "1 hr";
  if (seconds < 22 * HOUR) return `${Math.round(seconds / HOUR)} hrs`;
  if (seconds < 36 * HOUR) return "1 d";
  return `${Math.round(seconds / DAY)} d`;
}

export function Age({ since = 0 }: { since?: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{ageText(Math.max(0, Math.floor((now - since) / 1000)))}</>;
}
