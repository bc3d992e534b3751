/** Draws a text as a QR code (ISO/IEC 18004, correction level Q): SVG paths in units of modules, the standard way round. */
import { encode } from "uqr";

export type Drawing = {
  /** Modules along one side. */
  size: number;
  /** Vertical runs of touching dark modules, to be stroked with round caps. */
  lines: string;
  /** Dark modules that stand alone, as circles. */
  dots: string;
  /** Upper left corners of the three finder patterns. */
  finders: readonly (readonly [number, number])[];
  /** Side of the square in the middle that is left free for a picture, in modules. */
  cleared: number;
};

const FINDER = 7;
/** A quarter of the picture's side for the logo, and air around it: within what level Q repairs. */
const LOGO_SHARE = 0.25;
const AIR_SHARE = 0.07;
const DOT = 0.4;

/** `clear`: whether the middle is left free. */
export function draw(text: string, clear: boolean): Drawing {
  const { data, size } = encode(text, { ecc: "Q", border: 0 });
  const finders = [[0, 0], [size - FINDER, 0], [0, size - FINDER]] as const;
  const cleared = clear ? odd(Math.floor(size * (LOGO_SHARE + AIR_SHARE))) : 0;
  const first = (size - cleared) / 2;
  const isDark = (x: number, y: number): boolean => {
    if (data[y]?.[x] !== true) return false;
    if (finders.some(([left, top]) => x >= left && x < left + FINDER && y >= top && y < top + FINDER)) return false;
    return !(x >= first && x < first + cleared && y >= first && y < first + cleared);
  };
  let lines = "";
  let dots = "";
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) {
      if (!isDark(x, y)) continue;
      let last = y;
      while (isDark(x, last + 1)) last++;
      if (last > y) lines += `M${x + 0.5} ${y + 0.5}V${last + 0.5}`;
      else dots += `M${x + 0.5 - DOT} ${y + 0.5}a${DOT} ${DOT} 0 1 0 ${2 * DOT} 0a${DOT} ${DOT} 0 1 0 ${-2 * DOT} 0`;
      y = last;
    }
  }
  return { size, lines, dots, finders, cleared };
}

/** A code has an odd number of modules; a square in its middle too. */
function odd(count: number): number {
  return count % 2 ? count : count - 1;
}
