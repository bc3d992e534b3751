/** The phone's own screen: pairing, and the apps that are connected. */
import { make } from "../dom";
import { kindOf, networkName } from "./kinds";
import { appLine, part } from "./page";
import type { Phone } from "./phone";
import { type Session, addressesOf, kindsOf } from "./session";
import { signsIn } from "./signing";
import { pairingLinkIn } from "./start";

const ANSWER_MS = 10_000;
const TOLD_MS = 6_000;
const NO_LINK = "This is no pairing link. One begins with wc: and is found under the app's QR code.";
const NO_ANSWER = "Nothing has come from the app. Its code may have expired: ask it for a fresh one.";

export class Home {
  readonly #input = part<HTMLInputElement>("uri");
  readonly #error = part("pair-error");
  readonly #button = part("pair").querySelector("button") as HTMLButtonElement;
  #toldTimer = 0;

  constructor(readonly phone: Phone) {
    part("pair").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.follow(this.#input.value);
    });
    // Before there is somebody to follow it, a link that was sent would be lost.
    this.#button.disabled = false;
    const oneClick = part<HTMLInputElement>("signs-in");
    oneClick.checked = signsIn();
    oneClick.addEventListener("change", () => {
      phone.signsIn = oneClick.checked;
    });
    phone.on("changed", () => this.#draw());
    phone.on("told", (sentence) => this.#tell(String(sentence)));
    this.#draw();
  }

  /** Pair by a link, pasted or opened. */
  async follow(text: string): Promise<void> {
    this.#error.textContent = "";
    const uri = pairingLinkIn(text);
    if (uri === undefined) {
      this.#error.textContent = NO_LINK;
      this.#input.focus();
      return;
    }
    this.#button.disabled = true;
    this.#button.textContent = "Connecting…";
    try {
      const before = this.phone.waiting;
      await this.phone.pair(uri);
      this.#input.value = "";
      if (!(await this.#waitForMore(before))) this.#error.textContent = NO_ANSWER;
    } catch (error) {
      this.#error.textContent = `The link cannot be followed: ${error instanceof Error ? error.message : String(error)}`;
    } finally {
      this.#button.disabled = false;
      this.#button.textContent = "Connect";
    }
  }

  #waitForMore(before: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (came: boolean) => {
        clearTimeout(timer);
        this.phone.removeListener("changed", look);
        resolve(came);
      };
      const look = () => this.phone.waiting > before && settle(true);
      const timer = setTimeout(() => settle(false), ANSWER_MS);
      this.phone.on("changed", look);
      look();
    });
  }

  #tell(sentence: string): void {
    const told = part("told");
    told.textContent = sentence;
    clearTimeout(this.#toldTimer);
    this.#toldTimer = window.setTimeout(() => {
      told.textContent = "";
    }, TOLD_MS);
  }

  #draw(): void {
    const { online, sessions } = this.phone;
    const status = part("status");
    status.textContent = online ? "Online" : sessions.length > 0 ? "Reconnecting…" : "Ready";
    status.dataset.online = String(online);
    const focused = document.activeElement?.id;
    const list = part("sessions");
    if (sessions.length > 0) list.replaceChildren(...sessions.map((session) => this.#session(session)));
    else list.replaceChildren(make("li", { class: "empty" }, "No app is connected yet."));
    // A redraw must not throw the keyboard out of the control that caused it.
    if (focused) list.querySelector<HTMLElement>(`[id="${focused}"]`)?.focus();
  }

  #session(session: Session): HTMLElement {
    const item = make("li", { class: "session", "data-testid": "phone-session" });
    item.append(appLine(session.peer.metadata));
    for (const { namespace, label } of kindsOf(session)) {
      item.append(this.#accountRow(session, namespace, label));
      if (namespace === "eip155") item.append(this.#chainRow(session));
    }
    const leave = make("button", { type: "button", "data-testid": "phone-disconnect" }, "Disconnect");
    leave.addEventListener("click", () => {
      leave.disabled = true;
      void this.#carryOut(this.phone.disconnect(session));
    });
    item.append(leave);
    return item;
  }

  #accountRow(session: Session, namespace: string, label: string): HTMLElement {
    const addresses = kindOf(namespace)?.addresses ?? [];
    return this.#choice(
      session,
      `account-${namespace}`,
      label,
      addresses.map((address, index) => [address, `${index + 1} · ${address.slice(0, 6)}…${address.slice(-6)}`]),
      addressesOf(session, namespace)[0] ?? "",
      (address) => this.phone.useAccount(session, namespace, address),
    );
  }

  #chainRow(session: Session): HTMLElement {
    const chains = kindOf("eip155")?.chains ?? [];
    return this.#choice(
      session,
      "network",
      "Network",
      chains.map((chain) => [chain, networkName(chain)]),
      this.phone.networkOf(session) ?? "",
      (chain) => this.phone.useChain(session, chain),
    );
  }

  #choice(
    session: Session,
    name: string,
    label: string,
    options: readonly (readonly [string, string])[],
    chosen: string,
    choose: (value: string) => Promise<void>,
  ): HTMLElement {
    const row = make("div", { class: "row" });
    const id = `${name}-${session.topic}`;
    const select = make("select", { id, "data-testid": `phone-${name}` });
    for (const [value, text] of options) select.append(make("option", { value }, text));
    select.value = chosen;
    select.addEventListener("change", () => void this.#carryOut(choose(select.value)));
    row.append(make("label", { for: id }, label), select);
    return row;
  }

  async #carryOut(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#tell(`That did not work: ${error instanceof Error ? error.message : String(error)}`);
      this.#draw();
    }
  }
}
