/** The pay page: an order, a card, a result. */
import { destinationFor, readWish } from "./order.js";
import { buy, offer, purchase, quote } from "./shop.js";

const QUOTE_AFTER = 200;
const ASK_AGAIN_AFTER = 1000;
const STEPS = ["loading", "problem", "order", "card", "result"];
const SUCCESS = "ONRAMP_TRANSACTION_STATUS_SUCCESS";
const FAILED = "ONRAMP_TRANSACTION_STATUS_FAILED";

/** @param {string} id @returns {any} */
const part = (id) => document.getElementById(id);

const wish = readWish(location.search);
/** @type {{networks: any[], assets: any[], currencies: any[]}} */
let shop = { networks: [], assets: [], currencies: [] };
/** @type {Record<string, string> | null} */
let quoted = null;
let edited = "amount";
let asking = new AbortController();
let timer = 0;

function show(step) {
  for (const id of STEPS) part(id).hidden = id !== step;
}

function problem(title, text) {
  part("problem-title").textContent = title;
  part("problem-text").textContent = text;
  show("problem");
}

const network = () => shop.networks.find((one) => one.id === part("network").value);
const asset = () => shop.assets.find((one) => one.chain === part("network").value && one.symbol === part("asset").value);
const currency = () => shop.currencies.find((one) => one.code === part("currency").value);
const money = (text) => `${currency().sign}${Number(text).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/** The assets on sale that one of the accounts takes. */
const sellable = () =>
  shop.assets.filter((one) => destinationFor(wish, shop.networks.find((net) => net.id === one.chain), one) !== undefined);

function fill(select, rows, chosen) {
  select.replaceChildren(...rows.map(([value, text]) => new Option(text, value)));
  if (rows.some(([value]) => value === chosen)) select.value = chosen;
}

function fillNetworks() {
  const offered = shop.networks.filter((net) => sellable().some((one) => one.chain === net.id && one.symbol === part("asset").value));
  const wished = shop.networks.find((net) => net.payName === wish.network)?.id;
  const before = part("network").value;
  const chosen = offered.some((net) => net.id === before) ? before : wished;
  fill(part("network"), offered.map((net) => [net.id, net.name]), chosen);
}

function paintChoice() {
  const what = asset();
  const where = network();
  part("asset-image").src = what.image;
  part("asset-symbol").textContent = what.symbol;
  part("asset-name").textContent = what.name;
  part("network-image").src = where.image;
  part("network-name").textContent = where.name;
  part("network-id").textContent = where.id;
  part("unit").textContent = what.symbol;
  part("address").textContent = destinationFor(wish, where, what) ?? "";
}

function refuse(text) {
  quoted = null;
  part("continue").disabled = true;
  part("order-wrong").textContent = text;
  for (const id of ["fact-price", "fact-service", "fact-network"]) part(id).textContent = "–";
}

async function askQuote() {
  asking.abort();
  asking = new AbortController();
  const typed = part(edited).value.trim().replace(",", ".");
  const wanted = /^[0-9]+(\.[0-9]*)?$/.test(typed) ? typed.replace(/\.$/, "") : "";
  if (!wanted) return refuse(typed ? "Digits, with a point before the fraction." : "");
  const what = asset();
  const query = { chain: what.chain, currency: part("currency").value, [edited]: wanted, ...(what.token ? { token: what.token } : {}) };
  try {
    const answer = await quote(query, asking.signal);
    if (edited === "amount") part("quantity").value = trimmed(answer.quantity);
    else part("amount").value = answer.total;
    quoted = answer;
    part("facts").dataset.old = "false";
    part("fact-price").textContent = `${money(answer.price)} per ${what.symbol}`;
    part("fact-service").textContent = money(answer.serviceFee);
    part("fact-network").textContent = money(answer.networkFee);
    part("order-wrong").textContent = "";
    part("continue").disabled = false;
  } catch (error) {
    if (error.name !== "AbortError") refuse(error.message);
  }
}

const trimmed = (text) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

function quoteSoon(delay = QUOTE_AFTER) {
  part("continue").disabled = true;
  part("facts").dataset.old = "true";
  clearTimeout(timer);
  timer = setTimeout(askQuote, delay);
}

function typeCard() {
  const digits = part("number").value.replace(/\D/g, "").slice(0, 19);
  part("card-digits").textContent = (digits.padEnd(16, "•").match(/.{1,4}/g) ?? []).join(" ");
  part("card-until").textContent = part("expiry").value || "MM/YY";
  for (const id of ["number", "expiry", "code"]) mark(id, "");
}

function mark(id, text) {
  part(`wrong-${id}`).textContent = text;
  part(id).setAttribute("aria-invalid", String(text !== ""));
}

function useCard(number) {
  part("number").value = number;
  part("expiry").value = `12/${String((new Date().getFullYear() + 3) % 100).padStart(2, "0")}`;
  part("code").value = "123";
  typeCard();
}

async function confirm() {
  const what = asset();
  part("confirm").disabled = true;
  part("card-wrong").textContent = "";
  try {
    const bought = await buy({
      chain: what.chain,
      token: what.token,
      address: destinationFor(wish, network(), what),
      currency: quoted.currency,
      amount: quoted.total,
      partner_user_id: wish.partner,
      card: { number: part("number").value, expiry: part("expiry").value, code: part("code").value },
    });
    paintResult(bought);
    show("result");
    part("result").focus();
  } catch (error) {
    const field = /^card\.(number|expiry|code)$/.exec(error.field ?? "")?.[1];
    if (field) {
      mark(field, error.message);
      part(field).focus();
    } else part("card-wrong").textContent = error.message;
  } finally {
    part("confirm").disabled = false;
  }
}

function paintResult(bought) {
  const amount = `${trimmed(bought.quantity)} ${bought.symbol}`;
  const state = bought.status === SUCCESS ? "success" : bought.status === FAILED ? "failed" : "waiting";
  part("seal").dataset.state = state;
  part("result-title").textContent = { success: "It is yours", failed: "The payment failed", waiting: "The payment is being checked" }[state];
  part("result-text").textContent = {
    success: `${amount} arrived in your account.`,
    failed: "Nothing was charged, and nothing was delivered.",
    waiting: `${amount} will follow in a moment.`,
  }[state];
  part("result-paid").textContent = state === "failed" ? "–" : money(bought.payment_total);
  part("result-network").textContent = network().name;
  part("result-address").textContent = bought.address;
  part("result-hash").textContent = bought.transaction ?? "";
  part("result-hash-row").hidden = !bought.transaction;
  part("again").hidden = state !== "failed";
  if (state === "waiting") setTimeout(() => follow(bought), ASK_AGAIN_AFTER);
}

async function follow(bought) {
  paintResult(await purchase(bought.id).catch(() => bought));
}

function wire() {
  part("asset").addEventListener("change", () => {
    fillNetworks();
    paintChoice();
    quoteSoon(0);
  });
  for (const id of ["network", "currency"]) {
    part(id).addEventListener("change", () => {
      paintChoice();
      quoteSoon(0);
    });
  }
  for (const id of ["amount", "quantity"]) {
    part(id).addEventListener("input", () => {
      edited = id;
      quoteSoon();
    });
  }
  for (const id of ["number", "expiry", "code"]) part(id).addEventListener("input", typeCard);
  for (const button of document.querySelectorAll("[data-card]")) button.addEventListener("click", () => useCard(button.dataset.card));
  part("order").addEventListener("submit", (event) => {
    event.preventDefault();
    if (quoted === null || part("continue").disabled) return;
    part("pay-total").textContent = money(quoted.total);
    part("confirm").textContent = `Pay ${money(quoted.total)}`;
    show("card");
    part("number").focus();
  });
  part("card").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!part("confirm").disabled) confirm();
  });
  part("back").addEventListener("click", () => show("order"));
  part("again").addEventListener("click", () => show("card"));
  part("done").addEventListener("click", () => {
    window.close();
    part("result-text").textContent = "You may close this window.";
  });
}

async function begin() {
  if (wish.destinations.length === 0) {
    return problem("Nobody to deliver to", "The address of this page names no account. Open it from the modal once more.");
  }
  try {
    shop = await offer();
  } catch (error) {
    return problem("Nothing on sale right now", error.message);
  }
  const symbols = [...new Map(sellable().map((one) => [one.symbol, `${one.symbol} – ${one.name}`]))];
  if (symbols.length === 0) return problem("Nothing on sale for this account", "None of its networks and assets is sold in this sandbox.");
  const wished = shop.networks.find((net) => net.payName === wish.network)?.id;
  const first = sellable().find((one) => one.chain === wished) ?? sellable()[0];
  fill(part("asset"), symbols, first.symbol);
  fill(part("currency"), shop.currencies.map((one) => [one.code, one.code]), "USD");
  fillNetworks();
  paintChoice();
  edited = wish.crypto ? "quantity" : "amount";
  part(edited).value = wish.crypto || wish.fiat || "100";
  wire();
  show("order");
  quoteSoon(0);
}

begin();
