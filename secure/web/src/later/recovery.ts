/** Recovery on a new device: the code that the recovery service mails is typed here, where no other page sees it. */
import type { Api } from "../api";
import type { Custody } from "../custody";
import { FrameError, isFrameError, recoveryNeeded, rejected, UNSUPPORTED } from "../errors";
import type { Turn } from "../screen";
import type { Parts } from "../frame";
import { loadRequests } from "../scripts";
import type { User } from "../user";

/** Opens the wallet on this device; raises 4001 when the visitor cancels. */
export async function recover(way: string, { api, custody, login, screen }: Parts): Promise<void> {
  if (way !== "code") throw new FrameError("This way of recovery is not supported", UNSUPPORTED);
  const user = await login.user();
  if (!user.wallet) throw recoveryNeeded();
  if (await custody.holds(user)) return;
  await screen.run(async (turn) => login.took(await byCode(user, turn, api, custody)));
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
      return await custody.recover(user, wanted);
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
