import { type CSSProperties, memo, useState } from "react";
import { t } from "$/public/external/walletmodal/components/language/language/language.ts";
import "./token_list.css";

export type TokenRow = [key: string, name: string, symbol: string, amount: string, value: string, price: string, picture: string];
type Props = { rows?: TokenRow[]; label?: string };

/** So many letters of a symbol always have room beside the amount. */
const SYMBOL = 6;

/** What stands there without a picture: the first letters of the symbol. */
const letters = (symbol: string): string => [...symbol].slice(0, 3).join("").toUpperCase();

function Picture({ source, symbol }: { source: string; symbol: string }) {
  const [broken, setBroken] = useState(false);
  return (
    <span className="wm-network-image wm-token-image" aria-hidden="true">
      {letters(symbol)}
      {source && !broken && (
        <img
          src={source}
          alt=""
          className="wm-picture"
          loading="lazy"
          decoding="async"
          draggable={false}
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
    </span>
  );
}

/** What is longer is not cut where it has no room in its smallest size, but goes on below. */
const LONG = 18;

function Amount({ text, beside = "" }: { text: string; beside?: string }) {
  const length = text.length + beside.length;
  return (
    <span className="wm-number" data-long={text.length > LONG} style={{ "--wm-length": length } as CSSProperties}>
      {text}
    </span>
  );
}

type RowProps = { name: string; symbol: string; amount: string; value: string; price: string; picture: string };

const Row = memo(function Row({ name, symbol, amount, value, price, picture }: RowProps) {
  return (
    <li className="wm-token" data-testid={`token-item-${symbol}`}>
      <Picture key={picture} source={picture} symbol={symbol} />
      <span className="wm-token-words">
        <span className="wm-token-name" title={name}>
          {name || symbol || t("Unnamed token")}
        </span>
        <span className="wm-token-small" title={t("{amount} {symbol}", { amount, symbol })}>
          <Amount text={amount} beside={` ${symbol.slice(0, SYMBOL)}`} /> <bdi>{symbol}</bdi>
        </span>
      </span>
      {value && (
        <span className="wm-token-worth">
          <span title={value}>
            <Amount text={value} />
          </span>
          <span className="wm-token-small" title={price}>
            <span className="wm-hidden">{t("one costs")} </span>
            <Amount text={price} />
          </span>
        </span>
      )}
    </li>
  );
});

export function TokenList({ rows = [], label = "" }: Props) {
  return (
    <ul className="wm-tokens" aria-label={label}>
      {rows.map(([key, name, symbol, amount, value, price, picture]) => (
        <Row key={key} name={name} symbol={symbol} amount={amount} value={value} price={price} picture={picture} />
      ))}
    </ul>
  );
}
