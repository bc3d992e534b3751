/** Recovery on a new device: by a passkey, or by a code of the recovery service, which is typed here, where no other page sees it. */
import type { Api } from "../api";
import { base64url, unbase64url } from "../bytes";
import { text } from "../clean";
import type { Custody } from "../custody";
import { oneTimeKey, openSealed, rawPoint } from "../ecies";
import { FrameError, isFrameError, recoveryNeeded, rejected, UNSUPPORTED } from "../errors";
import type { Turn } from "../screen";
import type { Parts } from "../frame";
import { loadRequests } from "../scripts";
import { malformed, type User } from "../user";
import { listPasskeys, openByPasskey } from "./passkeys";

const RECOVERY = "walletmodal recovery 1";

/** Opens the wallet on this device; raises 4001 when the visitor cancels. */
export async function recover(way: string, parts: Parts): Promise<void> {
  const { api, custody, login, screen } = parts;
  if (way !== "code" && way !== "passkey") throw new FrameError("This way of recovery is not supported", UNSUPPORTED);
  const user = await login.user();
  if (!user.wallet) throw recoveryNeeded();
  if (await custody.holds(user)) return;
  await screen.run(async (turn) => {
    login.took(await (way === "code" ? byCode(user, turn, api, custody) : openByPasskey(user, turn, parts)));
  });
}

/** How this wallet can be opened on a device that has no part of it, the best way first. */
export async function recoveryWays(parts: Parts): Promise<{ ways: string[] }> {
  const { escrow } = await parts.login.user();
  const { passkeys } = await listPasskeys(parts);
  return { ways: [...(passkeys.length ? ["passkey"] : []), ...(escrow ? ["code"] : [])] };
}

async function byCode(user: User, turn: Turn, api: Api, custody: Custody): Promise<User> {
  const send = async () => {
    const { retryAfter } = await api.call("/v1/recovery/start");
    return typeof retryAfter === "number" ? retryAfter : 0;
  };
  const { askCode, mayTryAgain, RESEND, CANCEL } = await loadRequests();
  const form = askCode(user.email, turn.signal);
  form.wait(await send());
  turn.show(form.card);
  form.input.focus({ preventScroll: true });
  for (;;) {
    const wanted = await form.next();
    // A code that is being checked ends the recovery no longer: the device may have its half already.
    if (wanted === CANCEL) throw rejected();
    try {
      if (wanted === RESEND) {
        form.wait(await send());
        form.say("A new code is on its way.");
        continue;
      }
      return await recoverByCode(user, wanted, api, custody);
    } catch (error) {
      if (!isFrameError(error)) throw error;
      const { reason = "", data } = error;
      const later = (data as { retryAfter?: unknown } | undefined)?.retryAfter;
      if (typeof later === "number") form.wait(later);
      if (!mayTryAgain(reason)) throw error;
      form.fail(error.message);
    }
  }
}

/** Opens the wallet on this device with a code. */
export async function recoverByCode(user: User, code: string, api: Api, custody: Custody): Promise<User> {
  const ours = await oneTimeKey();
  const answer = await api.call("/v1/recovery/finish", { code, key: base64url(await rawPoint(ours.publicKey)) });
  const box = text(answer["recoveryHalf"]);
  if (!box) throw malformed();
  return custody.adopt(user, await openSealed(ours.privateKey, unbase64url(box), RECOVERY, user.id), answer);
}
