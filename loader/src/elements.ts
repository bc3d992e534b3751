/**
 * The elements that hosts place: `wallet-modal-button`, `-connect-button`, `-account-button`, `-network-button`,
 * `wallet-modal-embed`, and `wallet-modal-onramp`, which the third script draws. They show what the page's modal tells and open its views.
 */
import type { Namespace } from "../walletmodal";
import { CSS } from "./css";
import { colourOf, floorBalance, truncate } from "./format";
import { ask, start } from "./frame";
import { options, theme } from "./options";
import { accountOf, state, subscribe } from "./state";
import { t } from "./texts";

/** What takes longer than this, in ms, has the button show that it was heard; on a modal that is there already nothing flickers. */
const NOTICED = 60;

const placed = new Set<{ attributeChangedCallback(): void }>();

export const renderAll = () => placed.forEach((element) => element.attributeChangedCallback());

/** Lets the elements follow a new modal. */
export function bind(): void {
  subscribe(() => [state, options], renderAll);
  onEmbed();
  renderAll();
}

function onEmbed() {
  if (document.querySelector("wallet-modal-embed,wallet-modal-onramp")) start();
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

/** Makes the browser know the elements; once for each page. */
export function defineElements(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  for (const kind of ["", "connect-", "account-", "network-"]) {
    customElements.define(
      `wallet-modal-${kind}button`,
      class extends HTMLElement {
        static observedAttributes = ["disabled", "balance", "size", "label", "loadinglabel", "charsstart", "charsend", "namespace"];

        /** Stays while its content changes, so that the focus does. */
        _button = document.createElement("button");

        /** What a click has asked for is on its way, and takes long enough to be noticed. */
        _busy = false;

        constructor() {
          super();
          const root = this.attachShadow({ mode: "open", delegatesFocus: true });
          root.adoptedStyleSheets = [sheet];
          root.append(this._button);
          this.onpointerenter = this._button.onfocus = () => options.preload == "auto" && start();
        }

        connectedCallback() {
          placed.add(this);
          this.attributeChangedCallback();
        }

        disconnectedCallback() {
          placed.delete(this);
        }

        attributeChangedCallback() {
          const button = this._button;
          const attribute = (name: string) => this.getAttribute(name);
          const namespace = (attribute("namespace") || undefined) as Namespace | undefined;
          const { network, open, loading } = state;
          const { status, address = "", balance = null, balanceSymbol, balanceState, profileName, profileImage } = accountOf(namespace) ?? {};
          const connected = status == "connected";
          const waits = connected && balance === null && balanceState != "unavailable";
          const shown = kind.slice(0, -1) || (connected ? "account" : "connect");
          const isConnect = shown == "connect";
          const isNetwork = shown == "network";
          const wrong = connected && network?.unsupported && !options.allowUnsupportedChain;
          // A click counts also before the server has spoken.
          const connecting = state.initialized && shown != "account" && (loading || status == "connecting");
          const inert = connecting || (!isConnect && (attribute("disabled") ?? "false") != "false");

          for (const name in theme.variables) this.style.setProperty(name, theme.variables[name] as string);
          button.style.colorScheme = theme.mode ?? "light dark";
          button.className = shown + " " + (attribute("size") ?? "");
          button.dataset.testid = isNetwork ? "w3m-network-button" : shown + "-button" + (namespace ? "-" + namespace : "");
          button.ariaHasPopup = "dialog";
          button.ariaExpanded = open + "";
          button.ariaDisabled = inert + "";
          button.ariaBusy = (connecting || this._busy || (shown == "account" && waits)) + "";
          button.onclick = () => {
            const view = isConnect ? "Connect" : isNetwork ? "Networks" : wrong ? "UnsupportedChain" : "Account";
            const turn = (busy: boolean) => {
              this._busy = busy;
              this.attributeChangedCallback();
            };
            if (inert) return;
            const timer = setTimeout(turn, NOTICED, true);
            // A failure is on the console already, with what to do about it.
            ask("call", { method: isConnect && open ? "close" : "open", params: { view, namespace } })
              .catch(() => {})
              .then(() => {
                clearTimeout(timer);
                turn(false);
              });
          };

          const spinner = node("i", "s");
          const picture = isNetwork && this._busy ? spinner : wrong ? node("i", "w") : image(network?.image, node("i", "n"));
          const label = attribute("label");
          if (isConnect) {
            const text = label || t("Connect Wallet");
            button.replaceChildren(...(connecting ? [spinner, attribute("loadinglabel") || t("Connecting...")] : this._busy ? [spinner, text] : [text]));
          } else if (isNetwork) {
            const name = network?.name || label || (connected ? t("Unknown Network") : t("Select Network"));
            const text = node("span", "", node("slot", "", wrong ? t("Switch Network") : name));
            text.dataset.testid = "wui-network-button";
            button.replaceChildren(picture, text);
          } else {
            const generated = node("i", "c");
            generated.style.backgroundColor = colourOf(address);
            const worth = wrong ? t("Switch Network") : waits ? spinner : balance && floorBalance(balance) + " " + balanceSymbol;
            const name = profileName
              ? truncate(profileName, 18, 0)
              : truncate(address, +(attribute("charsstart") ?? 4), +(attribute("charsend") ?? 6)) || t("Account");
            button.title = address;
            button.replaceChildren(
              ...(wrong || (worth && attribute("balance") != "hide") ? [picture, node("span", "", worth!)] : []),
              node("span", "p", this._busy ? spinner : image(profileImage, generated), name),
            );
          }
        }
      },
    );
  }
  for (const kind of ["embed", "onramp"]) {
    customElements.define(
      "wallet-modal-" + kind,
      class extends HTMLElement {
        /** The second script has that drawn what is more than a place for the card. */
        draw?(): void;

        connectedCallback() {
          this.style.display = "block";
          onEmbed();
          this.draw?.();
        }
      },
    );
  }
}
