import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { followArrows } from "../arrows";
import { useListEnd } from "../list_end";
import { Cell, Skeleton } from "./cell";
import { inOrder, type Installed, keep, kept, type Page, place } from "./kept";
import "./wallet_grid.css";

const FIRST_SKELETONS = 16;
// Fills the last row and one more whether there are two columns or three.
const SKELETON_STEP = 6;
const LOOK_AHEAD = 400;
// A row ahead: what scrolls into view is there then.
const PICTURES_AHEAD = "104px 0px";
const NO_PAGE: Page = { list: 0, number: 0, rows: [], more: true };

type Props = {
  page?: Page;
  installed?: Installed[];
  search?: string;
  certified?: boolean;
  loading?: boolean;
  ended?: boolean;
  label?: string;
  children?: ReactNode;
  onShown?: (list: number, pages: number) => void;
  onMore?: (list: number, page: number) => void;
  onChoose?: (kind: string, id: string) => void;
};

/** Tells once of each watched element that it has come into view. */
function useWatch(root: React.RefObject<HTMLElement | null>, rootMargin: string) {
  const observer = useRef<IntersectionObserver | null>(null);
  const waiting = useRef(new Map<Element, () => void>());
  useEffect(() => () => observer.current?.disconnect(), []);
  return useCallback(
    (element: Element, seen: () => void) => {
      observer.current ??= new IntersectionObserver(
        (entries) => {
          for (const { isIntersecting, target } of entries) {
            if (!isIntersecting) continue;
            waiting.current.get(target)?.();
            waiting.current.delete(target);
            observer.current?.unobserve(target);
          }
        },
        { root: root.current, rootMargin },
      );
      waiting.current.set(element, seen);
      observer.current.observe(element);
      return () => {
        waiting.current.delete(element);
        observer.current?.unobserve(element);
      };
    },
    [root, rootMargin],
  );
}

export function WalletGrid(props: Props) {
  const { page = NO_PAGE, installed = [], search = "", certified = false, loading = true, ended = false, label = "", children } = props;
  const emit = useRef(props);
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLLIElement>(null);
  const [reached, setReached] = useState("");
  const watch = useWatch(scroller, PICTURES_AHEAD);
  const { list, number, rows } = keep(page);
  const shown = useMemo(() => inOrder(rows, installed, search, certified), [rows, installed, search, certified]);
  const missed = page.number > number;
  const waits = loading || (number > 0 && page.more && !ended);

  useEffect(() => {
    emit.current = props;
  });

  const said = useRef(false);
  useEffect(() => {
    if (said.current && !missed) return;
    said.current = true;
    const has = kept();
    emit.current.onShown?.(has.list, has.number);
  }, [missed]);

  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, place.read());
  }, [list]);

  const asks = !loading && !ended && page.more && number > 0;
  useListEnd(scroller, end, { waits: asks, ahead: LOOK_AHEAD, changes: [list, number] }, () => emit.current.onMore?.(list, number + 1));

  const choose = useCallback((kind: string, id: string) => emit.current.onChoose?.(kind, id), []);

  const active = shown.some((wallet) => `${wallet.kind} ${wallet.id}` === reached) ? reached : "";
  const skeletons = !waits ? 0 : number === 0 ? FIRST_SKELETONS : SKELETON_STEP * 2 - (shown.length % SKELETON_STEP);
  return (
    <div
      ref={scroller}
      className="wm-scroll"
      data-height="grid"
      data-testid="wallet-list"
      aria-busy={waits && loading}
      onScroll={(event) => place.write(event.currentTarget.scrollTop)}
    >
      <ul
        className="wm-wallet-grid"
        aria-label={label}
        onKeyDown={followArrows}
        onFocus={(event) => setReached(event.target.dataset.key ?? "")}
      >
        {shown.map((wallet, index) => {
          const key = `${wallet.kind} ${wallet.id}`;
          return (
            <Cell
              key={key}
              wallet={wallet}
              reachable={active ? key === active : index === 0}
              watch={watch}
              onChoose={choose}
            />
          );
        })}
        {waits && <li key={`end ${list} ${number}`} ref={end} className="wm-grid-end" aria-hidden="true" />}
        {Array.from({ length: skeletons }, (_, index) => (
          <Skeleton key={`skeleton ${index}`} />
        ))}
      </ul>
      {children}
    </div>
  );
}
