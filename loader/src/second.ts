/** Fetches the second script, `walletmodal-wallets.js`, from where the first came from. */
import { fail, GONE } from "./errors";
import type { SecondScript, Serve } from "./seam";

/** Set by the build. */
declare const WALLETS_INTEGRITY: string;

const first = document.currentScript as HTMLScriptElement | null;
let serve: Serve | undefined;

/** Where the first script came from; undefined for one that is no file of its own. */
export const home: string | undefined = first && /^https?:/.test(first.src) ? first.src : undefined;

function fetchFrom(href: string, integrity: string): Promise<Serve> {
  return new Promise((resolve, reject) => {
    const script: SecondScript = document.createElement("script");
    const failed = () => {
      script.remove();
      reject(fail(GONE, `Could not load ${href}. After an upgrade of the modal, reload the page.`));
    };
    script.takeWallets2 = (given) => resolve((serve = given));
    script.crossOrigin = "anonymous";
    script.integrity = integrity;
    // A host's policy may go by nonces.
    script.nonce = first?.nonce ?? "";
    script.onerror = script.onload = failed;
    script.src = href;
    document.head.append(script);
  });
}

/**
 * Returns what serves the wallets; raises when the script cannot be had, and tries anew when called again. `origin`: the modal's.
 *
 * It lies beside the first script, or where the modal is when a host has taken the first into a script of its own. Where the
 * host has pinned the first, the second must be exactly the one built with it. Elsewhere a page that was loaded before an upgrade
 * takes the newer one.
 */
export async function loadWallets(origin: string): Promise<Serve> {
  // With the hash in its address a copy of another build is never taken from the browser's cache.
  const name = "walletmodal-wallets.js?" + WALLETS_INTEGRITY.slice(-12);
  const places = new Set([home ?? origin, origin].map((base) => new URL(name, base).href));
  const attempts = [...places].map((href) => [href, WALLETS_INTEGRITY]);
  if (!first?.integrity) attempts.push([new URL(name, origin).href, ""]);
  let failure;
  for (const [href, integrity] of attempts) {
    if (serve) break;
    await fetchFrom(href!, integrity!).catch((error) => (failure = error));
  }
  if (!serve) throw failure;
  return serve;
}
