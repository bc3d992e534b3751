import { type ComponentType, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { comesAhead, type Occasion } from "./ahead";
import "./shell.css";

type Load = () => Promise<ComponentType>;
type Props = { skeleton?: (number | string)[]; [prop: string]: unknown };

/** Keeps the card as high as it is: what comes decides anew. */
function Place({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const here = place.current;
    const body = here?.closest(".wm-body");
    if (here && body) here.style.minHeight = `${body.getBoundingClientRect().bottom - here.getBoundingClientRect().top}px`;
  }, []);
  return (
    <div className="wm-lazy" ref={place}>
      {children}
    </div>
  );
}

/** What is to come, part by part in its final height (px, or as CSS has it). */
function Skeleton({ parts }: { parts: (number | string)[] }) {
  return (
    <div className="wm-lazy" data-skeleton="true">
      {parts.map((height, index) => (
        <span key={index} className="wm-shimmer" style={{ height }} aria-hidden="true" />
      ))}
      <span className="wm-hidden" role="status">
        {t("Loading")}
      </span>
    </div>
  );
}

/**
 * A view whose script comes when it is first shown, or ahead. It says that it is on its way, and offers another try if it does not
 * come. `occasion`: what its script comes ahead for.
 */
export function lazyView(fetch: Load, name: string, occasion: Occasion = ""): ComponentType<Props> {
  let known: ComponentType | null = null;
  const load: Load = async () => {
    known = await fetch();
    return known;
  };
  comesAhead(load, occasion);

  function LazyView({ skeleton = [], ...props }: Props) {
    const [View, setView] = useState<ComponentType | null>(() => known);
    const [attempt, setAttempt] = useState(0);
    const [failed, setFailed] = useState(false);

    useEffect(() => {
      let here = true;
      // What has come since the first drawing is not waited for again, but shown.
      (known ? Promise.resolve(known) : load()).then(
        (view) => here && setView(() => view),
        () => here && setFailed(true),
      );
      return () => {
        here = false;
      };
    }, [attempt]);

    if (View) return <View {...props} />;
    if (!failed && skeleton.length > 0) return <Skeleton parts={skeleton} />;
    if (!failed) {
      return (
        <Place>
          <svg className="wm-spinner" viewBox="0 0 24 24" aria-hidden="true">
            <circle cx="12" cy="12" r="9" />
          </svg>
          <span className="wm-hidden" role="status">
            {t("Loading")}
          </span>
        </Place>
      );
    }
    const again = (): void => {
      setFailed(false);
      setAttempt(attempt + 1);
    };
    return (
      <Place>
        <span className="wm-icon-box" data-size="lg" aria-hidden="true">
          <svg width="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round">
            <circle cx="12" cy="12" r="9" />
            <path d="M12 7v6m0 4h0" />
          </svg>
        </span>
        <div className="wm-words" role="alert">
          <p className="wm-heading">{t("This part could not be loaded")}</p>
          <p className="wm-text">{t("Check that you are online, then try again. If that does not help, reload the page.")}</p>
        </div>
        <button type="button" className="wm-button" data-variant="accent" data-size="md" data-testid="view-retry" onClick={again}>
          <span className="wm-button-label">{t("Try again")}</span>
        </button>
      </Place>
    );
  }
  LazyView.displayName = name;
  return LazyView;
}
