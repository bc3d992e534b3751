/** Deletes the wallet and the account, once the visitor has approved it in a window of this site's own and has proven who it is. */
import { halfOf } from "../custody";
import { isFrameError, recoveryNeeded } from "../errors";
import type { Parts } from "../frame";
import { approve } from "../later/approval";
import { prove } from "../recovery_settings/proof";

const LOST = [
  "Your wallet is deleted on every device, with its passkeys and its recovery. Nobody can bring it back, we neither.",
  "Everything in it is lost unless you have its recovery phrase. Export that first, or send all that you own elsewhere.",
];
const AFTER = "A new login with the same address makes another, empty wallet.";

/** Deletes them, and ends the session here; raises 4001 when the visitor cancels. */
export async function deleteAccount(parts: Parts): Promise<void> {
  const { api, custody, login, screen, store } = parts;
  const user = await login.user();
  const { wallet } = user;
  if (wallet && !(await custody.holds(user))) throw recoveryNeeded();
  const rows = [
    ...(user.email ? [{ label: "Account", value: user.email }] : []),
    ...(wallet ? [{ label: "Ethereum", value: wallet.evm, tone: "code" as const }, { label: "Solana", value: wallet.solana, tone: "code" as const }] : []),
    { label: "Afterwards", value: AFTER },
  ];
  await screen.run(async (turn) => {
    await approve({ title: "Delete your wallet for good?", sections: [{ rows }], warnings: LOST }, "One moment…", turn, false, true);
    const proof = await prove("delete", "You are about to delete your wallet and your account for good.", turn, parts);
    turn.commit();
    await api.call("/v1/account/delete", { proof }).catch((error: unknown) => recheck(error, parts));
  });
  if (wallet) await store.delete(halfOf(user.id, wallet));
  await store.delete(`passkey-offered:${user.id}`);
  api.onSessionEnd();
}

/** Whether it was deleted although the answer was lost: then nobody knows the session any more. */
async function recheck(error: unknown, { api }: Parts): Promise<void> {
  if (!isFrameError(error) || !/^(?:unreachable|timeout)$/.test(error.reason ?? "")) throw error;
  const ended = await api.call("/v1/me").then(
    () => false,
    (now: unknown) => isFrameError(now) && now.reason === "session",
  );
  if (!ended) throw error;
}
