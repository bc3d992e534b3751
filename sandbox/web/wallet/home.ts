/** What the unfolded wallet shows when it has nothing to ask: a tab for each namespace, with what its owner can do there. */
import { make } from "../dom";
import { networkOf } from "./eip155/networks";
import type { EvmPurse } from "./eip155/purse";
import type { Purse } from "./purse";
import type { Namespace, Store } from "./store";

export class Home {
  readonly #purses: readonly Purse[];
  #shown: Purse;

  constructor(
    readonly store: Store,
    readonly evm: EvmPurse,
    others: readonly Purse[],
    readonly redraw: () => void,
  ) {
    this.#purses = [evm, ...others];
    this.#shown = evm;
  }

  /** Show a namespace the next time that it is drawn. */
  turnTo(namespace: Namespace): void {
    this.#shown = this.#purses.find((purse) => purse.namespace === namespace) ?? this.#shown;
  }

  draw(): HTMLElement[] {
    return [this.#tabs(), this.#panel(), this.#buttons()];
  }

  #tabs(): HTMLElement {
    const list = make("div", { class: "sbw-tabs", role: "tablist", "aria-label": "Namespace" });
    for (const purse of this.#purses) {
      const selected = purse === this.#shown;
      const tab = make("button", {
        type: "button",
        role: "tab",
        id: tabId(purse),
        "aria-selected": String(selected),
        "aria-controls": PANEL,
        tabindex: selected ? "0" : "-1",
        "data-testid": tabId(purse),
      });
      tab.append(make("span", {}, purse.label));
      if (purse.exposed) tab.append(make("i", { role: "img", "aria-label": "connected" }));
      tab.addEventListener("click", () => this.#show(purse));
      list.append(tab);
    }
    list.addEventListener("keydown", (event) => this.#byKey(event));
    return list;
  }

  #byKey(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const count = this.#purses.length;
    const next = this.#purses[(this.#purses.indexOf(this.#shown) + step + count) % count];
    if (next !== undefined) this.#show(next);
  }

  #show(purse: Purse): void {
    this.#shown = purse;
    this.redraw();
    document.getElementById(tabId(purse))?.focus();
  }

  #panel(): HTMLElement {
    const purse = this.#shown;
    const status = purse.locked ? "Locked" : purse.connected ? "Connected to this site" : "Not connected";
    const accounts = choice(
      "sandbox-wallet-account",
      purse.accounts.map(({ address }, index) => [String(index), `${index + 1} · ${address.slice(0, 6)}…${address.slice(-6)}`]),
      String(purse.chosenIndex),
      (value) => purse.choose(Number(value)),
    );
    const panel = make("div", { class: "sbw-body", role: "tabpanel", id: PANEL, "aria-labelledby": tabId(purse) });
    panel.append(
      make("p", { class: "sbw-status", "data-testid": "sandbox-wallet-status", role: "status" }, status),
      labelled("Account", accounts),
      labelled("Network", this.#networks(purse)),
      make("p", { class: "sbw-note" }, "Public test keys on local chains. Nothing here has any worth."),
    );
    return panel;
  }

  #networks(purse: Purse): HTMLSelectElement {
    const testId = "sandbox-wallet-network";
    if (purse === this.evm) {
      const known = this.evm.known.map((id) => [String(id), networkOf(id).name] as const);
      return choice(testId, known, String(this.evm.chainId), (value) => this.evm.switchChain(Number(value)));
    }
    const only = choice(testId, [["", purse.label]], "", () => undefined);
    only.disabled = true;
    return only;
  }

  #buttons(): HTMLElement {
    const purse = this.#shown;
    const buttons = make("div", { class: "sbw-buttons" });
    const lock = make("button", { type: "button", "data-testid": "sandbox-wallet-lock" }, purse.locked ? "Unlock" : "Lock");
    lock.addEventListener("click", () => this.store.update({ locked: !purse.locked }));
    const leave = make("button", { type: "button", "data-testid": "sandbox-wallet-disconnect" }, "Disconnect");
    leave.disabled = !purse.connected;
    leave.addEventListener("click", () => purse.disconnect());
    buttons.append(lock, leave);
    return buttons;
  }
}

const PANEL = "sandbox-wallet-panel";

const tabId = ({ namespace }: Purse): string => `sandbox-wallet-tab-${namespace}`;

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
