/**
 * The third script: draws the element `wallet-modal-onramp`, what is to be bought with a card and the way to the providers. No data of a
 * card is entered here.
 */
import { isRecord } from "../protocol";
import type { Draw, OnrampElement, OnrampScript, Page } from "../seam";

const PRESETS = ["100", "250", "500", "1000"];
const SIGNS: Record<string, string> = { USD: "$", EUR: "€", GBP: "£" };
/** So long after the last letter the server is asked what an amount buys, in ms. */
const PAUSE = 300;
const AMOUNT = /^\d{1,9}(\.\d{1,2})?$/;

const CSS =
  ":host(:not([hidden])){display:block;max-width:360px}" +
  "form{display:grid;grid-template-columns:repeat(4,1fr);gap:8px;margin:0;color:light-dark(#141414,#e4e7e7);" +
  "font:500 calc(clamp(8px,var(--w3m-font-size-master,10px),14px)*1.6)/1.3 var(--w3m-font-family,Inter,sans-serif)}" +
  "label,p{grid-column:1/-1;display:flex;align-items:center;gap:8px;min-height:64px;margin:0;padding-block:0;padding-inline:16px 8px;box-sizing:border-box;" +
  "border:1px solid #888;border-radius:calc(clamp(0px,var(--w3m-border-radius-master,4px),10px)*5);background:#8882}" +
  "input{flex:1;min-width:0;border:0;outline:0;background:none;color:inherit;font:inherit;font-size:1.25em}" +
  "label:has(input:focus-visible),button:focus-visible{outline:2px solid var(--w3m-accent,#5773ff);outline-offset:1px}" +
  "span{flex:1;min-width:0;overflow-wrap:anywhere}" +
  "small{display:block;opacity:.75}" +
  "button{padding:8px 12px;border:1px solid #8883;border-radius:calc(clamp(0px,var(--w3m-border-radius-master,4px),10px)*20);" +
  "background:#8882;color:inherit;font:inherit;font-size:.875em;cursor:pointer;white-space:nowrap}" +
  "button:hover{filter:brightness(.9)}" +
  ":disabled{opacity:.5;cursor:default}" +
  "[type=submit]{--a:color-mix(in srgb,var(--w3m-accent,#5773ff)85%,#000);grid-column:1/-1;padding:12px 16px;background:var(--a);color:#fff;font-size:1em}" +
  "@supports(color:rgb(from red r g b)){[type=submit]{--l:clamp(0,(.18 - .2126*r - .7152*g - .0722*b)*9999,1);" +
  "color:color(from var(--a)srgb-linear var(--l)var(--l)var(--l)/1)}}";

function button(type: "button" | "submit", testId: string, click?: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = type;
  made.dataset.testid = testId;
  if (click) made.onclick = click;
  return made;
}

/** Puts values into the places that a text has for them. */
const fill = (text: string, values: Record<string, unknown>) => text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

const draw: Draw = (host: OnrampElement, pageNow: () => Page): void => {
  const open = (view: string, filled?: object) =>
    // A failure is on the console already, with what to do about it.
    pageNow().ask("call", { method: "open", params: { view, ...(filled && { arguments: filled }) } }).catch(() => {});
  const t = (text: string) => pageNow().t(text);
  const isConnected = () => Object.keys(pageNow().sessions).length > 0;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  const root = host.attachShadow({ mode: "open", delegatesFocus: true });
  root.adoptedStyleSheets = [sheet];

  let token = "USDC";
  let currency = "USD";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  const form = document.createElement("form");
  const field = document.createElement("label");
  const input = document.createElement("input");
  const result = document.createElement("p");
  const gets = document.createElement("span");
  const money = button("button", "onramp-widget-currency", () => open("OnRampFiatSelect"));
  const coin = button("button", "onramp-widget-token", () => open("OnRampTokenSelect"));
  const submit = button("submit", "onramp-widget-submit");
  const presets = PRESETS.map((amount) =>
    button("button", "onramp-widget-preset-" + amount, () => {
      input.value = amount;
      soon();
    }),
  );
  input.inputMode = "decimal";
  input.autocomplete = "off";
  input.maxLength = 12;
  input.placeholder = "0";
  input.dataset.testid = "onramp-widget-amount";
  gets.role = "status";
  gets.dataset.testid = "onramp-widget-gets";
  field.append(input, money);
  result.append(gets, coin);
  form.append(field, result, ...presets, submit);
  root.append(form);

  const typed = () => {
    const amount = input.value.trim().replace(",", ".").replace(/\.$/, "");
    return AMOUNT.test(amount) ? amount : "";
  };

  function paint(): void {
    const { themeMode, themeVariables = {} } = pageNow().options();
    for (const [name, value] of Object.entries(themeVariables)) host.style.setProperty(name, value + "");
    form.style.colorScheme = themeMode ?? "light dark";
    input.ariaLabel = t("Amount to pay");
    money.textContent = currency + " ▾";
    money.ariaLabel = fill(t("Paid in {currency}, choose another currency"), { currency });
    coin.textContent = token + " ▾";
    coin.ariaLabel = fill(t("Buys {token}, choose another token"), { token });
    presets.forEach((preset, place) => (preset.textContent = (SIGNS[currency] ?? "") + PRESETS[place]));
    submit.textContent = isConnected() ? t("Get quotes") : t("Connect wallet");
    const off = (host.getAttribute("disabled") ?? "false") != "false";
    for (const part of [input, money, coin, submit, ...presets]) part.disabled = off;
  }

  /** Shows what the amount buys, as the server tells; an example is named as one, and is no figure. */
  function show({ kind, gets: amount }: Record<string, unknown>): void {
    const note = document.createElement("small");
    note.textContent = kind == "example" ? t("Example: the provider tells the price") : kind == "unavailable" ? t("The provider tells the price") : "";
    const known =
      // Translators: what somebody gets for their money: about 0.03 ETH
      t("About {amount}");
    gets.replaceChildren(kind == "known" ? fill(known, { amount }) : "", note);
  }

  async function ask(): Promise<void> {
    const mine = ++turn;
    const answer = await pageNow().ask("call", { method: "onramp", params: { amount: typed() } }).catch(() => null);
    if (mine != turn || !isRecord(answer)) return;
    if (typeof answer.token == "string") token = answer.token;
    if (typeof answer.currency == "string") currency = answer.currency;
    show(answer);
    paint();
  }

  function soon(): void {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  }

  input.oninput = soon;
  // The modal gives the focus back when it closes; what was chosen in it is shown then.
  root.addEventListener("focusin", soon);
  form.onsubmit = (event) => {
    event.preventDefault();
    const amount = typed();
    if (isConnected()) open("OnRampProviders", { token, currency, ...(amount && { amount }) });
    else open("Connect");
  };
  new MutationObserver(paint).observe(host, { attributeFilter: ["disabled"] });
  host.refresh = () => {
    paint();
    soon();
  };
  paint();
  ask();
};

(document.currentScript as OnrampScript | null)?.takeOnramp2?.(draw);
