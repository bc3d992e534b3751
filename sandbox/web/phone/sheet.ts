/** The sheet over the phone: what its owner is to decide next. */
import { make } from "../dom";
import type { Question } from "../wallet/question";
import { networkName, shortened } from "./kinds";
import { appLine, part } from "./page";
import type { Pending, Phone } from "./phone";
import { type Chosen, type Wanted, missingIn, wantedOf } from "./proposal";
import { signInForm } from "./sign_in_sheet";
import { signable } from "./signing";

export class Sheet {
  readonly #sheet = part("sheet");
  readonly #shade = part("shade");
  readonly #home = part("home");
  #shown: Pending | undefined;
  #focusBefore: Element | null = null;

  constructor(readonly phone: Phone) {
    this.#sheet.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#sheet.querySelector<HTMLButtonElement>("[data-testid=phone-reject]")?.click();
    });
    phone.on("changed", () => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const first = this.phone.first;
    if (first === this.#shown) return;
    if (this.#shown === undefined) this.#focusBefore = document.activeElement;
    this.#shown = first;
    this.#sheet.hidden = this.#shade.hidden = first === undefined;
    this.#home.inert = first !== undefined;
    if (first === undefined) {
      this.#sheet.replaceChildren();
      if (this.#focusBefore instanceof HTMLElement) this.#focusBefore.focus();
      return;
    }
    part("told").textContent = "";
    if (first.kind === "proposal") this.#drawProposal(first);
    else if (first.kind === "sign-in") this.#drawSignIn(first);
    else this.#drawRequest(first);
    this.#sheet.focus();
  }

  #drawProposal(pending: Pending & { kind: "proposal" }): void {
    const wanted = wantedOf(pending.params);
    const missing = missingIn(pending.params);
    const methods = [...new Set(wanted.flatMap((one) => one.methods))];
    const body = this.#body(pending, "Connect this app?");
    const facts: [string, string][] = [["Networks", wanted.flatMap(({ chains }) => chains.map(networkName)).join(", ") || "none"]];
    if (methods.length > 0) facts.push(["May ask for", methods.join(", ")]);
    body.append(list(facts));
    const picks = wanted.map((one) => pickAccounts(one));
    for (const { field } of picks) body.append(field);
    const refusal = refusalOf(missing, wanted);
    if (refusal !== undefined) body.append(make("p", { class: "warning" }, refusal));
    else body.append(make("p", { class: "note" }, "The app names itself; this phone has not checked who it is."));
    this.#sheet.replaceChildren(
      body,
      ...this.#buttons(pending, "Connect", refusal === undefined ? () => this.phone.approve(pending, chosenIn(picks)) : undefined),
    );
    const approve = this.#sheet.querySelector<HTMLButtonElement>("[data-testid=phone-approve]");
    body.addEventListener("change", () => {
      if (approve) approve.disabled = !picks.every(({ wanted: { required }, boxes }) => !required || boxes.some((box) => box.checked))
        || !picks.some(({ boxes }) => boxes.some((box) => box.checked));
    });
  }

  #drawSignIn(pending: Pending & { kind: "sign-in" }): void {
    const body = this.#body(pending, "Connect and sign in?");
    const form = signInForm(this.phone.kit, pending.request);
    const able = signable(pending.request).length > 0;
    if (able) body.append(...form.parts);
    else body.append(make("p", { class: "warning" }, "The app asks for no network that this phone has."));
    const agree = async (): Promise<void> => {
      const choice = form.choice();
      if (choice) await this.phone.signIn(pending, choice);
    };
    this.#sheet.replaceChildren(body, ...this.#buttons(pending, "Sign in", able ? agree : undefined));
    const approve = this.#sheet.querySelector<HTMLButtonElement>("[data-testid=phone-approve]");
    body.addEventListener("change", () => {
      if (approve) approve.disabled = form.choice() === undefined;
    });
  }

  #drawRequest(pending: Pending & { kind: "request" }): void {
    const { question } = pending.prepared;
    const body = this.#body(pending, question.title);
    const named = question.facts.some(([label]) => label === "Network");
    body.append(list(named ? question.facts : [["Network", networkName(pending.chain)], ...question.facts]));
    appendTexts(body, question);
    this.#sheet.replaceChildren(body, ...this.#buttons(pending, question.agree, () => this.phone.agree(pending)));
  }

  #body(pending: Pending, title: string): HTMLElement {
    const body = make("div", { class: "body", "data-testid": `phone-${pending.kind}` });
    const heading = make("h2", { id: "sheet-title", "data-testid": "phone-title" }, title);
    const more = this.phone.waiting > 1 ? [make("p", { class: "note" }, `1 of ${this.phone.waiting} waiting`)] : [];
    body.append(heading, ...more, appLine(pending.peer));
    return body;
  }

  #buttons(pending: Pending, label: string, agree: (() => Promise<void>) | undefined): HTMLElement[] {
    const failure = make("p", { class: "error", role: "alert", "data-testid": "phone-sheet-error" });
    const no = make("button", { type: "button", "data-testid": "phone-reject" }, "Reject");
    const buttons = make("div", { class: "buttons" });
    buttons.append(no);
    const choices = [no];
    const decide = (work: () => Promise<void>) => async () => {
      failure.textContent = "";
      for (const button of choices) button.disabled = true;
      try {
        await work();
      } catch (error) {
        failure.textContent = `That did not work: ${error instanceof Error ? error.message : String(error)}`;
        for (const button of choices) button.disabled = false;
      }
    };
    no.addEventListener("click", decide(() => this.phone.reject(pending)));
    if (agree === undefined) buttons.classList.add("one");
    else {
      const yes = make("button", { type: "button", class: "main", "data-testid": "phone-approve" }, label);
      yes.addEventListener("click", decide(agree));
      choices.push(yes);
      buttons.append(yes);
    }
    return [failure, buttons];
  }
}

interface Picks {
  readonly wanted: Wanted;
  readonly field: HTMLElement;
  readonly boxes: readonly HTMLInputElement[];
}

function pickAccounts(wanted: Wanted): Picks {
  const { namespace, label, addresses } = wanted.kind;
  const field = make("fieldset", {});
  field.append(make("legend", {}, `${label} accounts`));
  const boxes = addresses.map((address, index) => {
    const row = make("label", { class: "pick" });
    const box = make("input", { type: "checkbox", "data-testid": `phone-account-${namespace}-${index}` });
    box.checked = index === 0;
    row.append(box, make("span", { title: address }, shortened(address)));
    field.append(row);
    return box;
  });
  return { wanted, field, boxes };
}

function chosenIn(picks: readonly Picks[]): Chosen {
  return new Map(
    picks.map(({ wanted, boxes }) => [
      wanted.kind.namespace,
      boxes.flatMap((box, index) => (box.checked ? [index] : [])),
    ]),
  );
}

function refusalOf(missing: readonly string[], wanted: readonly Wanted[]): string | undefined {
  if (missing.length > 0) return `The app needs networks that this phone does not have: ${missing.join(", ")}.`;
  return wanted.length === 0 ? "The app asks for no network that this phone has." : undefined;
}

function appendTexts(body: HTMLElement, { note, warning, detail }: Question): void {
  if (note !== undefined) body.append(make("p", { class: "note" }, note));
  if (warning !== undefined) body.append(make("p", { class: "warning" }, warning));
  if (detail !== undefined) {
    body.append(
      make("pre", { class: "detail", tabindex: "0", "data-testid": "phone-detail", "aria-label": "What is signed" }, detail),
    );
  }
}

function list(facts: Question["facts"]): HTMLElement {
  const found = make("dl", { class: "facts" });
  for (const [label, value] of facts) found.append(make("dt", {}, label), make("dd", {}, value));
  return found;
}
