/**
 * The wallets that were found.
 *
 * Everything a wallet says about itself is hostile: sizes are capped, icons are images or dropped, and reading a property
 * may throw.
 */
import { isFramed, type Namespace, type WalletEntry } from "../protocol";
import type { Line } from "./line";
import { page } from "./page";

export type Found = WalletEntry & {
  /** What was announced: one wallet may come in several namespaces, and two may bear one name. */
  _source: object;
  _lines: Partial<Record<Namespace, Line>>;
};

/** What a wallet says of itself. */
export type Description = { id: string; name: string; icon?: unknown; rdns?: string; type?: WalletEntry["type"] };

/** `window.ethereum` when nobody has announced it. */
export const INJECTED = "injected";
/** The type of a wallet that the host added: what announces itself never keeps it out. */
export const HOSTS = "EXTERNAL";
const MAX_WALLETS = 40;
const MAX_NAME = 64;
const MAX_ICON = 65536;
/** All icons together must leave a snapshot below the size of a message. */
const MAX_ICONS = 98304;
/** Plain ASCII: what else an icon may hold would grow on its way, or could not be sent at all. */
const ICON = /^(data:image\/|https:\/\/)[ -~]*$/i;

const found = new Map<string, Found>();
let icons = 0;
let notify: () => void = () => {};

/** Has `changed` called for everything found, never before the finder goes on. */
export function onFound(changed: () => void): void {
  notify = changed;
}

/** The icon if it may be shown, else "". */
export function safeIcon(icon: unknown, limit = MAX_ICON): string {
  const text = String(icon ?? "");
  return ICON.test(text) && text.length <= limit ? text : "";
}

/** Lists a wallet, or adds a namespace to one that is listed; false when its id belongs to another. */
export function add(namespace: Namespace, source: object, { id, name, icon, rdns = "", type = "ANNOUNCED" }: Description, line: Line | undefined): boolean {
  const known = found.get(id);
  // One that is no text could not be sent, and no snapshot with it.
  if (!line || page.own.has(source) || typeof id != "string" || typeof name != "string") return true;
  if (!known) {
    name = name.trim().slice(0, MAX_NAME);
    if (!name || !/^\w/.test(id) || id.length > 128 || isFramed(id) || (found.size >= MAX_WALLETS && type != HOSTS)) return true;
    let shown = safeIcon(icon);
    if (icons + shown.length > MAX_ICONS) shown = "";
    icons += shown.length;
    found.set(id, { id, namespaces: [namespace], type, name, icon: shown, rdns, _source: source, _lines: { [namespace]: line } });
  } else if (known._source != source) return false;
  else if (known._lines[namespace]) return true;
  else {
    known.namespaces = [...known.namespaces, namespace];
    known._lines[namespace] = line;
  }
  queueMicrotask(() => notify());
  return true;
}

/** What the visitor may choose from; the host's own first, since the server takes no more than it counts. */
export function listWallets(): Found[] {
  const all = [...found.values()].sort((a, b) => +(b.type == HOSTS) - +(a.type == HOSTS));
  // Whoever announces itself also sits in window.ethereum, often as another object, so one announcement decides.
  const announced = all.some(({ type, namespaces }) => type == "ANNOUNCED" && namespaces.includes("eip155"));
  return all.filter(({ type }) => type != "INJECTED" || !announced);
}

/** The wallet of a connector id, listed or not. */
export const findWallet = (connector: unknown): Found | undefined => found.get(connector as string);

/** A wallet without what only we may call. */
export const entryOf = ({ _source, _lines, ...entry }: Found): WalletEntry => entry;
