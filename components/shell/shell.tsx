import { Fragment, type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useLanguage } from "$/public/external/walletmodal/components/language/language/language.ts";
import { preload } from "./ahead";
import { type Move, Presence } from "./presence";
import "./shell.css";

const FADE_OUT: Move = { from: false, shown: { opacity: 1 }, to: { opacity: 0 }, seconds: 0.2, ease: [0, 0, 0.22, 1] };
const AHEAD_AFTER_MS = 1000;
const FOCUSABLE = ":enabled,a[href],summary,[tabindex]";
const SHAKE = [0, -1, 1.5, -1.5, 1, 0].map((degrees) => ({ transform: `rotate(${degrees}deg)` }));

type Props = {
  open?: boolean;
  embedded?: boolean;
  refuseClose?: boolean;
  shakes?: number;
  connected?: boolean;
  onClose?: () => void;
  children?: ReactNode;
};

/** Tab goes round inside the card, in both directions. */
function wrapFocus(event: KeyboardEvent, card: HTMLElement): void {
  // Of a group with arrow keys only one part is a stop, and of what is inert nothing.
  const stops = [...card.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (stop) => stop.tabIndex >= 0 && !stop.closest("[inert]") && stop.checkVisibility?.({ visibilityProperty: true }) !== false,
  );
  const [first, last] = [stops[0], stops[stops.length - 1]];
  if (!first || !last) {
    event.preventDefault();
    card.focus();
    return;
  }
  const at = document.activeElement;
  const outside = !card.contains(at);
  if (outside || at === (event.shiftKey ? first : last) || (event.shiftKey && at === card)) {
    event.preventDefault();
    (event.shiftKey ? last : first).focus();
  }
}

export function Shell({ open = false, embedded = false, refuseClose = false, shakes = 0, connected = false, onClose, children }: Props) {
  // Closing is seen at once, whatever the network does; the server learns of it by the event.
  const [dismissed, setDismissed] = useState(false);
  const card = useRef<HTMLDivElement>(null);
  const visible = embedded || (open && !dismissed);
  const alone = typeof window !== "undefined" && window.parent === window;
  const phone = typeof window !== "undefined" && window.innerWidth <= 430;

  useEffect(() => setDismissed(false), [open, shakes]);

  useEffect(() => {
    if (shakes > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      card.current?.animate(SHAKE, { duration: 500, easing: "cubic-bezier(0,0,.22,1)" });
    }
  }, [shakes]);

  const requestClose = useCallback(() => {
    if (!refuseClose && !embedded) setDismissed(true);
    onClose?.();
  }, [refuseClose, embedded, onClose]);

  useEffect(() => {
    if (!visible) return;
    window.__walletmodal.post("shown", { visible: true });
    if (embedded) return;
    // The loader notes who had the focus, then gives it to the frame: taken before, it could not be given back.
    const enter = (): void => {
      if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
    };
    window.addEventListener("focus", enter);
    const keys = (event: KeyboardEvent): void => {
      if (event.key === "Escape") requestClose();
      else if (event.key === "Tab" && card.current) wrapFocus(event, card.current);
    };
    document.addEventListener("keydown", keys);
    return () => {
      window.removeEventListener("focus", enter);
      document.removeEventListener("keydown", keys);
    };
  }, [visible, embedded, requestClose]);

  useEffect(() => (connected ? preload("account") : undefined), [connected]);

  // What a visitor looks at comes first, and who saves data gets only what is wanted.
  useEffect(() => {
    const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
    if (!visible || connection?.saveData) return;
    let stop = (): void => {};
    const timer = setTimeout(() => {
      stop = preload("all");
    }, AHEAD_AFTER_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [visible]);

  const asked = useRef({ requestClose, refuseClose });
  useEffect(() => {
    asked.current = { requestClose, refuseClose };
  });

  // Few need these two: their scripts come after everything else.
  useEffect(() => {
    if (matchMedia("(forced-colors: active)").matches) void import("./forced_colors.css");
  }, []);
  useEffect(() => {
    if (!visible || !phone || embedded) return;
    let end: (() => void) | undefined;
    let here = true;
    void import("./drag").then(({ dragToClose }) => {
      if (here && card.current) end = dragToClose(card.current, () => asked.current.refuseClose, () => asked.current.requestClose());
    });
    return () => {
      here = false;
      end?.();
    };
  }, [visible, phone, embedded]);

  // In the page's flow the frame is as high as its card, with the room around it.
  useEffect(() => {
    const watched = card.current?.parentElement;
    if (!visible || !embedded || alone || !watched) return;
    const observer = new ResizeObserver(() => window.__walletmodal.post("size", { height: watched.offsetHeight }));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [visible, embedded, alone]);

  const clicked = (event: MouseEvent): void => {
    const target = event.target as Element;
    if (target.closest("[data-close]") || (!embedded && target === event.currentTarget)) requestClose();
  };

  return (
    <Presence
      name={visible ? "overlay" : ""}
      move={FADE_OUT}
      className={`wm-overlay${embedded ? " wm-embedded" : ""}${alone ? " wm-alone" : ""}`}
      data-testid="w3m-modal-overlay"
      onClick={clicked}
      onGone={gone}
    >
      <div
        className="wm-card"
        data-testid="w3m-modal-card"
        ref={card}
        role={embedded ? "region" : "dialog"}
        aria-modal={embedded ? undefined : true}
        aria-labelledby="wm-title"
        tabIndex={-1}
      >
        <Fragment key={useLanguage()}>{children}</Fragment>
      </div>
    </Presence>
  );
}

function gone(): void {
  window.__walletmodal.post("shown", { visible: false });
}
