import { memo, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import { followArrows } from "../arrows";
import { useListEnd } from "../list_end";
import { keep, kept, type Nft, type Page, place } from "./kept";
import "./nft_grid.css";

const FIRST_SKELETONS = 6;
const COLUMNS = 3;
const LOOK_AHEAD = 400;
const NO_PAGE: Page = { list: 0, number: 0, entries: "", more: true };
const ARTWORK = "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1M4 16l4.5-4.5L14 17l2.5-2.5L20 18M15.5 9h.01";

type Props = {
  page?: Page;
  account?: string;
  turn?: number;
  loading?: boolean;
  ended?: boolean;
  label?: string;
  children?: ReactNode;
  onShown?: (list: number, pages: number, zone: string) => void;
  onMore?: (list: number, page: number) => void;
  onChoose?: (asset: string) => void;
};

function Picture({ source }: { source: string }) {
  const [state, setState] = useState<"loading" | "there" | "none">(source ? "loading" : "none");
  return (
    <span className="wm-nft-picture" data-picture={state}>
      {state === "loading" && <span className="wm-shimmer" />}
      {state === "none" && (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={ARTWORK} />
        </svg>
      )}
      {state !== "none" && (
        <img
          src={source}
          alt=""
          loading="lazy"
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

/** Pieces of one collection mostly differ at the end of their names: it stays where there is no room for the whole. */
function Name({ text }: { text: string }) {
  const end = /.[^\s]{0,5}$/u.exec(text)?.index ?? text.length;
  return (
    <span className="wm-nft-name">
      <span>{text.slice(0, end)}</span>
      <span>{text.slice(end)}</span>
    </span>
  );
}

type CellProps = { nft: Nft; number: number; reachable: boolean; onChoose: (asset: string) => void };

const Cell = memo(function Cell({ nft, number, reachable, onChoose }: CellProps) {
  return (
    <li className="wm-nft-place">
      <button
        type="button"
        className="wm-nft"
        data-testid={`nft-item-${number}`}
        data-asset={nft.asset}
        title={nft.name}
        tabIndex={reachable ? 0 : -1}
        onClick={() => onChoose(nft.asset)}
      >
        <Picture key={nft.picture} source={nft.picture} />
        {nft.amount && (
          <span className="wm-nft-amount" aria-hidden="true">
            ×{nft.amount}
          </span>
        )}
        <Name text={nft.name} />
        {nft.collection && <span className="wm-nft-collection">{nft.collection}</span>}
        {nft.amount && <span className="wm-hidden">, {t("{count} of them", { count: nft.amount })}</span>}
      </button>
    </li>
  );
});

const Skeleton = memo(function Skeleton() {
  return (
    <li className="wm-nft-place" aria-hidden="true">
      <span className="wm-nft">
        <span className="wm-nft-picture">
          <span className="wm-shimmer" />
        </span>
        <span className="wm-shimmer" data-part="name" />
        <span className="wm-shimmer" data-part="collection" />
      </span>
    </li>
  );
});

export function NftGrid(props: Props) {
  const { page = NO_PAGE, account = "", turn = 0, loading = true, ended = false, label = "", children } = props;
  const emit = useRef(props);
  const scroller = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLLIElement>(null);
  const [reached, setReached] = useState("");
  const { list, number, nfts } = keep(page);
  const missed = page.number > number;
  const waits = loading || (number > 0 && page.more && !ended);

  useEffect(() => {
    emit.current = props;
  });

  useEffect(() => {
    const has = kept();
    emit.current.onShown?.(has.list, has.number, "");
  }, [missed, account, turn]);

  useLayoutEffect(() => {
    scroller.current?.scrollTo(0, place.read());
  }, [list]);

  const asks = !loading && !ended && page.more && number > 0;
  useListEnd(scroller, end, { waits: asks, ahead: LOOK_AHEAD, changes: [list, number] }, () => emit.current.onMore?.(list, number + 1));

  const choose = useCallback((asset: string) => emit.current.onChoose?.(asset), []);

  const active = nfts.some((nft) => nft.asset === reached) ? reached : (nfts[0]?.asset ?? "");
  const skeletons = !waits ? 0 : number === 0 ? FIRST_SKELETONS : COLUMNS * 2 - (nfts.length % COLUMNS);
  return (
    <div
      ref={scroller}
      className="wm-scroll"
      data-height="tab"
      aria-busy={waits && loading}
      onScroll={(event) => place.write(event.currentTarget.scrollTop)}
    >
      <ul
        className="wm-nft-grid"
        aria-label={label}
        onKeyDown={followArrows}
        onFocus={(event) => setReached(event.target.dataset.asset ?? "")}
      >
        {nfts.map((nft, index) => (
          <Cell key={nft.asset} nft={nft} number={index} reachable={nft.asset === active} onChoose={choose} />
        ))}
        {waits && <li key={`end ${list} ${number}`} ref={end} className="wm-nfts-end" aria-hidden="true" />}
        {Array.from({ length: skeletons }, (_, index) => (
          <Skeleton key={`skeleton ${index}`} />
        ))}
      </ul>
      {children}
    </div>
  );
}
