import { memo, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { ARTWORK, COIN, DEED, DOWN, Glyph, UP } from "./glyphs";
import type { Entry as Transaction, Line } from "./kept";

const BADGES: Record<string, string> = {
  in: DOWN,
  out: UP,
  swap: "M7 4 3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  check: "M5 12.5l5 5L19 7.5",
  cancel: "M6 6l12 12M18 6 6 18",
};
const directionText = (direction: string): string =>
  direction === "in" ? t("state\u0004received") : direction === "out" ? t("state\u0004sent") : "";
const tagText = (status: string): string =>
  status === "failed" ? t("state\u0004Failed") : status === "pending" ? t("state\u0004Pending") : "";

function Picture({ line, glyph }: { line: Line; glyph: string }) {
  const [broken, setBroken] = useState(false);
  return (
    <span className="wm-entry-picture">
      {line.picture && !broken ? (
        <img
          src={line.picture}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      ) : (
        <Glyph path={glyph} className="wm-entry-glyph" />
      )}
    </span>
  );
}

/** One picture, or two halves of an exchange; the badge tells what happened, its colour how it ended. */
function Visual({ entry }: { entry: Transaction }) {
  const shown = entry.lines.slice(0, entry.exchange ? 2 : 1);
  return (
    <span className="wm-entry-visual" data-shape={entry.exchange ? "split" : shown[0]?.nft ? "nft" : "coin"} aria-hidden="true">
      {shown.map((line, index) => (
        <Picture
          key={`${index} ${line.picture}`}
          line={line}
          glyph={line.nft ? ARTWORK : line.direction ? COIN : DEED}
        />
      ))}
      <span className="wm-entry-badge" data-status={entry.status}>
        <Glyph path={BADGES[entry.badge] ?? UP} className="wm-entry-badge-glyph" />
      </span>
    </span>
  );
}

function Lines({ entry }: { entry: Transaction }) {
  if (entry.exchange) {
    return (
      <span className="wm-entry-lines" data-exchange="true">
        <span>{entry.lines[0]?.text}</span>
        <Glyph path="M5 12h14M13 6l6 6-6 6" className="wm-entry-arrow" />
        <span className="wm-hidden"> {t("exchanged\u0004for")} </span>
        <span>{entry.lines[1]?.text}</span>
      </span>
    );
  }
  const several = entry.lines.length > 1;
  if (!several && !entry.lines[0]?.text) return null;
  return (
    <span className="wm-entry-lines">
      {entry.lines.map((line, index) => (
        <span key={index}>
          {several && directionText(line.direction) && (
            <>
              <Glyph path={line.direction === "in" ? DOWN : UP} className="wm-entry-arrow" />
              <span className="wm-hidden">{directionText(line.direction)} </span>
            </>
          )}
          {line.text}
        </span>
      ))}
      {entry.more > 0 && <span>{t("list\u0004and {count} more", { count: entry.more })}</span>}
    </span>
  );
}

export const Entry = memo(function Entry({ entry, explorer }: { entry: Transaction; explorer: string }) {
  const tag = tagText(entry.status);
  const content = (
    <>
      <Visual entry={entry} />
      <span className="wm-entry-words">
        <span className="wm-entry-title">
          <span className="wm-entry-operation">{entry.title}</span>
          {tag && (
            <span className="wm-tag" data-tone={entry.status === "failed" ? "error" : "shade"}>
              {tag}
            </span>
          )}
        </span>
        <Lines entry={entry} />
      </span>
      <span className="wm-entry-day">{entry.day}</span>
    </>
  );
  const id = `activity-item-${entry.hash || entry.id}`;
  return (
    <li className="wm-entry-place" data-lines={entry.exchange ? 1 : entry.lines.length}>
      {entry.hash && explorer ? (
        <a className="wm-entry" href={explorer + entry.hash} target="_blank" rel="noopener noreferrer" data-testid={id}>
          {content}
          <span className="wm-hidden"> {t("(opens the block explorer in a new tab)")}</span>
        </a>
      ) : (
        <span className="wm-entry" data-testid={id}>
          {content}
        </span>
      )}
    </li>
  );
});

/** An entry that is still to come, in its final size. */
export const Skeleton = memo(function Skeleton() {
  return (
    <li className="wm-entry-place" data-skeleton="true" data-lines="1" aria-hidden="true">
      <span className="wm-entry">
        <span className="wm-shimmer" data-part="visual" />
        <span className="wm-entry-words">
          <span className="wm-shimmer" data-part="title" />
          <span className="wm-shimmer" data-part="line" />
        </span>
        <span className="wm-shimmer" data-part="day" />
      </span>
    </li>
  );
});
