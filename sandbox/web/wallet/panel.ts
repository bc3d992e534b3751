/** The wallet's own window in the page: a badge that unfolds, and the questions to its owner. */
import { make } from "../dom";
import { userRejected } from "./errors";
import type { EvmPurse } from "./eip155/purse";
import { Home } from "./home";
import { ICON, NAME } from "./icon";
import css from "./panel.css";
import type { Purse } from "./purse";
import type { Question } from "./question";
import type { Store } from "./store";

interface Pending {
  readonly question: Question;
  readonly from: Purse;
  readonly agree: () => void;
  readonly refuse: () => void;
}

export class Panel {
  readonly #queue: Pending[] = [];
  readonly #root = make("aside", { id: "sandbox-wallet", "aria-label": NAME });
  readonly #card = make("div", { class: "sbw-card", tabindex: "-1", hidden: "" });
  readonly #badge = make("button", {
    type: "button",
    class: "sbw-badge",
    "data-testid": "sandbox-wallet-toggle",
    "aria-expanded": "false",
  });
  #home: Home | undefined;
  #unfolded = false;
  #focusBefore: Element | null = null;

  constructor(readonly store: Store) {}

  /** Draw the panel over the page; it asks nothing before that. */
  mount(evm: EvmPurse, others: readonly Purse[]): void {
    this.#home = new Home(this.store, evm, others, () => this.#draw());
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    this.#badge.append(make("img", { src: ICON, alt: "", width: "28", height: "28" }), make("span", {}, NAME));
    this.#badge.addEventListener("click", () => {
      this.#unfolded = !this.#unfolded;
      this.#draw();
    });
    this.#root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      if (this.#queue[0] !== undefined) this.#queue[0].refuse();
      else this.#unfold(false);
    });
    this.#root.append(this.#card, this.#badge);
    // Beside the body: a page that makes its content inert while a dialog is open must not disable the wallet.
    document.documentElement.append(this.#root);
    this.store.on("changed", () => this.#draw());
    this.#draw();
  }

  /** Ask the owner; several questions wait their turn. */
  ask(question: Question, from: Purse): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => () => {
        const index = this.#queue.indexOf(pending);
        if (index < 0) return;
        this.#queue.splice(index, 1);
        this.#home?.turnTo(from.namespace);
        outcome();
        this.#afterAnswer();
      };
      const refuse = settle(() => reject(userRejected()));
      const pending: Pending = { question, from, agree: settle(resolve), refuse };
      this.#queue.push(pending);
      if (this.#queue.length === 1) this.#focusBefore = document.activeElement;
      this.#draw();
      if (this.#queue.length === 1) this.#card.focus();
    });
  }

  #afterAnswer(): void {
    this.#draw();
    if (this.#queue.length > 0) this.#card.focus();
    else if (this.#focusBefore instanceof HTMLElement) this.#focusBefore.focus();
  }

  #unfold(unfolded: boolean): void {
    this.#unfolded = unfolded;
    this.#draw();
    this.#badge.focus();
  }

  #draw(): void {
    const first = this.#queue[0];
    const shown = first !== undefined || this.#unfolded;
    this.#card.hidden = !shown;
    this.#badge.setAttribute("aria-expanded", String(shown));
    this.#badge.hidden = first !== undefined;
    if (first !== undefined) this.#drawQuestion(first);
    else if (this.#unfolded && this.#home !== undefined) this.#drawHome(this.#home);
    else this.#card.replaceChildren();
  }

  #drawQuestion({ question, from, agree, refuse }: Pending): void {
    const { title, facts, note, detail, warning } = question;
    const list = make("dl", { class: "sbw-facts" });
    for (const [label, value] of facts) list.append(make("dt", {}, label), make("dd", {}, value));
    const yes = make("button", { type: "button", class: "sbw-main", "data-testid": "sandbox-wallet-approve" }, question.agree);
    const no = make("button", { type: "button", "data-testid": "sandbox-wallet-reject" }, "Reject");
    yes.addEventListener("click", agree);
    no.addEventListener("click", refuse);
    const body = make("div", { class: "sbw-body", role: "alertdialog", "aria-labelledby": "sbw-title" });
    body.append(make("h2", { id: "sbw-title", "data-testid": "sandbox-wallet-title" }, title), list);
    if (note !== undefined) body.append(make("p", { class: "sbw-note" }, note));
    if (warning !== undefined) body.append(make("p", { class: "sbw-warning" }, warning));
    if (detail !== undefined) {
      body.append(make("pre", { class: "sbw-detail", tabindex: "0", "data-testid": "sandbox-wallet-detail" }, detail));
    }
    const buttons = make("div", { class: "sbw-buttons" });
    buttons.append(no, yes);
    const waiting = this.#queue.length > 1 ? ` · 1 of ${this.#queue.length} requests` : "";
    const where = make("small", { "data-testid": "sandbox-wallet-asked-for" }, from.label + waiting);
    this.#card.replaceChildren(header(where), body, buttons);
  }

  #drawHome(home: Home): void {
    const focused = document.activeElement?.getAttribute("data-testid");
    this.#card.replaceChildren(header(), ...home.draw());
    // A redraw must not throw the keyboard out of the control that caused it.
    if (focused) this.#card.querySelector<HTMLElement>(`[data-testid="${focused}"]`)?.focus();
  }
}

function header(...more: HTMLElement[]): HTMLElement {
  const element = make("header", { class: "sbw-header" });
  element.append(make("img", { src: ICON, alt: "", width: "24", height: "24" }), make("span", {}, NAME), ...more);
  return element;
}
