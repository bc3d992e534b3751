export const COIN =
  "M12 3a9 9 0 1 0 .01 0M12 7.5v9M9.5 9.8c.4-1 1.3-1.5 2.6-1.5 3.3 0 3.3 3.6 0 3.7-3.4.1-3.4 3.7 0 3.7 1.2 0 2.1-.5 2.5-1.5";
export const ARTWORK =
  "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1M4 16l4.5-4.5L14 17l2.5-2.5L20 18M15.5 9h.01";
export const DEED = "M7 3h7l5 5v12a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1M14 3v5h5M9.5 13h6M9.5 16.5h6";
export const DOWN = "M12 5v14M5 12l7 7 7-7";
export const UP = "M12 19V5M5 12l7-7 7 7";

/** What stands there without a picture: the first letters of a symbol, or a glyph without one. */
export function Letters({ symbol, otherwise }: { symbol: string; otherwise: string }) {
  const letters = [...symbol].slice(0, 4).join("").toUpperCase();
  return letters ? <span className="wm-entry-letters">{letters}</span> : <Glyph path={otherwise} className="wm-entry-glyph" />;
}

export function Glyph({ path, className }: { path: string; className: string }) {
  return (
    <svg viewBox="0 0 24 24" className={className} aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
