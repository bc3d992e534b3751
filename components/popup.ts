/** What may be shown under a window that the visitor takes for the provider's. */
function isPage(href: string): boolean {
  return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol);
}

/** Opens an empty window in the middle of the screen, which `leadPopup` leads to its page; null where the browser does not let it. */
export function openEmptyPopup(width: number, height: number): Window | null {
  const left = Math.round(window.screenX + Math.max(0, (window.outerWidth - width) / 2));
  const top = Math.round(window.screenY + Math.max(0, (window.outerHeight - height) / 2));
  const opened = window.open("", "_blank", `popup,width=${width},height=${height},left=${left},top=${top}`);
  return !opened || opened.closed ? null : opened;
}

/** Leads a window to a page; what is no page is left out. `named`: the page is told this origin, which the modal's policy keeps from all others. */
export function leadPopup(opened: Window, href: string, named = false): void {
  if (!isPage(href)) return;
  if (!named) return opened.location.replace(href);
  const link = document.createElement("a");
  const target = (opened.name ||= `w${Math.random()}`);
  Object.assign(link, { href, target, referrerPolicy: "strict-origin" }).click();
}

/**
 * Opens a page in a window of its own; null where the browser does not let it. `named`: as for `leadPopup`.
 *
 * With `noopener` a browser says of every window that there is none, so the tie to us is cut by hand.
 */
export function openPopup(href: string, width: number, height: number, named = false): Window | null {
  const opened = isPage(href) ? openEmptyPopup(width, height) : null;
  if (!opened) return null;
  leadPopup(opened, href, named);
  // Afterwards: a frame in a sandbox may only lead a window that still has it for its opener. The page comes later than this.
  opened.opener = null;
  return opened;
}
