import { CopyButton } from "$/public/external/walletmodal/components/copy_button/copy_button/copy_button.tsx";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { usePairing } from "./store";
import "./pairing.css";

type Props = { onCopied?: ((ok: boolean) => void) | undefined };

/** Copies the code's link; there is nothing to copy before the code. */
export function PairingCopy({ onCopied }: Props) {
  const { phase, uri } = usePairing();
  return (
    <CopyButton
      text={uri}
      className="wm-link"
      disabled={phase !== "ready"}
      data-testid="copy-wc2-uri"
      {...(onCopied ? { onCopied } : {})}
    >
      <svg viewBox="0 0 24 24" className="wm-pairing-glyph" aria-hidden="true">
        <path d="M9 9h10v10H9zM5 15V5h10" />
      </svg>
      {t("Copy link")}
    </CopyButton>
  );
}
