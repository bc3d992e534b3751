/** The order that a pay address asks for: whose account, on which networks, what to begin with. */

/**
 * @typedef {{address: string, blockchains: string[], assets: string[]}} Destination
 * @typedef {{destinations: Destination[], network: string, fiat: string, crypto: string, partner: string}} Wish
 */

const MAX_DESTINATIONS = 50;

/**
 * Read the query of the pay page (the pay provider's parameters).
 * @param {string} search
 * @returns {Wish}
 */
export function readWish(search) {
  const query = new URLSearchParams(search);
  return {
    destinations: destinationsOf(query.get("destinationWallets")),
    network: query.get("defaultNetwork") ?? "",
    fiat: wholeNumber(query.get("presetFiatAmount")),
    crypto: wholeNumber(query.get("presetCryptoAmount")),
    partner: (query.get("partnerUserId") ?? "").slice(0, 64),
  };
}

/**
 * The account that gets an asset, or undefined when none of the accounts takes it.
 * @param {Wish} wish
 * @param {{payName: string}} network
 * @param {{symbol: string, token: string | null}} asset
 */
export function destinationFor(wish, network, asset) {
  return wish.destinations.find(
    (one) =>
      (one.blockchains.length === 0 || one.blockchains.includes(network.payName)) &&
      (one.assets.length === 0 || one.assets.includes(asset.symbol)),
  )?.address;
}

/** @param {string | null} text */
function destinationsOf(text) {
  let parsed;
  try {
    parsed = JSON.parse(text ?? "");
  } catch {
    return [];
  }
  if (!Array.isArray(parsed)) return [];
  return parsed
    .slice(0, MAX_DESTINATIONS)
    .filter((one) => typeof one?.address === "string" && one.address.length <= 64)
    .map((one) => ({ address: one.address, blockchains: texts(one.blockchains), assets: texts(one.assets) }));
}

/** @param {unknown} value @returns {string[]} */
function texts(value) {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** @param {string | null} text */
function wholeNumber(text) {
  return /^[1-9][0-9]{0,8}$/.test(text ?? "") ? /** @type {string} */ (text) : "";
}
