import { useCallback, useEffect, useRef, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { browses, openWallet } from "./opening";
import { slowRelay, useSlow } from "./slow";
import { usePairing } from "./store";
import { type Kind, LinkError } from "./links";
import "./pairing.css";

type Failure = { message: string; uri: string; mobile_link: string; name: string };

type Props = {
  kind?: Kind;
  /** The wallet's app or page, as the directory has it. */
  link?: string;
  name?: string;
  namespace?: string;
  onOpened?: () => void;
  onFailed?: (failure: Failure) => void;
  onRetry?: () => void;
};

/** Whether the click that led here still counts, so that a window may be opened without another. */
function isActivated(): boolean {
  return navigator.userActivation?.isActive === true;
}

/** How long what the wallet has answered may take to arrive after the visitor is back, ms. */
const ARRIVAL = 5_000;

/** What is known of a visitor who was sent to the wallet: nothing, that he is back, or that he came back without an answer. */
type Journey = "" | "gone" | "back" | "unanswered";

function useJourney(): [Journey, () => void] {
  const [journey, setJourney] = useState<Journey>("");
  const away = journey !== "";
  useEffect(() => {
    if (!away) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === "hidden") return;
      setJourney("back");
      timer = setTimeout(() => setJourney("unanswered"), ARRIVAL);
    };
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [away]);
  return [journey, useCallback(() => setJourney("gone"), [])];
}

/** Opens a wallet with the code: by itself while the click that led here counts, else on its own click. */
export function PairingLink({
  kind = "mobile",
  link = "",
  name = "",
  namespace = "",
  onOpened,
  onFailed,
  onRetry,
}: Props) {
  const { phase, uri, error } = usePairing();
  const [problem, setProblem] = useState("");
  const [journey, setOff] = useJourney();
  const inside = browses(name, namespace);
  const ready = inside || phase === "ready";
  const heard = useRef({ onOpened, onFailed });
  useEffect(() => {
    heard.current = { onOpened, onFailed };
  });

  const open = useCallback((): void => {
    try {
      openWallet(kind, link, name, namespace, uri);
      setProblem("");
      setOff();
      heard.current.onOpened?.();
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : new LinkError("The wallet could not be opened").message;
      setProblem(message);
      heard.current.onFailed?.({ message, uri, mobile_link: link, name });
    }
  }, [kind, link, name, namespace, uri, setOff]);

  // Once for each stay here: a fresh code is no reason to leave the page again.
  const tried = useRef(false);
  useEffect(() => {
    if (!ready || tried.current) return;
    tried.current = true;
    if (kind !== "web" && isActivated()) open();
  }, [ready, kind, open]);

  const failed = !inside && phase === "failed";
  const wrong = t(failed ? (error?.message ?? "") : problem);
  // Translators: {wallet} in Open {wallet}, where it has no name
  const wallet = name || t("the wallet");
  const action = failed ? t("Try again") : t("Open {wallet}", { wallet });
  const slow = useSlow(!ready && !failed);
  const told: Record<Journey, string> = {
    "": slow ? slowRelay() : "",
    gone: "",
    back: t("Connecting…"),
    unanswered: t("Nothing has come from {wallet} yet. Open it again, and accept the request there.", { wallet }),
  };
  return (
    <div className="wm-pairing-opening" data-phase={phase}>
      <p className="wm-text" role="status" data-tone={wrong ? "error" : ""}>
        {wrong || told[journey]}
      </p>
      <button
        type="button"
        className="wm-button"
        data-variant={failed ? "accent" : "main"}
        data-size="md"
        data-loading={String(!ready && !failed)}
        disabled={!ready && !failed}
        aria-label={action}
        data-testid={failed ? "w3m-connecting-widget-secondary-button" : "pairing-open"}
        onClick={() => (failed ? onRetry?.() : open())}
      >
        <span className="wm-button-label">{action}</span>
        {!ready && !failed && (
          <svg className="wm-spinner" viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="12" r="9" />
          </svg>
        )}
      </button>
    </div>
  );
}
