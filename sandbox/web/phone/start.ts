/** The SDK, pointed at the sandbox's relay on the page's own origin. */
import { type IWalletKit, WalletKit } from "@reown/walletkit";
import { Core } from "@walletconnect/core";
import type { ICore } from "@walletconnect/types";
import { ICON } from "../wallet/icon";

export const NAME = "Sandbox Phone";

/** Start WalletKit; its sessions and what it is called are kept by the browser. */
export async function startKit(): Promise<IWalletKit> {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const core = new Core({
    // The sandbox's relay asks for none; the SDK does.
    projectId: "sandbox-phone",
    relayUrl: `${scheme}://${location.host}/relay`,
    customStoragePrefix: "sandbox-phone",
    telemetryEnabled: false,
    logger: "silent",
  });
  return WalletKit.init({
    // The SDK's own types disagree under exactOptionalPropertyTypes; the relay's URL is given above.
    core: core as ICore,
    metadata: {
      name: NAME,
      description: "The wallet of the sandbox, on a phone that is a page.",
      url: location.origin,
      icons: [ICON],
      redirect: { universal: `${location.origin}/phone` },
    },
  });
}

/**
 * The pairing link in a text or an address: `wc:…` itself, or the `uri` of a link that opens a wallet.
 *
 * Returns undefined when there is none.
 */
export function pairingLinkIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^wc:[0-9a-f]{64}@2\?\S{1,2000}$/.test(trimmed)) return trimmed;
  if (!URL.canParse(trimmed)) return undefined;
  const { searchParams, hash } = new URL(trimmed);
  const inside = searchParams.get("uri") ?? (hash ? decoded(hash.slice(1)) : undefined);
  return inside !== undefined && inside !== trimmed ? pairingLinkIn(inside) : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
