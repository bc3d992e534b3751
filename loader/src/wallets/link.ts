/** Opens the app or site of a wallet, in the host's window: the click in the frame lets it, within some seconds. */
import { AUTH, isRecord } from "../protocol";
import { interruptible, rememberDeepLink } from "./records";

/** What would run in the page, or show something of ours under the page's name. */
const REFUSED = /^(javascript|vbscript|data|blob|file|filesystem|about|view-source):$/;
const MAX_LINK = 8192;
const MAX_NAME = 128;

function isOpenable(href: unknown): href is string {
  try {
    return typeof href == "string" && href.length <= MAX_LINK && !REFUSED.test(new URL(href).protocol);
  } catch {
    return false;
  }
}

/**
 * Opens a link, and remembers in which app further requests are answered; false for a message that may not be followed. `leaves`: the page
 * goes to a login there, and the embedded wallet is to be asked when it is back.
 */
export function openLink({ href, target, deep, leaves }: Record<string, unknown>): boolean {
  if (!isOpenable(href) || typeof target != "string" || (target != "_self" && target != "_blank")) return false;
  if (isRecord(deep)) {
    if (!isOpenable(deep.href) || typeof deep.name != "string") return false;
    rememberDeepLink({ href: deep.href, name: deep.name.slice(0, MAX_NAME) });
  } else rememberDeepLink(null);
  if (leaves === true) interruptible({ namespace: "", connector: AUTH, wallet: null });
  // A page that is framed itself would only change within its frame.
  window.open(href, target == "_self" && window != top ? "_top" : target, "noreferrer,noopener");
  return true;
}

/** Takes the mark of a login that is back out of the page's address, once the modal has been told of it. */
export function dropReturn(): void {
  const search = location.search.replace(/([?&])result_uri=[^&]*(&|$)/, (_, first: string, last: string) => (last ? first : ""));
  if (search != location.search) history.replaceState(history.state, "", location.pathname + search + location.hash);
}
