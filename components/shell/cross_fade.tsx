import { AnimatePresence } from "framer-motion";
import * as m from "framer-motion/m";
import type { ReactNode } from "react";

const EASE: [number, number, number, number] = [0.25, 0.1, 0.25, 1];

type Props = { name?: string; milliseconds?: number; scale?: number; className?: string; children?: ReactNode };

export function CrossFade({ name = "", milliseconds = 200, scale = 1, className = "", children }: Props) {
  const away = { opacity: 0, scale };
  return (
    <AnimatePresence mode="wait" initial={false}>
      {name && (
        <m.div
          key={name}
          className={`wm-fading ${className}`}
          initial={away}
          animate={{ opacity: 1, scale: 1 }}
          exit={away}
          transition={{ duration: milliseconds / 1000, ease: EASE }}
        >
          {children}
        </m.div>
      )}
    </AnimatePresence>
  );
}
