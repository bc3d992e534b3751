import { memo } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { COIN, DEED, Glyph, Letters, UP } from "./glyphs";

export type Pending = {
  id: string;
  hash: string;
  link: string;
  title: string;
  amount: string;
  image: string;
  received: string;
  receiver: string;
  name: string;
  label: string;
  tone: string;
};

const MARKS: Record<string, string> = { good: "M5 12.5l5 5L19 7.5", bad: "M6 6l12 12M18 6 6 18" };
const STATUSES: Record<string, string> = { good: "confirmed", bad: "failed" };

/** A transaction on its way, or one that has just arrived: in the look of the entries below, with how it stands. */
export const PendingEntry = memo(function PendingEntry({ row }: { row: Pending }) {
  const content = (
    <>
      <span className="wm-entry-visual" data-shape="coin" aria-hidden="true">
        <span className="wm-entry-picture">
          {row.image ? (
            <img src={row.image} alt="" decoding="async" draggable={false} referrerPolicy="no-referrer" />
          ) : (
            <Letters symbol={row.amount.split(" ").slice(1).join(" ")} otherwise={row.amount ? COIN : DEED} />
          )}
        </span>
        {row.tone === "waiting" && <span className="wm-entry-ring" />}
        <span className="wm-entry-badge" data-status={STATUSES[row.tone] ?? "pending"}>
          <Glyph path={MARKS[row.tone] ?? UP} className="wm-entry-badge-glyph" />
        </span>
      </span>
      <span className="wm-entry-words">
        <span className="wm-entry-title">
          <span className="wm-entry-operation">{row.title}</span>
        </span>
        <span className="wm-entry-lines">
          {row.amount && (
            <span>
              {row.received
                ? t("{amount} for {received}", { amount: row.amount, received: row.received })
                : t("{amount} to {name}", {
                    amount: row.amount,
                    name: row.name ? t("{name} ({address})", { name: row.name, address: row.receiver }) : row.receiver,
                  })}
            </span>
          )}
          <span className="wm-entry-state" data-tone={row.tone}>
            {row.label}
          </span>
        </span>
      </span>
    </>
  );
  const id = `activity-item-${row.hash || row.id}`;
  return (
    <li data-lines="2" className="wm-entry-place">
      {row.link ? (
        <a className="wm-entry" href={row.link} target="_blank" rel="noopener noreferrer" data-testid={id}>
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
