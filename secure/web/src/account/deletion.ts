/** Deletes the wallet and the account, once the visitor has approved it in a window of this site's own and has proven who it is; on a device without the wallet that waits. */
import { dropHalves, halfOf } from "../custody";
import { isFrameError } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import { approve } from "../later/approval";
import { endHold } from "../later/hold";
import { prove } from "../recovery_settings/proof";
import type { User } from "../user";

const LOST = [
  t`Your wallet is deleted on every device, with its passkeys and its recovery. Nobody can bring it back, we neither.`,
  t`Everything in it is lost unless you have its recovery phrase. Export that first, or send all that you own elsewhere.`,
];
const LOST_UNOPENED = [LOST[0] as string, t`Everything in it is lost unless you have its recovery phrase.`];
const STOPS = t`Until then a link in our mails stops it, and so does using the wallet on a device that has it.`;
const AFTER = t`A new login with the same address makes another, empty wallet.`;

/** Deletes them, and ends the session here, or asks for that and tells when it is due; raises 4001 when the visitor cancels. */
export async function deleteAccount(parts: Parts): Promise<object> {
  const { api, login, screen, store } = parts;
  const user = await login.user();
  const { wallet } = user;
  if (wallet && !user.device) return requestDeletion(user, parts);
  const rows = [
    ...(user.email ? [{ label: t`Account`, value: user.email }] : []),
    ...accounts(wallet),
    { label: t`Afterwards`, value: AFTER },
  ];
  await screen.run(async (turn) => {
    if (user.heldUntil) await endHold(turn, parts);
    await approve({ title: t`Delete your wallet for good?`, sections: [{ rows }], warnings: LOST }, t`One moment…`, turn, false, true);
    const proof = await prove("delete", t`You are about to delete your wallet and your account for good.`, turn, parts);
    turn.commit();
    await api.call("/v1/account/delete", { proof }).catch((error: unknown) => recheck(error, parts));
  });
  if (wallet) await dropHalves(store, halfOf(user.id, wallet));
  await store.delete(`passkey-offered:${user.id}`);
  api.onSessionEnd();
  return {};
}

/** Asks for the deletion where no device is at hand that could delete the wallet; tells when it is due. */
async function requestDeletion({ email, wallet }: User, parts: Parts): Promise<object> {
  const { api, screen } = parts;
  const { deletionHours } = await api.call("/v1/recovery/ways");
  const days = Math.round(Number(deletionHours) / 24);
  const rows = [
    ...(email ? [{ label: t`Account`, value: email }] : []),
    ...accounts(wallet),
    { label: t`When`, value: `${days === 1 ? t`In one day.` : t`In ${days} days.`} ${STOPS}` },
    { label: t`Afterwards`, value: AFTER },
  ];
  return screen.run(async (turn) => {
    await approve({ title: t`Delete a wallet that you cannot open?`, sections: [{ rows }], warnings: LOST_UNOPENED }, t`One moment…`, turn, false, true);
    const proof = await prove("delete", t`You are about to ask for the deletion of your wallet and your account.`, turn, parts);
    turn.commit();
    const { deletesAt } = await api.call("/v1/account/delete/request", { proof });
    return { deletesAt };
  });
}

const accounts = (wallet: User["wallet"]) =>
  wallet ? [{ label: "Ethereum", value: wallet.evm, tone: "code" as const }, { label: "Solana", value: wallet.solana, tone: "code" as const }] : [];

/** Whether it was deleted although the answer was lost: then nobody knows the session any more. */
async function recheck(error: unknown, { api }: Parts): Promise<void> {
  if (!isFrameError(error) || !/^(?:unreachable|timeout)$/.test(error.reason ?? "")) throw error;
  const ended = await api.call("/v1/me").then(
    () => false,
    (now: unknown) => isFrameError(now) && now.reason === "session",
  );
  if (!ended) throw error;
}
