/**
 * The wallet for another site of the same browser. Browsers keep the storage of this frame apart for each site around it; a window of this site
 * has one storage for all of them: it keeps a set of its own where the visitor wants that, and gives the frame of another site the wallet.
 */
import { base64url, hex, random, unbase64url, wipe, xor, type Bytes } from "../bytes";
import { isObject, text, type Data, type DataObject } from "../clean";
import { oneTimeKey, openSealed, rawPoint, sealTo } from "../ecies";
import { FrameError, recoveryNeeded, rejected } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import type { LaterScript } from "../scripts";
import type { Turn } from "../screen";
import { malformed, type User } from "../user";
import { listDevices } from "../later/devices";
import { openWindow } from "../later/window_card";
import { siteAround } from "./site";

const HANDOVER = "#handover";
const REMEMBER = "#remember";
/** What the boxes are sealed for. */
export const TO_FRAME = "walletmodal handover 1";
export const TO_WINDOW = "walletmodal window 1";
const SIZE = 16;
const OPEN = {
  title: t`Open your wallet here`,
  lines: [t`This browser keeps your wallet for all your sites. A window of its own opens it on this one.`],
};
const KEEP = {
  title: t`Use your wallet on other sites`,
  lines: [t`This browser then keeps your wallet for other sites, too: there a window opens it, without a code.`, t`Do this on your own device alone.`],
};

/** Whose wallet the window is asked about, and on which site. */
export interface Asked {
  user: User;
  site: string;
}

/** A site asks for the wallet: `handover` is the server's name for the question, `key` the frame's, for this one time. */
export interface Wanted extends Asked {
  handover: string;
  key: string;
}

/**
 * The window is to keep a set: its half in `box`, sealed to the window's key. `known`: the server has the other half of the set that the window
 * has already, which therefore stays.
 */
export interface Kept extends Asked {
  box: string;
  known: boolean;
}

/** What the window of either kind says when it is ready. */
export interface Ready {
  key: string;
  device: string;
}

/** What the box of a hand-over is bound to. */
export const contextOf = (user: User, handover: string): string => `${user.id}:${handover}`;

/** Opens the wallet here with what the window of this browser keeps; `said`: the site, as the modal says. Raises 4001 when the visitor cancels. */
export async function openByWindow(user: User, turn: Turn, said: string, parts: Parts): Promise<User> {
  const { api, custody } = parts;
  const [site, own] = await Promise.all([siteAround(said, parts), oneTimeKey()]);
  let handover = "";
  const question = async (): Promise<Wanted> => {
    handover = text((await api.call("/v1/handover/start"))["handover"], 64) ?? "";
    return { user, site, handover, key: base64url(await rawPoint(own.publicKey)) };
  };
  const { box, grant } = answerOf(await openWindow(OPEN, HANDOVER, turn, question));
  turn.commit();
  const set = await openSealed(own.privateKey, unbase64url(text(box, 400) ?? ""), TO_FRAME, contextOf(user, handover));
  const serverHalf = base64url(set.slice(SIZE));
  return custody.adopt(user, set.subarray(0, SIZE) as Bytes, { grant, serverHalf }).finally(() => wipe(set));
}

/**
 * Has the window of this browser keep a set of the wallet; returns the devices. `said`: as for `openByWindow`; `endHold`: of the script that has
 * asked, so that this one need not hold it too. Raises 4001 when the visitor cancels.
 */
export async function rememberWallet(said: string, parts: Parts, endHold: LaterScript["endHold"]): Promise<{ devices: Data[] }> {
  const { api, custody, login, screen } = parts;
  const user = await login.user();
  if (!(await custody.holds(user))) throw recoveryNeeded();
  const site = await siteAround(said, parts);
  await screen.run(async (turn) => {
    if (user.heldUntil) await endHold(turn, parts);
    let set: { device: string; deviceHalf?: string } | null = null;
    const question = async (ready: unknown): Promise<Kept> => {
      const { key, device } = ready as Ready;
      const half = random(SIZE);
      try {
        set = { device, deviceHalf: await custody.withKeys(user, (_keys, root) => base64url(xor(root, half))) };
        const box = base64url(await sealTo(unbase64url(key, 65), half, TO_WINDOW, user.id));
        return { user, site, box, known: await isListed(device, parts) };
      } finally {
        wipe(half);
      }
    };
    const { had } = answerOf(await openWindow(KEEP, REMEMBER, turn, question));
    turn.commit();
    // Afterwards: what the server has of a set whose other half was not kept would be on the list, and open nothing.
    await api.call("/v1/handover/window", had ? { device: set!.device } : set!);
  });
  return listDevices(parts);
}

/** Whether the server has a half of the wallet for a device. */
async function isListed(device: string, parts: Parts): Promise<boolean> {
  const id = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", unbase64url(device, 65))));
  return (await listDevices(parts)).devices.some((one) => isObject(one) && one["id"] === id);
}

/** What the window says: null of who cancels, `failed` with a sentence that the visitor has read there, in the language of its cards. */
function answerOf(given: unknown): DataObject {
  if (given === null) throw rejected();
  if (!isObject(given as Data)) throw malformed();
  const answer = given as DataObject;
  if (text(answer["failed"], 400)) throw new FrameError("The wallet could not be opened. Please try again, or open it in another way.", undefined, "window");
  return answer;
}
