import { useEffect, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { QrCode } from "$/public/external/walletmodal/components/qr_code/qr_code/qr_code.tsx";
import { PairingCopy } from "./pairing_copy";
import { slowRelay, useSlow } from "./slow";
import { RENEW_BEFORE, usePairing } from "./store";
import "./pairing.css";

type Props = {
  /** The wallet's picture, for the middle of the code. */
  logo?: string;
  /** The wallet's name; without one any wallet is meant. */
  name?: string;
  onCopied?: (ok: boolean) => void;
  onRetry?: () => void;
};

const SECOND = 1_000;
const MINUTE = 60;

function timeLeft(expires: number): number {
  return Math.max(0, Math.ceil((expires - Date.now()) / SECOND));
}

/** Seconds until `expires`, counted on the second. */
function useSecondsLeft(expires: number): number {
  const [left, setLeft] = useState(() => timeLeft(expires));
  useEffect(() => {
    setLeft(timeLeft(expires));
    const timer = setInterval(() => setLeft(timeLeft(expires)), SECOND);
    return () => clearInterval(timer);
  }, [expires]);
  return left;
}

function Countdown({ expires }: { expires: number }) {
  const left = useSecondsLeft(expires);
  const shown = `${Math.floor(left / MINUTE)}:${String(left % MINUTE).padStart(2, "0")}`;
  // Translators: {time} is minutes and seconds, such as 4:59
  const [before, after] = t("New code in {time}").split("{time}");
  // Read out when asked for, and not every second.
  return (
    <p className="wm-text wm-pairing-time" role="timer" aria-live="off">
      {before}
      <span className="wm-pairing-digits">{shown}</span>
      {after}
    </p>
  );
}

function Waiting() {
  const slow = useSlow(true);
  return (
    <div className="wm-pairing-place wm-shimmer" data-state="waiting" data-testid="pairing-waiting">
      {slow && <p className="wm-text">{slowRelay()}</p>}
    </div>
  );
}

function Failed({ message, onRetry }: { message: string; onRetry: (() => void) | undefined }) {
  return (
    <div className="wm-pairing-place" data-state="failed" role="alert" data-testid="pairing-failed">
      <p className="wm-heading" data-tone="error">
        {t("No code")}
      </p>
      <p className="wm-text">{message}</p>
      <button
        type="button"
        className="wm-button"
        data-variant="accent"
        data-size="md"
        data-testid="w3m-connecting-widget-secondary-button"
        onClick={() => onRetry?.()}
      >
        <span className="wm-button-label">{t("Try again")}</span>
      </button>
    </div>
  );
}

/** The code that a phone scans, how long it lasts, and its link to copy. */
export function PairingQr({ logo = "", name = "", onCopied, onRetry }: Props) {
  const { phase, uri, expires, error } = usePairing();
  const alt = name ? t("Pairing code for {wallet}", { wallet: name }) : t("Pairing code for a wallet on your phone");
  const ready = phase === "ready";
  return (
    <div className="wm-pairing" data-phase={phase}>
      {ready && (
        <div className="wm-pairing-code" key="code">
          <QrCode uri={uri} alt={alt} logo={logo} />
        </div>
      )}
      {phase === "failed" && <Failed message={t(error?.message ?? "")} onRetry={onRetry} />}
      {!ready && phase !== "failed" && <Waiting />}
      <p className="wm-hidden" role="status">
        {ready ? t("The code is ready to be scanned") : ""}
      </p>
      <p className="wm-pairing-hint">{t("Scan this QR Code with your phone")}</p>
      {ready ? <Countdown expires={expires - RENEW_BEFORE} /> : <p className="wm-text wm-pairing-time">&nbsp;</p>}
      <PairingCopy onCopied={onCopied} />
    </div>
  );
}
