// In the place of react-router: the frame is one page, so that its place never changes and leaving it loads another document.

import { type AnchorHTMLAttributes, createElement, type ReactElement, type Ref } from "react";

const place = {
  pathname: window.location.pathname,
  search: window.location.search,
  hash: window.location.hash,
  state: null,
  key: "default",
};
const query = [new URLSearchParams(place.search)] as const;
const none = {};

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; ref?: Ref<HTMLAnchorElement> };

/** Where the page is. */
export function useLocation(): typeof place {
  return place;
}

/** What leaves the page. */
export function useNavigate(): typeof navigate {
  return navigate;
}

/** The parts of the path that a route names: none. */
export function useParams(): Record<string, string> {
  return none;
}

/** What the page was asked with. */
export function useSearchParams(): typeof query {
  return query;
}

/** A link as the browser knows it. */
export function Link({ to, ...rest }: LinkProps): ReactElement {
  return createElement("a", { ...rest, href: to });
}

function navigate(to: string, { replace = false } = {}): void {
  if (replace) window.location.replace(to);
  else window.location.assign(to);
}
