import { useEffect, useRef, useSyncExternalStore } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { focusFrame, holdPlace, place, subscribePlace } from "./place_store";
import "./embedded.css";

type Props = { label?: string };

/** As high as the card that waits there will most often be, px. */
const EXPECTED = 360;

/** Where the secure site's frame stands. The keys go on into it. */
export function SecurePlace({ label = t("Your wallet") }: Props) {
  const here = useRef<HTMLDivElement>(null);
  const { shown, height } = useSyncExternalStore(subscribePlace, place, place);
  useEffect(() => (here.current ? holdPlace(here.current) : undefined), []);
  return (
    <div
      ref={here}
      className="wm-secure-place"
      style={{ height: height || EXPECTED }}
      tabIndex={shown ? 0 : -1}
      onFocus={focusFrame}
      role="group"
      aria-label={label}
      aria-busy={!shown}
      data-testid="secure-place"
    >
      {!shown && (
        <>
          <svg className="wm-spinner" viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="12" r="9" />
          </svg>
          <span className="wm-hidden" role="status">
            {t("Loading")}
          </span>
        </>
      )}
    </div>
  );
}
