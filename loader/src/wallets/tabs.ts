/**
 * What the other tabs of the host hear of this one: not every wallet tells them that the visitor has disconnected it.
 *
 * A wallet of the browser grants to the host as a whole. Pairings do not belong here: each tab may have one of its own, and the frames tell each other.
 */
import { quietly } from "../errors";
import { PAIRING, type Namespace } from "../protocol";
import { NAMESPACES } from "../storage";
import { page } from "./page";

/** Written only to be heard, and taken away at once: a tab that comes later finds its storage without the connection. */
const ENDED = "walletmodal:ended";

/** Says that a wallet's connection was ended here. */
export function tellEnded(namespace: Namespace, connector: string): void {
  page.write(ENDED, namespace + " " + connector);
  page.write(ENDED, null);
}

/** Has `end` called for each connection that another tab has ended. */
export function hearEnded(end: (namespace: Namespace, connector: string) => void): void {
  const take = quietly(({ key, newValue }: StorageEvent) => {
    if (key != ENDED || !newValue) return;
    const [, first, connector] = /^(\w+) (.+)$/.exec(newValue)!;
    const namespace = NAMESPACES.find((name) => name == first);
    if (namespace && connector != PAIRING) end(namespace, connector!);
  });
  addEventListener("storage", take, { signal: page.life });
}
