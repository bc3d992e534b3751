/** The log: what the modal tells its host, in words. */
import type { Modal } from "./modal";
import { log } from "./page";

type Fields = Record<string, unknown>;

export function watchEvents(modal: Modal): void {
  let view = "";
  modal.subscribeState((state) => {
    const { open, view: now } = state as { open: boolean; view: string };
    const shown = open ? now : "";
    if (shown !== view) log("state", shown ? `shows ${shown}` : "closed", state);
    view = shown;
  });
  modal.subscribeAccount((account) => {
    const { status, address } = account as { status: string; address?: string };
    log("account", address ? `${status} ${address.slice(0, 6)}…${address.slice(-4)}` : status, account);
  });
  modal.subscribeNetwork((network) => {
    const { caipNetwork, caipNetworkId } = network as { caipNetwork?: { name?: string }; caipNetworkId?: string };
    log("network", [caipNetwork?.name, caipNetworkId].filter(Boolean).join(" · ") || "none", network);
  });
  modal.subscribeEvents((event) => {
    const { event: name, properties } = (event as { data: { event: string; properties: Fields } }).data;
    log("event", [name, ...Object.entries(properties).flatMap(plain)].join(" · "), event);
  });
}

/** A property that can be read at a glance. */
const plain = ([key, value]: [string, unknown]): string[] =>
  typeof value === "boolean" || typeof value === "number" || (typeof value === "string" && value.length < 40) ? [`${key}: ${String(value)}`] : [];
