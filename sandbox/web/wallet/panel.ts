/** The wallet's own window in the page: a badge that unfolds, and the questions to its owner. */
import { ACCOUNTS } from "./accounts";
import type { Question } from "./describe";
import { make } from "../dom";
import { userRejected } from "./errors";
import { ICON } from "./icon";
import { networkOf } from "./networks";
import css from "./panel.css";
import type { Wallet } from "./wallet";

interface Pending {
  readonly question: Question;
  readonly agree: () => void;
  readonly refuse: () => void;
}

export class Panel {
  readonly #queue: Pending[] = [];
  readonly #root = make("aside", { id: "sandbox-wallet", "aria-label": "Sandbox Wallet" });
  readonly #card = make("div", { class: "sbw-card", tabindex: "-1", hidden: "" });
  readonly #badge = make("button", {
    type: "button",
    class: "sbw-badge",
    "data-testid": "sandbox-wallet-toggle",
    "aria-expanded": "false",
  });
  #wallet: Wallet | undefined;
  #unfolded = false;
  #focusBefore: Element | null = null;

  /** Draw the panel over the page; it asks nothing before that. */
  mount(wallet: Wallet): void {
    this.#wallet = wallet;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    this.#badge.append(make("img", { src: ICON, alt: "", width: "28", height: "28" }), make("span", {}, "Sandbox Wallet"));
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
    wallet.on("changed", () => this.#draw());
    this.#draw();
  }

  /** Ask the owner; several questions wait their turn. */
  ask(question: Question): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => () => {
        const index = this.#queue.indexOf(pending);
        if (index < 0) return;
        this.#queue.splice(index, 1);
        outcome();
        this.#afterAnswer();
      };
      const pending: Pending = { question, agree: settle(resolve), refuse: settle(() => reject(userRejected())) };
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
    else if (this.#unfolded) this.#drawHome();
    else this.#card.replaceChildren();
  }

  #drawQuestion({ question, agree, refuse }: Pending): void {
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
    const more = this.#queue.length > 1 ? `1 of ${this.#queue.length} requests` : "";
    this.#card.replaceChildren(this.#header(more), body, buttons);
  }

  #drawHome(): void {
    const wallet = this.#wallet;
    if (wallet === undefined) return;
    const status = wallet.locked ? "Locked" : wallet.connected ? "Connected to this site" : "Not connected";
    const accounts = choice(
      "sandbox-wallet-account",
      ACCOUNTS.map(({ address }, index) => [String(index), `${index + 1} · ${address.slice(0, 6)}…${address.slice(-6)}`]),
      String(wallet.accountIndex),
      (value) => wallet.chooseAccount(Number(value)),
    );
    const networks = choice(
      "sandbox-wallet-network",
      wallet.known.map((id) => [String(id), networkOf(id).name]),
      String(wallet.chainId),
      (value) => wallet.switchChain(Number(value)),
    );
    const body = make("div", { class: "sbw-body" });
    body.append(
      make("p", { class: "sbw-status", "data-testid": "sandbox-wallet-status", role: "status" }, status),
      labelled("Account", accounts),
      labelled("Network", networks),
      make("p", { class: "sbw-note" }, "Public test keys on local chains. Nothing here has any worth."),
    );
    const buttons = make("div", { class: "sbw-buttons" });
    const lock = make("button", { type: "button", "data-testid": "sandbox-wallet-lock" }, wallet.locked ? "Unlock" : "Lock");
    lock.addEventListener("click", () => wallet.lock(!wallet.locked));
    const leave = make("button", { type: "button", "data-testid": "sandbox-wallet-disconnect" }, "Disconnect");
    leave.disabled = !wallet.connected;
    leave.addEventListener("click", () => wallet.disconnect());
    buttons.append(lock, leave);
    const focused = document.activeElement?.getAttribute("data-testid");
    this.#card.replaceChildren(this.#header(""), body, buttons);
    // A redraw must not throw the keyboard out of the control that caused it.
    if (focused) this.#card.querySelector<HTMLElement>(`[data-testid="${focused}"]`)?.focus();
  }

  #header(note: string): HTMLElement {
    const header = make("header", { class: "sbw-header" });
    header.append(make("img", { src: ICON, alt: "", width: "24", height: "24" }), make("span", {}, "Sandbox Wallet"));
    if (note !== "") header.append(make("small", {}, note));
    return header;
  }
}

function labelled(label: string, control: HTMLSelectElement): HTMLElement {
  const row = make("label", { class: "sbw-row" });
  row.append(make("span", {}, label), control);
  return row;
}

function choice(
  testId: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
  choose: (value: string) => void,
): HTMLSelectElement {
  const select = make("select", { "data-testid": testId });
  for (const [value, label] of options) select.append(make("option", { value }, label));
  select.value = chosen;
  select.addEventListener("change", () => choose(select.value));
  return select;
}
