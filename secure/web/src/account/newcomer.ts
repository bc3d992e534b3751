/** The wallet of who has nothing here yet and no email address to give: a passkey logs in to it, and opens it. */
import { base64url, random, unbase64url, wipe, xor } from "../bytes";
import { text, type DataObject } from "../clean";
import { meta } from "../elements";
import type { Parts } from "../frame";
import { t } from "../language";
import { forget, sealFor } from "../later/ceremony";
import type { Words } from "../later/passkey_card";
import { ADD, begun, contextOf, readBegun, shown, useful } from "../later/passkeys";
import type { Turn } from "../screen";

const SIZE = 16;
const MAKE: Words = {
  title: t`Make a wallet with a passkey`,
  lines: [
    ADD.lines[0] as string,
    t`No email address is asked for, so nobody can send you a code. Add another passkey soon, or keep the recovery phrase.`,
  ],
  button: ADD.button,
};

/** Makes account, wallet and passkey, which the server takes at once or not at all, and logs in; raises 4001 when the visitor cancels. */
export async function makeWallet(turn: Turn, parts: Parts): Promise<void> {
  const { api, custody } = parts;
  const asked = await api.call("/v1/login/passkey/new");
  const id = text(asked["user"], 64) ?? "";
  const name = meta("site");
  const wanted = { ...readBegun(asked), site: name, user: { id: unbase64url(id, SIZE), name } };
  const { credential, proof, secret } = await useful(shown(MAKE, turn), { kind: "create", ...wanted });
  turn.commit();
  custody.prepare(id);
  const half = random(SIZE);
  let asking: Promise<DataObject>;
  try {
    const box = base64url(await sealFor(secret, half, contextOf({ id }, credential)));
    // Nobody could be mailed a code.
    const made = await custody.withPrepared(id, ({ escrow: _, ...wallet }, root) => ({ wallet, half: base64url(xor(root, half)) }));
    if (!made) throw new Error("This browser keeps nothing");
    asking = api.call("/v1/login/passkey/made", { ...proof, ...made, user: id, box, site: custody.site });
  } catch (error) {
    forget(credential);
    throw error;
  } finally {
    wipe(half, secret);
  }
  // From here on it may be the passkey of a wallet that has no other, whatever is heard of it. One that is of none is forgotten where it is used.
  await begun(await asking, parts);
}
