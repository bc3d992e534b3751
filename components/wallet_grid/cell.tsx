import { memo, useEffect, useRef, useState } from "react";
import type { Shown } from "./kept";

type Watch = (element: Element, seen: () => void) => () => void;
const WALLET = "M18 8V5H6.5a2.5 2.5 0 0 0 0 5H20v9H6.5A2.5 2.5 0 0 1 4 16.5v-9M16 14.5h.01";
const BADGE = "M12 3a9 9 0 1 0 .01 0M8 12.3l2.7 2.7 5.3-5.6";

type Props = { wallet: Shown; reachable: boolean; watch: Watch; onChoose: (kind: string, id: string) => void };


function Glyph({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" className="wm-cell-glyph" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** A picture is asked for when its cell comes into view; until it is there, a shimmer keeps its place. */
function Picture({ source, watch }: { source: string; watch: Watch }) {
  const box = useRef<HTMLSpanElement>(null);
  const [state, setState] = useState<"unseen" | "loading" | "there" | "none">(source ? "unseen" : "none");
  useEffect(() => {
    if (!source || !box.current) return;
    return watch(box.current, () => setState((now) => (now === "unseen" ? "loading" : now)));
  }, [source, watch]);
  return (
    <span ref={box} className="wm-wallet-image" data-size="md" data-picture={state}>
      {state === "loading" && <span className="wm-shimmer" />}
      {state === "none" && <Glyph path={WALLET} />}
      {(state === "loading" || state === "there") && (
        <img
          src={source}
          alt=""
          className="wm-picture"
          decoding="async"
          draggable={false}
          referrerPolicy="no-referrer"
          onLoad={() => setState("there")}
          onError={() => setState("none")}
        />
      )}
    </span>
  );
}

export const Cell = memo(function Cell({ wallet, reachable, watch, onChoose }: Props) {
  const { kind, id, name, picture, certified, installed } = wallet;
  return (
    <li className="wm-cell-place">
      <button
        type="button"
        className="wm-cell"
        data-key={`${kind} ${id}`}
        data-testid={`wallet-search-item-${id}`}
        data-pairs={kind === "listed"}
        title={name}
        tabIndex={reachable ? 0 : -1}
        onClick={() => onChoose(kind, id)}
      >
        <Picture key={picture} source={picture} watch={watch} />
        <span className="wm-cell-name">
          <span>{name}</span>
          {certified && <Glyph path={BADGE} />}
        </span>
        {certified && <span className="wm-hidden">, certified</span>}
        {installed && <span className="wm-hidden">, installed</span>}
      </button>
    </li>
  );
});

export const Skeleton = memo(function Skeleton() {
  return (
    <li className="wm-cell-place" aria-hidden="true">
      <span className="wm-cell" data-skeleton="true">
        <span className="wm-shimmer" />
        <span className="wm-shimmer" />
      </span>
    </li>
  );
});
