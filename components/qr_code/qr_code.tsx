import { useMemo, useState } from "react";
import { draw } from "./qr";
import "./qr_code.css";

type Props = {
  /** What the code says. */
  uri: string;
  alt: string;
  /** The picture in the middle; without one that loads, our own glyph. */
  logo?: string;
  /** Leaves no room in the middle. */
  arenaClear?: boolean;
};

const LINE = 0.8;
const CORNER = 0.45;

/** A square of a finder pattern with round corners: `inset` modules inside its outer edge. */
function square(left: number, top: number, inset: number, tone: "dark" | "light") {
  const side = 7 - 2 * inset;
  return (
    <rect
      key={`${left}-${top}-${inset}`}
      x={left + inset}
      y={top + inset}
      width={side}
      height={side}
      rx={side * CORNER * (inset ? 0.62 : 0.66)}
      data-tone={tone}
    />
  );
}

function Logo({ source }: { source: string }) {
  const [broken, setBroken] = useState("");
  if (source && source !== broken) {
    return (
      <img
        className="wm-qr-logo"
        src={source}
        alt=""
        draggable={false}
        referrerPolicy="no-referrer"
        onError={() => setBroken(source)}
      />
    );
  }
  return (
    <svg className="wm-qr-logo wm-qr-glyph" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M9.5 14.5l5-5M11 7.5l1.6-1.6a4 4 0 0 1 5.6 5.6L16.5 13M13 16.5l-1.6 1.6a4 4 0 0 1-5.6-5.6L7.5 11" />
    </svg>
  );
}

/** A QR code as a picture with a name, for phones to scan. */
export function QrCode({ uri, alt, logo = "", arenaClear = false }: Props) {
  const { size, lines, dots, finders, cleared } = useMemo(() => draw(uri, !arenaClear), [uri, arenaClear]);
  return (
    <div className="wm-qr" role="img" aria-label={alt} data-testid="wui-qr-code" {...{ uri, alt }}>
      <svg className="wm-qr-code" viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
        <path className="wm-qr-lines" d={lines} strokeWidth={LINE} />
        <path className="wm-qr-dots" d={dots} />
        {finders.flatMap(([left, top]) => [
          square(left, top, 0, "dark"),
          square(left, top, 1, "light"),
          square(left, top, 2, "dark"),
        ])}
      </svg>
      {cleared > 0 && <Logo source={logo} />}
    </div>
  );
}
