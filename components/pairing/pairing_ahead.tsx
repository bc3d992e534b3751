import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { fetchPairing } from "./exchange";
import { slowRelay, useSlow } from "./slow";
import { usePairing } from "./store";
import "./pairing.css";

type Props = {
  /** What is to be ready when a wallet is chosen: nothing, the SDK, or a code too, for which the rows wait. */
  mode?: "" | "load" | "code";
  children?: ReactNode;
};

/**
 * How long rows wait for a code that may never come, ms; what is chosen then leads on all the same.
 *
 * A relay that takes five seconds to connect and as many to answer is waited for.
 */
const PATIENCE = 12_000;

/** Whether a code is still being made; it also keeps the code fresh while the list is looked at. */
function useMaking(): boolean {
  const { phase } = usePairing();
  const [patient, setPatient] = useState(true);
  const making = phase === "idle" || phase === "starting";
  useEffect(() => {
    setPatient(true);
    if (!making) return;
    const timer = setTimeout(() => setPatient(false), PATIENCE);
    return () => clearTimeout(timer);
  }, [making]);
  return making && patient;
}

/** Lets no choice through of what needs a code; what the browser brings needs none. */
function hold(event: MouseEvent): void {
  if (!(event.target instanceof Element) || !event.target.closest("[data-pairs='true']")) return;
  event.preventDefault();
  event.stopPropagation();
}

function Waiting({ children }: { children: ReactNode }) {
  const making = useMaking();
  const slow = useSlow(making);
  return (
    <div className="wm-pairing-ahead" data-waits={String(making)} onClickCapture={making ? hold : undefined}>
      <span className="wm-hidden" role="status">
        {making && (slow ? slowRelay() : t("Preparing the link to your wallet"))}
      </span>
      {children}
    </div>
  );
}

/** Around a list of wallets: makes ready what choosing one will need. */
export function PairingAhead({ mode = "", children }: Props) {
  useEffect(() => {
    if (mode) fetchPairing();
  }, [mode]);
  if (mode !== "code") return <div className="wm-pairing-ahead">{children}</div>;
  return <Waiting>{children}</Waiting>;
}
