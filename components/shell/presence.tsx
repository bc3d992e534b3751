import { type HTMLAttributes, type MouseEventHandler, type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { idle } from "./ahead";

type Moving = typeof import("./moving");
type Look = { opacity: number; scale?: number; transform?: string; transitionEnd?: { transform: string } };

/** How something moves: in from `from` (false: its style sheet moves it in), then away `to`. */
export type Move = { from: Look | false; shown: Look; to: Look; seconds: number; ease: [number, number, number, number] };

export type PresenceProps = {
  /** What is shown: another name is another thing, and "" nothing. */
  name: string;
  move: Move;
  /** wait: the one before leaves first. over: it leaves while the next one comes. */
  mode?: "wait" | "over";
  /** Whether what is there from the beginning moves in too. */
  first?: boolean;
  onGone?: () => void;
  className?: string;
  onClick?: MouseEventHandler;
  role?: HTMLAttributes<HTMLElement>["role"];
  tabIndex?: number | undefined;
  children?: ReactNode;
  ref?: Ref<HTMLDivElement>;
  [attribute: `data-${string}` | `aria-${string}`]: string | undefined;
};

const AFTER_MS = 1000;
let loaded: Moving | null = null;
let asked = false;

/** Nobody waits for what only moves things: the animation library comes when what a visitor looks at is there. */
function load(): void {
  if (asked) return;
  asked = true;
  const get = (): void => {
    import("./moving").then(
      (moving) => {
        loaded = moving;
      },
      // Without it things come and go at once; the next one that is drawn asks again.
      () => {
        asked = false;
      },
    );
  };
  setTimeout(() => idle(get), AFTER_MS);
}

/** Something that comes and goes. What is on screen when the animation library has come stays as it is until it changes: it would be made anew. */
export function Presence({ first = true, ...props }: PresenceProps) {
  const { name, move, mode, onGone, ...rest } = props;
  const before = useRef<string | null>(null);
  const [moving, adopt] = useState(loaded);
  const [late, setLate] = useState(false);
  if (!moving && loaded && name && name !== before.current) {
    adopt(loaded);
    setLate(before.current !== null);
  }
  useEffect(load, []);
  useEffect(() => {
    if (!moving && before.current && !name) onGone?.();
    before.current = name;
  }, [moving, name, onGone]);

  if (moving) return <moving.Moving {...props} first={first || late} />;
  return name ? <div key={name} {...rest} /> : null;
}
