/**
 * The elements that hosts place: `wallet-modal-button`, `-connect-button`, `-account-button`, `-network-button`, and
 * `wallet-modal-embed`. They show what the page's modal tells and open its views.
 */
import type { Modal, Namespace } from "../walletmodal";
import { CSS, EMBED_CSS } from "./css";
import { avatar, floorBalance, truncate } from "./format";
import type { Theme } from "./protocol";
import { accountOf, networkId, NOTHING, type KnownState } from "./state";

/** What an element needs of the modal. */
export type Controls = {
  _modal: Modal;
  _state(): KnownState;
  _theme(): Theme;
  _allowUnsupported(): boolean | undefined;
  _reached(): void;
  _placed(): void;
  _subscribe(callback: () => void): unknown;
};

const placed = new Set<() => void>();
let current: Controls | undefined;
/** The last click on an element before there was a modal. */
let early: { view: string } | undefined;

const renderAll = () => placed.forEach((render) => render());

/** Binds the elements to a modal; the first one made keeps them until it is destroyed. */
export function attach(controls: Controls): void {
  if (current) return;
  current = controls;
  controls._subscribe(renderAll);
  if (document.querySelector("wallet-modal-embed")) controls._placed();
  if (early) open(early);
  early = undefined;
  renderAll();
}

export function detach(controls: Controls): void {
  if (current == controls) current = undefined;
  renderAll();
}

function open(view: { view: string; namespace?: string }) {
  // The failure is on the console already, with what to do about it.
  if (current) current._modal.open(view as object).catch(() => {});
  else early = view;
}

/** Makes an element with a class and children; texts become text nodes, never markup. */
function node(tag: string, className: string, ...children: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...children);
  return element;
}

function image(src: string | null | undefined, fallback: HTMLElement): HTMLElement {
  if (!src) return fallback;
  const element = node("img", "") as HTMLImageElement;
  element.alt = "";
  element.onerror = () => element.replaceWith(fallback);
  element.src = src;
  return element;
}

function shadow(host: HTMLElement, css: string, child: Node) {
  const root = host.attachShadow({ mode: "open", delegatesFocus: true });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  root.append(child);
}

function define(name: string, type: CustomElementConstructor) {
  if (!customElements.get("wallet-modal-" + name)) customElements.define("wallet-modal-" + name, type);
}

for (const kind of ["", "connect-", "account-", "network-"]) {
  define(
    kind + "button",
    class extends HTMLElement {
      static observedAttributes = ["disabled", "balance", "size", "label", "loadinglabel", "charsstart", "charsend", "namespace"];

      /** Stays while its content changes, so that the focus does. */
      _button = document.createElement("button");
      _render = () => this.attributeChangedCallback();

      constructor() {
        super();
        shadow(this, CSS, this._button);
        this.onpointerenter = this._button.onfocus = () => current?._reached();
      }

      connectedCallback() {
        placed.add(this._render);
        this._render();
      }

      disconnectedCallback() {
        placed.delete(this._render);
      }

      attributeChangedCallback() {
        const button = this._button;
        const attribute = (name: string) => this.getAttribute(name);
        const { mode, variables } = current?._theme() ?? { mode: null, variables: {} };
        const state = current?._state() ?? NOTHING;
        const { network } = state;
        const namespace = (attribute("namespace") || undefined) as Namespace | undefined;
        const account = accountOf(state, namespace);
        const shown = kind.slice(0, -1) || (account ? "account" : "connect");
        const wrong = account && network?.unsupported && !current?._allowUnsupported();
        const connecting = shown != "account" && (state.loading || state.accounts[namespace ?? "eip155"]?.status == "connecting");
        const off = shown != "connect" && (attribute("disabled") ?? "false") != "false";

        for (const name in variables) this.style.setProperty(name, variables[name]!);
        button.style.colorScheme = mode ?? "light dark";
        button.type = "button";
        button.className = shown + " " + attribute("size");
        button.dataset.testid = shown == "network" ? "w3m-network-button" : shown + "-button" + (namespace ? "-" + namespace : "");
        button.ariaHasPopup = "dialog";
        button.ariaExpanded = String(state.open);
        button.ariaDisabled = String(connecting || off);
        button.onclick = () => {
          if (connecting || off) return;
          if (shown == "connect" && state.open) void current!._modal.close();
          else open({ view: shown == "connect" ? "Connect" : shown == "network" ? "Networks" : wrong ? "UnsupportedChain" : "Account", namespace });
        };

        const picture = wrong ? node("i", "w", "!") : image(network?.image, node("i", "n"));
        const spinner = node("i", "s");
        if (shown == "connect") {
          if (connecting) button.replaceChildren(spinner, attribute("loadinglabel") || "Connecting...");
          else button.replaceChildren(attribute("label") || "Connect Wallet");
        } else if (shown == "network") {
          const unnamed = attribute("label") || (networkId(state) && account ? "Unknown Network" : "Select Network");
          button.replaceChildren(picture, node("slot", "", wrong ? "Switch Network" : network?.name || unnamed));
        } else {
          const { address = "", balance, balanceSymbol, profileName, profileImage } = account ?? {};
          const generated = node("i", "");
          generated.style.background = avatar(address);
          const name = profileName ? truncate(profileName, 18, 0) : truncate(address, Number(attribute("charsstart") ?? 4), Number(attribute("charsend") ?? 6));
          const worth = wrong ? "Switch Network" : balance === null ? spinner : floorBalance(balance!) + " " + balanceSymbol;
          const left = wrong || (balance !== undefined && attribute("balance") != "hide") ? [picture, node("span", "", worth)] : [];
          button.title = address;
          button.ariaBusy = String(balance === null);
          button.replaceChildren(...left, node("span", "p", image(profileImage, generated), name));
        }
      }
    },
  );
}

define(
  "embed",
  class extends HTMLElement {
    constructor() {
      super();
      shadow(this, EMBED_CSS, node("slot", ""));
    }

    connectedCallback() {
      current?._placed();
    }
  },
);
