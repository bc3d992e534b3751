/** The host's options: which are the loader's own, and how the host page describes itself to the modal. */
import type { Options } from "../walletmodal";
import { asJson, fail, INVALID_PARAMS } from "./errors";
import type { Host, Theme } from "./protocol";

/** Where the modal is served; raises when that is no http(s) address. */
export function sourceOf({ src }: Options, script: string): URL {
  try {
    const url = src ? new URL(src, location.href) : new URL("/", script);
    if (/^http/.test(url.protocol)) return url;
  } catch {
    // Falls through to the error.
  }
  throw fail(INVALID_PARAMS, "The option `src` must be the http(s) address of the modal");
}

/** Options as the server sees them: JSON, without the loader's own, `siweConfig` under its other name. */
export function forServer(options: Options): Record<string, unknown> {
  const { src, preload, standalone, metadata, themeMode, themeVariables, customRpcUrls, announceProvider, siweConfig, ...rest } = options;
  if (siweConfig) rest.siwx = siweConfig;
  return asJson(rest, fail(INVALID_PARAMS, "The options must be JSON"));
}

/** The theme that options ask for, over the one so far. */
export function themeOf({ themeMode, themeVariables }: Options, before: Theme): Theme {
  const variables = { ...before.variables };
  for (const [name, value] of Object.entries(themeVariables ?? {})) if (/^--w3m-/.test(name)) variables[name] = String(value);
  const mode = themeMode === undefined ? before.mode : themeMode;
  return { mode: mode == "dark" || mode == "light" ? mode : null, variables };
}

/** The endpoints that the host gives for a chain. */
export const rpcUrls = ({ customRpcUrls }: Options, caipNetworkId: string): string[] =>
  (customRpcUrls?.[caipNetworkId] ?? []).map((entry) => (typeof entry == "string" ? entry : entry.url));

/** How the page describes itself, unless the option `metadata` says otherwise. */
export function hostOf({ metadata = {}, standalone }: Options): Host {
  const find = (selector: string) => document.querySelector<HTMLMetaElement & HTMLLinkElement>(selector);
  return {
    origin: location.origin,
    url: metadata.url ?? location.href,
    title: metadata.name ?? document.title,
    description: metadata.description ?? find('[property="og:description"]')?.content ?? "",
    icon: metadata.icons?.[0] ?? find("link[rel~=icon]")?.href ?? "",
    standalone: !!standalone,
    mobile: matchMedia("(pointer:coarse)").matches || /android|iphone|ipad/i.test(navigator.userAgent),
  };
}
