/** Opens wallets: the frame says which link, the loader opens it in the host window on the same click. */
import { host } from "./host";
import { browseLink, linkTarget, requestLink, walletLink, type Kind } from "./links";

/** The app of a wallet and its name, as hosts keep it (WALLETCONNECT_DEEPLINK_CHOICE). */
export type AppLink = { href: string; name: string };

let app: AppLink | null = null;
let note: (link: AppLink) => void = () => undefined;

/** The app that this pairing was opened in; null: by a code on the screen. */
export function openedApp(): AppLink | null {
  return app;
}

/** Takes up the app of a pairing from before, or forgets it. */
export function rememberApp(link: unknown): void {
  const { href, name } = (typeof link === "object" && link ? link : {}) as Partial<Record<keyof AppLink, unknown>>;
  app = typeof href === "string" && typeof name === "string" ? { href, name } : null;
}

/** Called with each app that a pairing is opened in: a reload must not forget it. */
export function onOpened(listener: (link: AppLink) => void): void {
  note = listener;
}

function open(href: string, target: "_self" | "_blank", deep: AppLink | null): void {
  window.__walletmodal.post("link", { href, target, deep });
}

/** Whether a wallet is reached through its own browser and needs no code. */
export function browses(name: string, namespace: string): boolean {
  return browseLink(name, namespace, host()) !== null;
}

/** Opens a wallet with a code, or the page in the wallet's browser where it pairs no other way. Throws LinkError. */
export function openWallet(kind: Kind, link: string, name: string, namespace: string, uri: string): void {
  const inside = browseLink(name, namespace, host());
  if (inside !== null) {
    open(inside, "_self", null);
    return;
  }
  const { redirect, href } = walletLink(link, uri, host());
  app = { href, name };
  note(app);
  open(redirect, linkTarget(kind, href, host()), app);
}

/** Brings the wallet's app to the front for a request that it has been sent; on its own page the SDK does so itself. */
export function openForRequest(request: number, topic: string): void {
  if (!app || window.parent === window || document.visibilityState !== "visible") return;
  const web = /^https?:/i.test(app.href);
  try {
    open(requestLink(app.href, request, topic), web || host().telegram ? "_blank" : "_self", app);
  } catch {
    // What was kept is no link any more; the request waits in the app all the same.
  }
}
