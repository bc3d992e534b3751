import { useEffect, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";

type Props = {
  /** Which mail is waited for; another one begins the time anew. */
  sent?: string;
  /** How long until another may be asked for, seconds. */
  seconds?: number;
  busy?: boolean;
  label?: string;
  /** What it says while it waits, with `{seconds}`. */
  waiting?: string;
  onResend?: () => void;
};

/** When a mail was first heard of here: coming back to a view does not begin its time anew. */
let known = { sent: "", at: 0 };

function left(sent: string, seconds: number): number {
  if (known.sent !== sent) known = { sent, at: Date.now() };
  return Math.max(0, Math.ceil(seconds - (Date.now() - known.at) / 1000));
}

/** Asks for another mail, once the time for that has come. */
export function Resend({ sent = "", seconds = 0, busy = false, label = t("Resend Code"), waiting = t("Resend in {seconds}s"), onResend }: Props) {
  const [rest, setRest] = useState(() => left(sent, seconds));
  useEffect(() => {
    const look = (): void => setRest(left(sent, seconds));
    look();
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [sent, seconds]);
  return (
    <button type="button" className="wm-link wm-resend" disabled={rest > 0 || busy} data-testid="otp-resend" onClick={() => onResend?.()}>
      {rest > 0 ? waiting.replace("{seconds}", String(rest)) : label}
    </button>
  );
}
