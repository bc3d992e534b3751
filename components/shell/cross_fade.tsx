import type { ReactNode } from "react";
import { type Move, Presence } from "./presence";

const EASE: Move["ease"] = [0.25, 0.1, 0.25, 1];

type Props = { name?: string; milliseconds?: number; scale?: number; className?: string; children?: ReactNode };

export function CrossFade({ name = "", milliseconds = 200, scale = 1, className = "", children }: Props) {
  const away = { opacity: 0, scale };
  const move: Move = { from: away, shown: { opacity: 1, scale: 1 }, to: away, seconds: milliseconds / 1000, ease: EASE };
  return (
    <Presence name={name} move={move} first={false} className={`wm-fading ${className}`}>
      {children}
    </Presence>
  );
}
