/**
 * Back on the page after the wallet's app: a phone may have cut the connection to the relay while the page was out of sight,
 * and the SDK notices that late or, where the system has not told, never.
 */
import { host } from "./host";

type Relayer = { connected: boolean; transportOpen(): Promise<void>; restartTransport(): Promise<void> };

/** Away for less than this, ms, a connection that says it stands is believed. */
const BELIEVED = 2_000;

/** Connects anew, and so hears of what was answered meanwhile, as soon as the page is seen again. */
export function reviveOnReturn(relayer: Relayer): void {
  let left = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") {
      left = Date.now();
      return;
    }
    const onPhone = host().system === "ios" || host().system === "android";
    const stale = onPhone && Date.now() - left > BELIEVED;
    if (relayer.connected && !stale) return;
    // Offline, the SDK goes on trying by itself.
    (relayer.connected ? relayer.restartTransport() : relayer.transportOpen()).catch(() => undefined);
  });
}
