/** Recovery on a new device: by a passkey, by a window of this site in the same browser, a recovery password, or a code of the recovery service, which is typed here, where no other page sees it. */
import type { Api } from "../api";
import { base64url, unbase64url } from "../bytes";
import { text, type DataObject } from "../clean";
import type { Custody } from "../custody";
import { oneTimeKey, openSealed, rawPoint } from "../ecies";
import { FrameError, recoveryNeeded, UNSUPPORTED } from "../errors";
import { t } from "../language";
import type { Turn } from "../screen";
import type { Parts } from "../frame";
import { loadHandover, loadRecoverySettings } from "../scripts";
import { malformed, type User } from "../user";
import { ENTER, enterCode } from "./code";
import { openByPasskey } from "./passkeys";

const RECOVERY = "walletmodal recovery 1";

/** Opens the wallet on this device; `site`: the host page, as the modal says. Raises 4001 when the visitor cancels. */
export async function recover(way: string, site: string, parts: Parts): Promise<void> {
  const { api, custody, login, screen } = parts;
  const ways: Record<string, (user: User, turn: Turn) => Promise<User>> = {
    code: (user, turn) => byCode(user, turn, api, custody),
    passkey: (user, turn) => openByPasskey(user, turn, parts),
    window: async (user, turn) => (await loadHandover()).openByWindow(user, turn, site, parts),
    password: async (user, turn) => (await loadRecoverySettings()).openByPassword(user, turn, parts),
  };
  const open = Object.hasOwn(ways, way) && ways[way];
  if (!open) throw new FrameError("This way of recovery is not supported", UNSUPPORTED);
  const user = await login.user();
  if (!user.wallet) throw recoveryNeeded();
  if (await custody.holds(user)) return;
  await screen.run(async (turn) => {
    login.took(await open(user, turn));
  });
}

/** How this wallet can be opened on a device that has no part of it, the best way first; `escrow`: whether a code could be one; `password`: whether a password could. */
export async function recoveryWays({ api }: Parts): Promise<DataObject> {
  const { ways, escrow, password, holdHours, deletesAt } = await api.call("/v1/recovery/ways");
  if (!Array.isArray(ways)) throw malformed();
  return { ways, escrow: escrow === true, password: password !== false, holdHours, deletesAt };
}

async function byCode(user: User, turn: Turn, api: Api, custody: Custody): Promise<User> {
  const { holdHours: hours } = await api.call("/v1/recovery/ways");
  const hold = hours ? [t`After it, transfers from this device wait for ${hours} hours; a passkey, or a device that has your wallet, ends the wait.`] : [];
  const words = { title: t`Recover your wallet`, lead: [t`This device is new, and needs a code.`, ...hold, ENTER].join(" ") };
  const send = () => api.call("/v1/recovery/start");
  return enterCode(words, user.email, turn, send, (code) => recoverByCode(user, code, api, custody));
}

/** Opens the wallet on this device with a code. */
export async function recoverByCode(user: User, code: string, api: Api, custody: Custody): Promise<User> {
  const ours = await oneTimeKey();
  const answer = await api.call("/v1/recovery/finish", { code, key: base64url(await rawPoint(ours.publicKey)) });
  const box = text(answer["recoveryHalf"]);
  if (!box) throw malformed();
  return custody.adopt(user, await openSealed(ours.privateKey, unbase64url(box), RECOVERY, user.id), answer);
}
