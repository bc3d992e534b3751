/** A code of eight digits from a mail, typed here, where no other page sees it. */
import type { DataObject } from "../clean";
import { isFrameError, rejected } from "../errors";
import type { CodeWords } from "../cards/code_form";
import { explain, t } from "../language";
import type { Turn } from "../screen";
import { loadRequests } from "../scripts";

/** Stands before the address that it was sent to. */
export const ENTER = t`Enter the eight digits that we sent to`;

/** Has a code sent and typed until `take` accepts it; returns what that gives. Raises 4001 when the visitor cancels. */
export async function enterCode<T>(
  words: CodeWords,
  email: string,
  turn: Turn,
  send: () => Promise<DataObject>,
  take: (code: string) => Promise<T>,
): Promise<T> {
  const sent = async () => {
    const { retryAfter } = await send();
    return typeof retryAfter === "number" ? retryAfter : 0;
  };
  const { askCode, mayTryAgain, RESEND, CANCEL } = await loadRequests();
  const form = askCode(email, turn.signal, words);
  form.wait(await sent());
  turn.show(form.card);
  form.input.focus({ preventScroll: true });
  for (;;) {
    const wanted = await form.next();
    // A code that is being checked ends nothing any more: the server may have accepted it already.
    if (wanted === CANCEL) throw rejected();
    try {
      if (wanted === RESEND) {
        form.wait(await sent());
        form.say(t`A new code is on its way.`);
        continue;
      }
      return await take(wanted);
    } catch (error) {
      if (!isFrameError(error)) throw error;
      const { reason = "", data } = error;
      const later = (data as { retryAfter?: unknown } | undefined)?.retryAfter;
      if (typeof later === "number") form.wait(later);
      if (!mayTryAgain(reason)) throw error;
      form.fail(explain(error));
    }
  }
}
