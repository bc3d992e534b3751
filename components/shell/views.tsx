import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Move, Presence } from "./presence";

const SHIFT = 10;
const EASE: Move["ease"] = [0, 0, 0.55, 1];

type ViewProps = { viewKey?: string; direction?: number; children?: ReactNode };

const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** `transform`, not `x`: the compositor moves the view then, and the main thread is free. A view is seen in its first frame. */
const slide = (shift: number): Move => ({
  from: { opacity: 0.2, transform: `translateX(${shift}px)` },
  shown: { opacity: 1, transform: "translateX(0px)", transitionEnd: { transform: "none" } },
  to: { opacity: 0, transform: `translateX(${-shift}px)` },
  seconds: 0.15,
  ease: EASE,
});

export function ViewPresence({ viewKey = "", direction = 1, children }: ViewProps) {
  const inner = useRef<HTMLDivElement>(null);
  const view = useRef<HTMLDivElement | null>(null);
  // The view before leaves after this one has come, and would take its place with it.
  const shown = useCallback((element: HTMLDivElement | null): void => {
    if (element) view.current = element;
  }, []);
  const [height, setHeight] = useState<number>();
  const first = useRef(true);
  // The library leaves out `x` by itself where less motion is wanted, but not `transform`.
  const shift = still() ? 0 : SHIFT * direction;

  useLayoutEffect(() => {
    const watched = inner.current;
    if (!watched) return;
    const observer = new ResizeObserver(() => setHeight(watched.offsetHeight));
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);

  // The focus goes with the view, so that keys and screen readers are where the eye is.
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    // A field of the view may have taken it by now.
    if (!view.current?.contains(document.activeElement)) view.current?.focus({ preventScroll: true });
  }, [viewKey]);

  // What has the focus may go, as a button does once it was pressed; the keys stay in the view then.
  useEffect(() => {
    const watched = inner.current;
    if (!watched) return;
    let entered = false;
    const enter = (): void => {
      entered = true;
    };
    const observer = new MutationObserver(() => {
      const at = document.activeElement;
      const lost = at === document.body || at?.matches(":disabled");
      if (entered && lost && document.hasFocus()) view.current?.focus({ preventScroll: true });
    });
    watched.addEventListener("focusin", enter);
    observer.observe(watched, { childList: true, subtree: true, attributeFilter: ["disabled", "inert"] });
    return () => {
      watched.removeEventListener("focusin", enter);
      observer.disconnect();
    };
  }, []);

  return (
    <div className="wm-body" style={{ height }}>
      <div className="wm-body-inner" ref={inner}>
        <Presence
          name={viewKey}
          move={slide(shift)}
          mode="over"
          first={false}
          ref={shown}
          className="wm-view"
          data-view={viewKey}
          role="group"
          aria-labelledby="wm-title"
          tabIndex={-1}
        >
          {children}
        </Presence>
      </div>
    </div>
  );
}

type TitleProps = { text?: string; name?: string; direction?: number };

/** One title at a time: the new one is there at once. A view without one still has a `name`: it is the dialog's for those who cannot see it. */
export function HeaderTitle({ text = "", name = "", direction = 1 }: TitleProps) {
  const shown = useRef<HTMLSpanElement>(null);
  const from = useRef("");
  from.current = still() ? "none" : `0 ${-3 * direction}px`;
  useLayoutEffect(() => {
    const timing = { duration: 120, easing: `cubic-bezier(${EASE.join()})` };
    shown.current?.animate({ opacity: [0, 1], translate: [from.current, "none"] }, timing);
  }, [text]);
  return (
    <h1 id="wm-title" className="wm-title" data-testid="w3m-header-text" title={text} aria-label={text || name}>
      <span ref={shown}>{text}</span>
    </h1>
  );
}
