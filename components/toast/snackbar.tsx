import { useEffect, useRef, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { type Move, Presence } from "$/public/external/walletmodal/components/shell/shell/presence";
import "./snackbar.css";

// Time to notice it, and to read each of its letters.
const NOTICED_MS = 3000;
const LETTER_MS = 60;
const REOPEN_AFTER = 150;
const AWAY = { opacity: 0, scale: 0.85 };
const MOVE: Move = { from: AWAY, shown: { opacity: 1, scale: 1 }, to: AWAY, seconds: 0.15, ease: [0.25, 0.1, 0.25, 1] };

type Shown = { serial: number; message: string; variant: string; autoClose: boolean };
export type Props = Partial<Shown> & { onDismissed?: (serial: number) => void };

const MARKS: Record<string, string> = { success: "M5 12.5l4.5 4.5L19 7.5", error: "M7 7l10 10M17 7L7 17" };

/**
 * One message at a time. What has failed is said until it is closed; else it stays while its words are pointed at, or it has the focus. Clicks
 * beside them go to what is below it.
 */
export function Snackbar({ serial = 0, message = "", variant = "success", autoClose = true, onDismissed }: Props) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [over, setOver] = useState(false);
  const [focused, setFocused] = useState(false);
  const dismissed = useRef(onDismissed);
  const failed = shown?.variant === "error";
  useEffect(() => {
    dismissed.current = onDismissed;
  });

  useEffect(() => {
    if (!message) {
      // What is taken back is no longer true.
      setShown(null);
      return;
    }
    const next = { serial, message, variant, autoClose };
    setShown((current) => (current === null ? next : null));
    const timer = setTimeout(() => setShown((current) => current ?? next), REOPEN_AFTER);
    return () => clearTimeout(timer);
  }, [serial, message, variant, autoClose]);

  useEffect(() => {
    setOver(false);
    setFocused(false);
  }, [shown]);

  const dismiss = ({ serial }: Shown): void => {
    setShown(null);
    dismissed.current?.(serial);
  };

  useEffect(() => {
    if (!shown?.autoClose || failed || over || focused) return;
    const timer = setTimeout(dismiss, NOTICED_MS + LETTER_MS * shown.message.length, shown);
    return () => clearTimeout(timer);
  }, [shown, failed, over, focused]);

  return (
    <div
      className="wm-toast-place"
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Presence name={shown ? String(shown.serial) : ""} move={MOVE} className="wm-toast" data-variant={shown?.variant} tabIndex={failed ? undefined : 0}>
        {shown && (
          <>
            {shown.variant === "loading" ? (
              <span className="wm-toast-spinner" aria-hidden="true" />
            ) : (
              <svg className="wm-toast-mark" viewBox="0 0 24 24" aria-hidden="true">
                <path d={MARKS[shown.variant] ?? MARKS.success} />
              </svg>
            )}
            <span className="wm-toast-words" data-testid="wui-snackbar-message">{shown.message}</span>
            {failed && (
              <span aria-live="off">
                <button
                  type="button"
                  className="wm-icon-button wm-toast-close"
                  aria-label={t("Close the alert")}
                  onClick={({ currentTarget }) => {
                    // The keys stay in the card.
                    currentTarget.closest<HTMLElement>(".wm-card")?.focus({ preventScroll: true });
                    dismiss(shown);
                  }}
                >
                  <svg viewBox="0 0 24 24" aria-hidden="true">
                    <path d={MARKS.error} />
                  </svg>
                </button>
              </span>
            )}
          </>
        )}
      </Presence>
    </div>
  );
}
