/** A fresh proof of who asks: a passkey, or a code that is typed here. Its card says what it is for. */
import { text } from "../clean";
import { FrameError, isFrameError } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import { ENTER, enterCode } from "../later/code";
import { proveByPasskey, readProof } from "../later/passkey_proof";
import { listPasskeys } from "../later/passkeys";
import type { Turn } from "../screen";

export type Purpose = "password" | "escrow" | "export" | "delete";

const TITLE = t`Confirm that it is you`;

/** Gives a proof for `purpose`; `why`: the sentence of the card. Raises 4001 when the visitor cancels. */
export async function prove(purpose: Purpose, why: string, turn: Turn, parts: Parts): Promise<string> {
  const { email } = await parts.login.user();
  const { passkeys } = await listPasskeys(parts);
  if (!passkeys.length && !email) throw new FrameError("Add a passkey first: this account has no email address", undefined, "no_proof");
  if (!passkeys.length) return byCode(purpose, why, email, turn, parts);
  try {
    const words = { title: TITLE, lines: [why], button: t`Use a passkey`, ...(email && { instead: t`Send me a code instead` }) };
    return await proveByPasskey(purpose, words, turn, parts);
  } catch (error) {
    if (!isFrameError(error) || error.reason !== "instead") throw error;
    return byCode(purpose, why, email, turn, parts);
  }
}

async function byCode(purpose: Purpose, why: string, email: string, turn: Turn, { api }: Parts): Promise<string> {
  let attempt = "";
  const send = async () => {
    const begun = await api.call("/v1/proof/start", { purpose });
    attempt = text(begun["attempt"]) ?? "";
    return begun;
  };
  const take = async (otp: string) => readProof(await api.call("/v1/proof/finish", { purpose, attempt, otp }));
  return enterCode({ title: TITLE, lead: `${why} ${ENTER}` }, email, turn, send, take);
}
