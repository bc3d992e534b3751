/** A device that got the wallet by a code from a mail: what moves funds waits, and the visitor is told before being asked to approve anything. */
import { base64url } from "../bytes";
import { element } from "../elements";
import { FrameError, REJECTED } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import type { Turn } from "../screen";
import { readUser } from "../user";
import { drawDialog } from "./dialog";
import { proveByPasskey } from "./passkey_proof";

const TITLE = t`Transfers from this device wait`;
const ELSEWHERE = t`On a device that had your wallet before, open Devices in the settings: it can let this one move funds at once.`;

type Asking = Pick<Parts, "api" | "login">;

/**
 * Fulfilled when transactions need not wait here, with what the server measures them by; `transactions`: none for what cannot be measured.
 * Otherwise the visitor is told until when they wait, and may end that with a passkey; raises 4001 `held` when it is left at that.
 */
export async function endHold(turn: Turn, parts: Asking, chain = "", transactions: Uint8Array[] = []): Promise<object> {
  const measured = transactions.length ? { chain, transactions: transactions.map((one) => base64url(one)) } : {};
  const { heldUntil, passkey } = await parts.api.call("/v1/wallet/hold", measured);
  if (typeof heldUntil !== "number") return measured;
  const when = new Date(heldUntil).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const why = t`A code from a mail brought your wallet here. To protect you, what moves your funds waits until ${when}.`;
  const left = () => new FrameError(`Transfers from this device wait until ${when}`, REJECTED, "held");
  if (passkey !== true) {
    await tell([why, ELSEWHERE], turn);
    throw left();
  }
  const words = { title: TITLE, lines: [why, t`Use a passkey of your wallet to go on at once.`, ELSEWHERE], button: t`Use a passkey` };
  const proof = await proveByPasskey("hold", words, turn, parts).catch((error: FrameError) => {
    throw error.code === REJECTED ? left() : error;
  });
  parts.login.took(readUser((await parts.api.call("/v1/wallet/hold/lift", { proof }))["user"]));
  return measured;
}

/** Shows sentences until the visitor has read them. */
function tell(lines: string[], turn: Turn): Promise<void> {
  const close = element("button", { type: "button", class: "main", "data-testid": "hold-close" }, t`Close`);
  turn.show(drawDialog({ title: TITLE, lines }, { buttons: [close], testId: "hold" }));
  return new Promise((resolve) => (close.onclick = () => resolve()));
}
