import { AnimatePresence, domAnimation, LazyMotion, MotionConfig } from "framer-motion";
import * as m from "framer-motion/m";
import type { Move, PresenceProps } from "./presence";
import "./focus_return";

/** `Presence` with the animation library. */
export function Moving({ name, move, mode = "wait", first = true, onGone = nothing, ...rest }: PresenceProps) {
  const { from, shown, to, seconds, ease } = move;
  // One that leaves gets the `move` of the one that comes, by way of `custom`: they go the same way.
  const variants = { shown, to: (last: Move["to"]) => last };
  return (
    <LazyMotion features={domAnimation}>
      <MotionConfig reducedMotion="user">
        <AnimatePresence mode={mode === "over" ? "popLayout" : "wait"} initial={first} custom={to} onExitComplete={onGone}>
          {name && (
            <m.div key={name} variants={variants} custom={to} initial={from} animate="shown" exit="to" transition={{ duration: seconds, ease }} {...rest} />
          )}
        </AnimatePresence>
      </MotionConfig>
    </LazyMotion>
  );
}

function nothing(): void {}
