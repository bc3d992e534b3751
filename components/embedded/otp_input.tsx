import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { tellLogin } from "./exchange";
import { ask } from "./frame";
import { asSecureError, isRecord, text } from "./types";
import "./embedded.css";

/** `words`: of the mail with the next code, where one follows. `told`: the server has been told the accounts of the login. */
type Outcome = { ok: boolean; message: string; reason: string; words: string; told: boolean };
type Props = {
  /** What the frame is asked with the code: CONNECT_OTP, or a code of a changed address. */
  type?: string;
  error?: string;
  /** The code was right, and something still goes on. */
  busy?: boolean;
  onOutcome?: (outcome: Outcome) => void;
};

const DIGITS = 6;
/** Within this time the server has led on, ms; where it has not, a code may be typed again. */
const LEADING_ON = 3_000;
const digitsOf = (text: string): string => text.replace(/\D/g, "");

/** Six boxes for a code. The code goes to the secure site's frame, and nowhere else: the server hears only whether it was right. */
export function OtpInput({ type = "CONNECT_OTP", error = "", busy = false, onOutcome }: Props) {
  const [code, setCode] = useState("");
  const [checking, setChecking] = useState(false);
  const [retyped, setRetyped] = useState(false);
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const focus = (index: number): void => boxes.current[Math.max(0, Math.min(index, DIGITS - 1))]?.focus();
  const waits = checking || busy;
  const wrong = waits || retyped ? "" : error;

  useEffect(() => focus(0), []);

  const check = async (whole: string): Promise<void> => {
    setChecking(true);
    let outcome: Outcome = { ok: true, message: "", reason: "", words: "", told: false };
    try {
      const answer = await ask(type, { otp: whole });
      if (isRecord(answer)) outcome.words = text(answer.words);
      // Accounts that cannot be told now the server asks for, and hears why.
      if (type === "CONNECT_OTP") outcome.told = await tellLogin(answer).then(() => true, () => false);
    } catch (failure) {
      const { message, reason } = asSecureError(failure);
      outcome = { ok: false, message, reason, words: "", told: false };
      setCode("");
      setRetyped(false);
    }
    // What the server leads on to will be drawn; what stands here is not drawn once more before.
    if (outcome.told) setTimeout(() => setChecking(false), LEADING_ON);
    else setChecking(false);
    onOutcome?.(outcome);
    if (!outcome.ok) requestAnimationFrame(() => focus(0));
  };

  const take = (next: string, at: number): void => {
    if (waits) return;
    // Before anything is drawn: the secure site looks at it meanwhile.
    if (next.length === DIGITS) void check(next);
    setCode(next);
    setRetyped(true);
    // At once: the next key may come before the next frame, and belongs into the next box, which is not yet open.
    const box = boxes.current[Math.min(at, DIGITS - 1)];
    if (box) box.disabled = false;
    focus(at);
  };

  /** Some browsers put the whole code into the first box. */
  const typed = (index: number, text: string): void => {
    const fresh = digitsOf(text.length > 1 && text.startsWith(code[index] ?? "\0") ? text.slice(1) : text);
    if (fresh) take((code.slice(0, index) + fresh + code.slice(index + fresh.length)).slice(0, DIGITS), index + fresh.length);
  };
  const pasted = (index: number, event: ClipboardEvent): void => {
    const fresh = digitsOf(event.clipboardData.getData("text"));
    event.preventDefault();
    if (fresh) take((fresh.length >= DIGITS ? fresh : code.slice(0, index) + fresh).slice(0, DIGITS), index + fresh.length);
  };
  const pressed = (index: number, event: KeyboardEvent): void => {
    const { key } = event;
    if (key === "ArrowLeft") focus(index - 1);
    else if (key === "ArrowRight") focus(Math.min(index + 1, code.length));
    else if (key === "Backspace") {
      // First what is in the box, then the box before.
      const at = code[index] ? index : index - 1;
      take(code.slice(0, Math.max(0, at)) + code.slice(Math.max(0, at) + 1), at);
    } else return;
    event.preventDefault();
  };

  return (
    <div className="wm-otp">
      <div className="wm-otp-boxes" role="group" aria-label={t("Code of six digits")} aria-busy={waits} data-testid="wui-otp-input">
        {Array.from({ length: DIGITS }, (_, index) => (
          <input
            key={index}
            ref={(box) => {
              boxes.current[index] = box;
            }}
            className="wm-input"
            type="text"
            inputMode="numeric"
            autoComplete={index ? "off" : "one-time-code"}
            aria-label={t("Digit {number} of {count}", { number: index + 1, count: DIGITS })}
            aria-invalid={wrong !== ""}
            aria-describedby="wm-otp-error"
            value={code[index] ?? ""}
            disabled={waits || index > code.length}
            onChange={(event) => typed(index, event.target.value)}
            onPaste={(event) => pasted(index, event)}
            onKeyDown={(event) => pressed(index, event)}
            onFocus={(event) => event.target.select()}
          />
        ))}
      </div>
      {waits && (
        <span className="wm-otp-waits" role="status">
          <svg className="wm-spinner" viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="12" r="9" />
          </svg>
          <span className="wm-hidden">{t("Checking the code")}</span>
        </span>
      )}
      <p id="wm-otp-error" className="wm-otp-error" role="alert" data-testid="otp-error">
        {wrong}
      </p>
    </div>
  );
}
