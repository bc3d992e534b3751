/** Export: the recovery phrase and the keys, shown in a window of the secure site's own, and nowhere else. */
import { base64url, unbase64url, wipe, type Bytes } from "../bytes";
import { text } from "../clean";
import { sealTo } from "../ecies";
import { recoveryNeeded } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import { endHold } from "../later/hold";
import { openWindow } from "../later/window_card";
import { malformed } from "../user";
import { prove } from "./proof";

const HASH = "#export";
const WORDS = {
  title: t`Export your wallet`,
  lines: [
    t`Your phrase and keys open in a window of their own, which no other page can read.`,
    t`Whoever sees them can take all that is in your wallet. Make sure that nobody looks at your screen.`,
  ],
};
export const PURPOSE = "walletmodal export 1";

/** What the window is given: the root, sealed to a key that the window alone has. */
export interface Exported {
  user: string;
  box: string;
}

/** Shows phrase and keys after a fresh proof; raises 4001 when the visitor cancels. */
export async function exportWallet(parts: Parts): Promise<void> {
  const { api, custody, login, screen } = parts;
  const user = await login.user();
  if (!(await custody.holds(user))) throw recoveryNeeded();
  await screen.run(async (turn) => {
    if (user.heldUntil) await endHold(turn, parts);
    const proof = await prove("export", t`You are about to see the recovery phrase and the keys of your wallet.`, turn, parts);
    // Taken once: the window may be closed and opened again.
    const half = (await api.call("/v1/wallet/export", { proof }))["half"];
    await openWindow(WORDS, HASH, turn, async (ready) => {
      const point = unbase64url(text((ready as { key?: unknown } | undefined)?.key, 100) ?? "", 65);
      const root = await custody.withKeys(user, (_keys, entropy) => entropy.slice() as Bytes, async () => half);
      try {
        return { user: user.id, box: base64url(await sealTo(point, root, PURPOSE, user.id)) } satisfies Exported;
      } catch {
        throw malformed();
      } finally {
        wipe(root);
      }
    });
  });
}
