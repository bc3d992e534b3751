/** Recovery by a code of the recovery service: turned off by who has another way to the wallet, and on again. */
import { base64url, random, unbase64url, wipe, xor } from "../bytes";
import { ESCROW } from "../custody";
import { sealTo } from "../ecies";
import { meta } from "../elements";
import { FrameError, recoveryNeeded, UNSUPPORTED } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import { endHold } from "../later/hold";
import { approve } from "../later/approval";
import { readUser } from "../user";
import { prove } from "./proof";

const LOST = [
  t`No code by mail brings your wallet to a new device any more.`,
  t`If you lose your devices, and your passkey or recovery password too, your wallet and all that is in it are lost. Nobody can help then, we neither.`,
];

/** Turns it off; raises 4001 when the visitor cancels. */
export async function escrowOff(parts: Parts): Promise<void> {
  const { api, login, screen } = parts;
  await screen.run(async (turn) => {
    const summary = { title: t`Only I can recover my wallet`, sections: [], warnings: LOST };
    await approve(summary, t`One moment…`, turn, false);
    const proof = await prove("escrow", t`You are about to turn recovery by code off.`, turn, parts);
    turn.commit();
    login.took(readUser((await api.call("/v1/escrow/off", { proof }))["user"]));
  });
}

/** Turns it on again, with a new recovery set; raises 4001 when the visitor cancels. */
export async function escrowOn(parts: Parts): Promise<void> {
  const { api, custody, login, screen } = parts;
  const [user, service] = [await login.user(), meta("recovery-key")];
  if (!service) throw new FrameError("This site has no recovery by code", UNSUPPORTED, "escrow");
  if (!(await custody.holds(user))) throw recoveryNeeded();
  await screen.run(async (turn) => {
    if (user.heldUntil) await endHold(turn, parts);
    const proof = await prove("escrow", t`You are about to let a code by mail recover your wallet.`, turn, parts);
    turn.commit();
    const half = random(16);
    try {
      const escrow = base64url(await sealTo(unbase64url(service, 65), half, ESCROW, user.id));
      const recoveryHalf = await custody.withKeys(user, (_keys, root) => base64url(xor(root, half)));
      login.took(readUser((await api.call("/v1/escrow/on", { proof, recoveryHalf, escrow }))["user"]));
    } finally {
      wipe(half);
    }
  });
}
