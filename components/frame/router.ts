// In the place of react-router: a document of ours has one page, whose query may change; another path is another document.

import { type AnchorHTMLAttributes, createElement, type ReactElement, type Ref, useSyncExternalStore } from "react";

type Place = { pathname: string; search: string; hash: string; state: unknown; key: string };
type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; ref?: Ref<HTMLAnchorElement> };

const look = ({ href, pathname, search, hash }: Location): Place => ({ pathname, search, hash, state: null, key: href });

let place = look(window.location);
let query = [new URLSearchParams(place.search)] as const;
const none = {};

function current(): Place {
  if (place.key !== window.location.href) {
    place = look(window.location);
    query = [new URLSearchParams(place.search)];
  }
  return place;
}

function follow(changed: () => void): () => void {
  window.addEventListener("popstate", changed);
  return () => window.removeEventListener("popstate", changed);
}

function navigate(to: string, { replace = false } = {}): void {
  const { origin, pathname, href } = new URL(to, window.location.href);
  if (origin !== window.location.origin || pathname !== window.location.pathname) {
    if (replace) window.location.replace(href);
    else window.location.assign(href);
    return;
  }
  if (replace) window.history.replaceState(null, "", href);
  else window.history.pushState(null, "", href);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/** Where the page is. */
export function useLocation(): Place {
  return useSyncExternalStore(follow, current);
}

/** What goes elsewhere. */
export function useNavigate(): typeof navigate {
  return navigate;
}

/** The parts of the path that a route names: none. */
export function useParams(): Record<string, string> {
  return none;
}

/** What the page is asked with. */
export function useSearchParams(): typeof query {
  useLocation();
  return query;
}

/** A link as the browser knows it. */
export function Link({ to, ...rest }: LinkProps): ReactElement {
  return createElement("a", { ...rest, href: to });
}
