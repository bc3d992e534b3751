/** What a request is, in words, and how that is drawn. A card is plain data: the window of its own draws the same. */
import { element } from "../elements";
import { t } from "../language";

export interface Row {
  label: string;
  value: string;
  /** `code`: in the letters of programs; `warning`: what the visitor must not overlook. */
  tone?: "code" | "warning" | undefined;
}

export interface Section {
  title?: string;
  rows: Row[];
}

/** What is read of a request. */
export interface Summary {
  title: string;
  /** A text that is signed as it stands here. */
  text?: string;
  sections: Section[];
  warnings: string[];
  /** Nobody can read what is signed. */
  unreadable?: boolean;
}

export interface Card extends Summary {
  /** Who asks; `vouched` when the browser says so, not the site. */
  origin: string;
  vouched: boolean;
  /** "" for what is no request of a network. */
  network: string;
  account: string;
  /** The site's own words. */
  hint: { title: string; lines: string[] } | null;
  /** It is answered in a window of this site's own alone. */
  apart?: boolean;
}

const rows = (list: readonly Row[]): HTMLElement =>
  element(
    "dl",
    {},
    ...list.map(({ label, value, tone }) =>
      element("div", { "data-tone": tone }, element("dt", {}, label), element("dd", {}, element("bdi", {}, value))),
    ),
  );

function sections({ sections: list }: Summary): HTMLElement[] {
  return list
    .filter((section) => section.rows.length || section.title)
    .map((section) => element("section", {}, section.title && element("h2", {}, section.title), rows(section.rows)));
}

/** Draws who asks. */
export function drawHead(card: Card): HTMLElement {
  return element(
    "header",
    {},
    element("h1", { id: "title", tabindex: "-1" }, card.title),
    element(
      "p",
      { class: "origin" },
      element("span", {}, card.vouched ? t`Asked by` : t`Asked by, as the modal says`),
      element("strong", { "data-testid": "frame-origin" }, element("bdi", {}, card.origin || t`an unknown site`)),
    ),
  );
}

/** Draws what is asked; the whole scrolls where it is taller than the frame. */
export function drawBody(card: Card): HTMLElement {
  const hint = card.hint;
  return element(
    "div",
    { class: "body", tabindex: "0", role: "region", "aria-label": t`Details of the request` },
    element(
      "div",
      { "data-testid": "frame-summary" },
      card.warnings.length > 0 &&
        element("ul", { class: "warnings", "aria-label": t`Warnings` }, ...card.warnings.map((one) => element("li", {}, one))),
      card.text !== undefined && element("pre", { class: "text" }, element("bdi", {}, card.text)),
      ...sections(card),
      card.network &&
        element("section", {}, rows([{ label: t`Network`, value: card.network }, { label: t`Your account`, value: card.account, tone: "code" }])),
      hint &&
        (hint.title || hint.lines.length > 0) &&
        element(
          "section",
          { class: "hint" },
          element("h2", {}, t`The site's own words`),
          ...[hint.title, ...hint.lines].filter(Boolean).map((line) => element("p", {}, element("bdi", {}, line))),
        ),
    ),
  );
}
