/** When a wait is long enough to be told in words. */
import { useEffect, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";

/** Below this the wait is only drawn, ms. */
const SLOW = 3_000;

/** What a visitor is told then. */
export const slowRelay = (): string => t("The relay takes longer than usual to answer…");

/** Whether something has been waited for so long that the visitor is told. */
export function useSlow(waits: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!waits) return;
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, [waits]);
  return slow;
}
