/**
 * Links that lead from the page into a wallet: the app's own scheme, its web address, or the wallet's own browser.
 *
 * Where a link comes from is a directory or the host's options: what could run script or give the code away is refused.
 */

export type Kind = "mobile" | "desktop" | "web";
export type System = "ios" | "android" | "mac" | "";

/** Where the page stands, as the host window and the browser say it. */
export type Surroundings = {
  url: string;
  telegram: boolean;
  system: System;
  /** Wallets that are in the host window, by their mark on it. */
  marks: readonly string[];
};

export type WalletLink = {
  /** What is opened. */
  redirect: string;
  /** Where the app is, for later requests. */
  href: string;
};

export class LinkError extends Error {}

const FORBIDDEN = /^(javascript|data|blob|file|about|vbscript|filesystem|view-source|chrome|chrome-extension)$/i;
const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/i;
const MAX_LINK = 2_048;

function isWeb(app: string): boolean {
  return /^https?:\/\//i.test(app);
}

/** The link of an app as a checked base that ends with a slash. */
function base(app: string): string {
  const given = app.trim();
  if (!given || given.length > MAX_LINK || /[\s<>"\\]/.test(given)) throw new LinkError("The wallet has no usable link");
  const whole = given.includes("://") ? given : `${given.replace(/[/:]+$/, "")}://`;
  const scheme = SCHEME.exec(whole)?.[1];
  if (!scheme || FORBIDDEN.test(scheme)) throw new LinkError("The wallet's link cannot be opened");
  // Whoever reads the code on its way can take the session.
  if (scheme.toLowerCase() === "http" && !LOOPBACK.test(whole)) throw new LinkError("The wallet's link is not secure");
  return whole.endsWith("/") ? whole : `${whole}/`;
}

/** The link that hands a pairing code to a wallet's app. Throws LinkError. */
export function walletLink(app: string, uri: string, { telegram, system }: Pick<Surroundings, "telegram" | "system">): WalletLink {
  const href = base(app);
  const once = encodeURIComponent(uri);
  // Telegram's browser on Android decodes an app's link once before it passes it on.
  const encoded = telegram && system === "android" && !isWeb(href) ? encodeURIComponent(once) : once;
  return { redirect: `${href}wc?uri=${encoded}`, href };
}

/**
 * The page inside the wallet's own browser, for wallets that take no pairing on Solana; null: pair with it.
 *
 * A wallet that is in the window already is not opened a second time.
 */
export function browseLink(name: string, namespace: string, { url, marks }: Pick<Surroundings, "url" | "marks">): string | null {
  if (namespace !== "solana") return null;
  let origin: string;
  try {
    ({ origin } = new URL(url));
  } catch {
    return null;
  }
  const here = encodeURIComponent(url);
  const from = encodeURIComponent(origin);
  if (name === "Phantom" && !marks.includes("phantom")) return `https://phantom.app/ul/browse/${here}?ref=${from}`;
  if (name === "Solflare" && !marks.includes("solflare")) return `https://solflare.com/ul/v1/browse/${here}?ref=${from}`;
  if (name === "Coinbase Wallet" && !marks.includes("coinbaseSolana")) return `https://go.cb-w.com/dapp?cb_url=${here}`;
  return null;
}

/**
 * In which window a link opens: an app's own scheme in this one, which stays, as the system asks first. A web address would
 * take the page's place on a phone without the app, and Telegram lets nothing out of its own window.
 */
export function linkTarget(kind: Kind, href: string, { telegram }: Pick<Surroundings, "telegram">): "_self" | "_blank" {
  return kind === "mobile" && !telegram && !isWeb(href) ? "_self" : "_blank";
}

/** The link that brings a wallet's app to the front for a request that it has been sent. Throws LinkError. */
export function requestLink(href: string, request: number | string, topic: string): string {
  const app = base(href);
  const payload = `requestId=${request}&sessionTopic=${topic}`;
  if (app.startsWith("https://t.me/")) {
    const address = app.slice(0, -1);
    return `${address}${address.includes("?") ? "&" : "?"}startapp=${btoa(payload).replace(/=+$/, "")}`;
  }
  return `${app}wc?${payload}`;
}
