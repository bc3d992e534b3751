/** The host's options and theme: which are the loader's own, and how the host page describes itself to the modal. */
import type { Options } from "../walletmodal";
import { asJson, fail, INVALID_PARAMS, invalidParams } from "./errors";
import type { Host, Theme } from "./protocol";
import { NAMESPACES } from "./storage";

export let options: Options = {};
export let theme: Theme = { mode: null, variables: {} };

/** Lays options over those before; features and theme variables are merged one by one. */
export function configure(change: Options, before: Options = options): void {
  const variables = { ...before.themeVariables, ...change.themeVariables };
  options = { ...before, ...change, features: { ...before.features, ...change.features }, themeVariables: variables };
  theme = { mode: options.themeMode ?? null, variables };
}

/** The host's connectors are objects that only the loader can call; raises for one that is none. */
function checkConnectors(connectors: unknown): void {
  const sound = (Array.isArray(connectors) ? connectors : [0]).every(
    (one) => typeof one?.id == "string" && /^\w[\w .:@-]{0,95}$/.test(one.id) && one.name && one.provider && NAMESPACES.includes(one.chain),
  );
  if (!sound) throw fail(INVALID_PARAMS, "Each of `connectors` needs id, name, chain (a namespace) and provider");
}

/** Options as the server sees them: JSON, without the loader's own, `siweConfig` under its other name. */
export function forServer(given: Options): Record<string, unknown> {
  const { src, preload, standalone, themeMode, themeVariables, customRpcUrls, announceProvider, connectors, siweConfig, ...rest } = given;
  checkConnectors(connectors ?? []);
  if (siweConfig) rest.siwx = siweConfig;
  return asJson(rest, invalidParams());
}

/** How the page describes itself; the server lays the option `metadata` over it. */
export function describeHost(): Host {
  const find = (selector: string) => document.querySelector<HTMLMetaElement & HTMLLinkElement>(selector);
  // More than the server takes has no room in a message; a part of a URL would lead elsewhere.
  const whole = (url: string | undefined, most: number, otherwise: string) => (url && url.length <= most ? url : otherwise);
  return {
    origin: location.origin,
    url: whole(location.href, 8192, location.origin),
    title: document.title.slice(0, 999),
    description: find("[property='og:description']")?.content.slice(0, 999) ?? "",
    icon: whole(find("link[rel~=icon]")?.href, 65536, ""),
    standalone: !!options.standalone,
    mobile: matchMedia("(pointer:coarse)").matches,
    telegram: ["TelegramWebviewProxy", "Telegram", "TelegramWebviewProxyProto"].some((name) => name in window),
    // Told by the user agent, which the frame can read too.
    system: "",
  };
}
