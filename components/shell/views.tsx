import { AnimatePresence } from "framer-motion";
import * as m from "framer-motion/m";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

const SHIFT = 10;
const EASE: [number, number, number, number] = [0, 0, 0.55, 1];

type ViewProps = { viewKey?: string; direction?: number; children?: ReactNode };

const slide = {
  from: (direction: number) => ({ opacity: 0, x: SHIFT * direction }),
  shown: { opacity: 1, x: 0 },
  to: (direction: number) => ({ opacity: 0, x: -SHIFT * direction }),
};

export function ViewPresence({ viewKey = "", direction = 1, children }: ViewProps) {
  const inner = useRef<HTMLDivElement>(null);
  const view = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number>();
  const first = useRef(true);

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
    view.current?.focus({ preventScroll: true });
  }, [viewKey]);

  return (
    <div className="wm-body" style={{ height }}>
      <div className="wm-body-inner" ref={inner}>
        <AnimatePresence mode="popLayout" initial={false} custom={direction}>
          <m.div
            key={viewKey}
            ref={view}
            className="wm-view"
            data-view={viewKey}
            role="group"
            aria-labelledby="wm-title"
            tabIndex={-1}
            custom={direction}
            variants={slide}
            initial="from"
            animate="shown"
            exit="to"
            transition={{ duration: 0.15, ease: EASE }}
          >
            {children}
          </m.div>
        </AnimatePresence>
      </div>
    </div>
  );
}

type TitleProps = { text?: string; name?: string; direction?: number };

const nod = {
  from: (direction: number) => ({ opacity: 0, y: -3 * direction }),
  shown: { opacity: 1, y: 0 },
  to: (direction: number) => ({ opacity: 0, y: 3 * direction }),
};

/** A view without a title still has a `name`: it is the dialog's for those who cannot see it. */
export function HeaderTitle({ text = "", name = "", direction = 1 }: TitleProps) {
  return (
    <h1 id="wm-title" className="wm-title" data-testid="w3m-header-text" title={text} aria-label={text || name}>
      <AnimatePresence mode="popLayout" initial={false} custom={direction}>
        <m.span
          key={text}
          custom={direction}
          variants={nod}
          initial="from"
          animate="shown"
          exit="to"
          transition={{ duration: 0.12, ease: EASE }}
        >
          {text}
        </m.span>
      </AnimatePresence>
    </h1>
  );
}
