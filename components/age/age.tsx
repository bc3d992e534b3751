import { useEffect, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";

const STEP_MS = 10_000;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** An age in the shortest words, up to days: no page is open for longer. */
export function ageText(seconds: number): string {
  if (seconds < 45) return t("{count} sec", { count: seconds });
  if (seconds < 90) return t("{count} min", { count: 1 });
  if (seconds < 45 * MINUTE) return t("{count} min", { count: Math.round(seconds / MINUTE) });
  if (seconds < 90 * MINUTE) return t("1 hr");
  if (seconds < 22 * HOUR) return t("{count} hrs", { count: Math.round(seconds / HOUR) });
  if (seconds < 36 * HOUR) return t("{count} d", { count: 1 });
  return t("{count} d", { count: Math.round(seconds / DAY) });
}

export function Age({ since = 0 }: { since?: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return <>{ageText(Math.max(0, Math.floor((now - since) / 1000)))}</>;
}
