/** The host's options and theme: which are the loader's own, and how the host page describes itself to the modal. */
import type { Options } from "../walletmodal";
import { asJson, invalidParams } from "./errors";
import type { Host, Theme } from "./protocol";

export let options: Options = {};
export let theme: Theme = { mode: null, variables: {} };

/** Lays options over those before; features and theme variables are merged one by one. */
export function configure(change: Options, before: Options = options): void {
  const variables = { ...before.themeVariables, ...change.themeVariables };
  options = { ...before, ...change, features: { ...before.features, ...change.features }, themeVariables: variables };
  theme = { mode: options.themeMode ?? null, variables };
}

/** Options as the server sees them: JSON, without the loader's own, `siweConfig` under its other name. */
export function forServer(given: Options): Record<string, unknown> {
  const { src, preload, standalone, themeMode, themeVariables, customRpcUrls, announceProvider, siweConfig, ...rest } = given;
  if (siweConfig) rest.siwx = siweConfig;
  return asJson(rest, invalidParams());
}

/** How the page describes itself; the server lays the option `metadata` over it. */
export function describeHost(): Host {
  const find = (selector: string) => document.querySelector<HTMLMetaElement & HTMLLinkElement>(selector);
  return {
    origin: location.origin,
    url: location.href,
    title: document.title,
    description: find("[property='og:description']")?.content ?? "",
    icon: find("link[rel~=icon]")?.href ?? "",
    standalone: !!options.standalone,
    mobile: matchMedia("(pointer:coarse)").matches,
  };
}
