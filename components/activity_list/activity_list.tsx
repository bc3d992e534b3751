import { type KeyboardEvent, memo, type ReactNode, useEffect, useId, useMemo, useRef, useState, useTransition } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { useListEnd } from "../list_end";
import { Entry, Skeleton } from "./entry";
import { PendingEntry, type Pending } from "./pending";
import { first, keep, kept, type Month as Transactions, type Page } from "./kept";
import "./activity_list.css";

const FIRST_SKELETONS = 7;
const NEXT_SKELETONS = 2;
// Drawn at once; those that are kept beyond them come as they are scrolled to.
const STEP = 50;
const LOOK_AHEAD = 600;
const NO_PAGE: Page = { list: 0, number: 0, entries: "", texts: [], more: true };
const NOTHING: Pending[] = [];
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

type Props = {
  page?: Page;
  account?: string;
  turn?: number;
  pending?: Pending[];
  explorer?: string;
  loading?: boolean;
  ended?: boolean;
  height?: string;
  label?: string;
  children?: ReactNode;
  onShown?: (list: number, pages: number, zone: string) => void;
  onMore?: (list: number, page: number) => void;
};

const Month = memo(function Month({ month, explorer, above }: { month: Transactions; explorer: string; above: string[] }) {
  const heading = useId();
  const entries = above.length > 0 ? month.entries.filter((entry) => !above.includes(entry.hash)) : month.entries;
  if (entries.length === 0) return null;
  return (
    <section className="wm-month" aria-labelledby={heading} data-testid="month-indexes">
      <h2 id={heading} className="wm-month-title" data-testid="group-title">
        {month.title}
      </h2>
      <ul className="wm-entries">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} explorer={explorer} />
        ))}
      </ul>
    </section>
  );
});

/** Up, down, Home and End go from link to link; null for other keys and at the edges. */
function neighbour(links: HTMLElement[], from: HTMLElement, key: string): HTMLElement | null {
  const at = links.indexOf(from);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[key];
  return at < 0 || to === undefined ? null : (links[to] ?? null);
}

export function ActivityList(props: Props) {
  const { page = NO_PAGE, account = "", turn = 0, pending = NOTHING, explorer = "", height = "tab", label = "" } = props;
  const { loading = true, ended = false, children } = props;
  const emit = useRef(props);
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const [limit, setLimit] = useState(STEP);
  const [, drawLater] = useTransition();
  const heading = useId();
  const { list, number, months, count } = keep(page);
  const missed = page.number > number;
  const hides = limit < count;
  const waits = loading || (number > 0 && page.more && !ended);
  const hashes = pending.map((row) => row.hash).join(" ");
  const above = useMemo(() => hashes.split(" ").filter(Boolean), [hashes]);

  useEffect(() => {
    emit.current = props;
  });

  useEffect(() => {
    const has = kept();
    emit.current.onShown?.(has.list, has.number, ZONE);
  }, [missed, account, turn]);

  useEffect(() => {
    setLimit(STEP);
  }, [list]);

  const asks = !loading && !ended && page.more && number > 0;
  useListEnd(scroller, end, { waits: hides || asks, ahead: LOOK_AHEAD, changes: [list, number, limit, hides] }, () => {
    if (hides) drawLater(() => setLimit(limit + STEP));
    else emit.current.onMore?.(list, number + 1);
  });

  const go = (event: KeyboardEvent<HTMLDivElement>): void => {
    const from = event.target;
    if (!(from instanceof HTMLElement)) return;
    const to = neighbour([...event.currentTarget.querySelectorAll<HTMLElement>("a[href]")], from, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  };

  const skeletons = !(hides || waits) ? 0 : number === 0 ? FIRST_SKELETONS : NEXT_SKELETONS;
  return (
    <div
      ref={scroller}
      className="wm-scroll wm-activity"
      data-height={height}
      role="region"
      aria-label={label}
      aria-busy={waits && loading}
      tabIndex={0}
      onKeyDown={go}
    >
      {pending.length > 0 && (
        <section className="wm-month" aria-labelledby={heading}>
          <h2 id={heading} className="wm-month-title">
            {t("Latest")}
          </h2>
          <ul className="wm-entries" aria-live="polite">
            {pending.map((row) => (
              <PendingEntry key={row.id} row={row} />
            ))}
          </ul>
        </section>
      )}
      {first(months, limit).map((month) => (
        <Month key={month.title} month={month} explorer={explorer} above={above} />
      ))}
      {skeletons > 0 && (
        <ul className="wm-entries" aria-hidden="true">
          {Array.from({ length: skeletons }, (_, index) => (
            <Skeleton key={index} />
          ))}
        </ul>
      )}
      <div ref={end} className="wm-activity-end" aria-hidden="true" />
      {children}
    </div>
  );
}
