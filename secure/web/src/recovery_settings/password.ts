/** Recovery passwords: one has a set of halves of its own, and opens the wallet where this device's half is not. */
import { base64url, random, unbase64url, wipe, xor } from "../bytes";
import { text } from "../clean";
import { isFrameError, recoveryNeeded } from "../errors";
import type { Parts } from "../frame";
import { explain, t } from "../language";
import { endHold } from "../later/hold";
import { openWith, sealFor } from "../later/ceremony";
import type { Turn } from "../screen";
import type { User } from "../user";
import { derive } from "./derivation";
import { passwordCard, type Words } from "./password_card";
import { prove } from "./proof";

const SET: Words = {
  title: t`Recovery password`,
  lines: [
    t`With it, and a login, you can open your wallet on a new device. It is no password for logging in.`,
    t`Nobody can tell it to you or reset it, we neither. Keep it in a password manager or on paper.`,
  ],
  button: t`Save`,
  working: t`Saving…`,
};
const OPEN: Words = {
  title: t`Recovery password`,
  lines: [t`It opens your wallet on this device. Nobody ever asks for it on another page, by phone or in a chat.`],
  button: t`Continue`,
  working: t`Checking…`,
};
/** After these the visitor may try once more on the same card. */
const AGAIN = /^(?:wrong_password|unreachable|timeout)$/;

/** Sets a password in the place of the former one; raises 4001 when the visitor cancels. */
export async function setPassword(parts: Parts): Promise<void> {
  const { api, custody, login, screen } = parts;
  const user = await login.user();
  if (!(await custody.holds(user))) throw recoveryNeeded();
  await screen.run(async (turn) => {
    if (user.heldUntil) await endHold(turn, parts);
    const proof = await prove("password", t`You are about to set a recovery password.`, turn, parts);
    const form = passwordCard(SET, user.email, true, turn.signal);
    turn.show(form.card);
    const password = await form.next();
    turn.commit();
    const [salt, half] = [random(16), random(16)];
    const { auth, key } = await derive(password, salt);
    try {
      const box = base64url(await sealFor(key, half, contextOf(user)));
      const serverHalf = await custody.withKeys(user, (_keys, root) => base64url(xor(root, half)));
      await api.call("/v1/password/set", { proof, salt: base64url(salt), auth: base64url(auth), half: serverHalf, box });
    } finally {
      wipe(half, auth, key);
    }
  });
}

/** Removes it; raises 4001 when the visitor cancels. */
export async function removePassword(parts: Parts): Promise<void> {
  const { heldUntil } = await parts.login.user();
  await parts.screen.run(async (turn) => {
    if (heldUntil) await endHold(turn, parts);
    const proof = await prove("password", t`You are about to remove your recovery password.`, turn, parts);
    turn.commit();
    await parts.api.call("/v1/password/remove", { proof });
  });
}

/** Opens the wallet of who is signed in on this device; raises 4001 when the visitor cancels. */
export async function openByPassword(user: User, turn: Turn, { api, custody }: Parts): Promise<User> {
  const salt = unbase64url(text((await api.call("/v1/password/open"))["salt"]) ?? "", 16);
  const form = passwordCard(OPEN, user.email, false, turn.signal);
  turn.show(form.card);
  document.getElementById("recovery-password")?.focus({ preventScroll: true });
  for (;;) {
    const { auth, key } = await derive(await form.next(), salt);
    try {
      const answer = await api.call("/v1/password/opened", { auth: base64url(auth) });
      turn.commit();
      return await custody.adopt(user, await openWith(key, unbase64url(text(answer["box"]) ?? "", 44), contextOf(user)), answer);
    } catch (error) {
      if (!isFrameError(error) || !AGAIN.test(error.reason ?? "")) throw error;
      form.fail(explain(error));
    } finally {
      wipe(auth, key);
    }
  }
}

/** What a password's box is bound to. */
const contextOf = (user: User): string => `password:${user.id}`;
