/** The one port to the modal: handed over once in a page's life, by the parent, from an origin that the server names. */

const READY = "walletmodal:secure-ready";
const PORT = "walletmodal:secure-port";

/** The window's part that the handshake needs. */
export interface Place {
  parent: { postMessage(message: unknown, origin: string): void };
  addEventListener(type: "message", heard: (event: MessageEvent) => void): void;
  addEventListener(type: "pageshow", heard: (event: PageTransitionEvent) => void): void;
}

/** Announces the page and calls `taken` with the port that comes. */
export function takePort(place: Place, origins: ReadonlySet<string>, nonce: string, taken: (port: MessagePort, origin: string) => void): void {
  let done = false;
  const announce = () => {
    // It carries nothing that another page may not see.
    if (!done) place.parent.postMessage({ type: READY, nonce }, "*");
  };
  place.addEventListener("message", (event) => {
    if (done || event.source !== place.parent || !origins.has(event.origin)) return;
    const { type, nonce: given } = (event.data ?? {}) as Record<string, unknown>;
    const [port, ...others] = event.ports;
    if (type !== PORT || given !== nonce || !port || others.length) return;
    done = true;
    taken(port, event.origin);
  });
  place.addEventListener("pageshow", (event) => event.persisted && announce());
  announce();
}
