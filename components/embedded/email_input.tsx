import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { fetchSecure } from "./frame";
import "./embedded.css";

type Props = {
  value?: string;
  label?: string;
  error?: string;
  busy?: boolean;
  /** The address in `value` is to be changed: a button to save another one stands below, beside `children`. */
  edits?: boolean;
  children?: ReactNode;
  onFocused?: () => void;
  onSubmit?: (email: string) => void;
};

const NOTE = "wm-email-note";
/** Shorter ones are no addresses. */
const LONGER_THAN = 3;
const MAX_EMAIL = 320;

/** The field for an email address; the button for it comes once it may be one. */
export function EmailInput({ value = "", label = t("Email"), error = "", busy = false, edits = false, children, onFocused, onSubmit }: Props) {
  const [typed, setTyped] = useState(value);
  const email = typed.trim();
  const may = email.length > LONGER_THAN && !busy && !(edits && email === value);
  useEffect(() => setTyped(value), [value]);
  const submit = (): void => {
    if (may) onSubmit?.(email);
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  };
  return (
    <div className="wm-email">
      <div className="wm-email-field" data-testid="wui-email-input" data-busy={busy}>
        <svg viewBox="0 0 24 24" className="wm-email-glyph" aria-hidden="true">
          <rect x="3" y="5" width="18" height="14" rx="3" />
          <path d="m4 7 8 6 8-6" />
        </svg>
        <input
          className="wm-input"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={MAX_EMAIL}
          placeholder={label}
          aria-label={label}
          aria-invalid={error !== ""}
          aria-describedby={NOTE}
          value={typed}
          readOnly={busy}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={pressed}
          onFocus={() => {
            fetchSecure();
            onFocused?.();
          }}
        />
        {busy ? (
          <svg className="wm-spinner" viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="12" r="9" />
          </svg>
        ) : (
          may &&
          !edits && (
            <button type="button" className="wm-icon-button" aria-label={t("Go on with this address")} data-testid="email-submit" onClick={submit}>
              <svg viewBox="0 0 24 24" className="wm-email-glyph" aria-hidden="true">
                <path d="m9 5 7 7-7 7" />
              </svg>
            </button>
          )
        )}
      </div>
      <p id={NOTE} className="wm-email-note" role="alert" data-testid="email-error">
        {error}
      </p>
      {edits && (
        <div className="wm-email-buttons">
          {children}
          <button type="button" className="wm-button" data-variant="main" data-size="lg" disabled={!may} data-testid="email-save" onClick={submit}>
            <span className="wm-button-label">{t("button\u0004Save")}</span>
          </button>
        </div>
      )}
    </div>
  );
}
