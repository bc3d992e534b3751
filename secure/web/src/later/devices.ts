/** Devices of a wallet: each has a set of halves of its own, which ends when it is removed. */
import { isObject, text, type Data, type DataObject } from "../clean";
import type { Row } from "../cards/card";
import { FrameError } from "../errors";
import type { Parts } from "../frame";
import { t } from "../language";
import { malformed } from "../user";
import { approve } from "./approval";
import { endHold } from "./hold";

type List = { devices: Data[] };

/** Lists the devices of who is signed in. */
export async function listDevices({ api }: Parts): Promise<List> {
  return listOf(await api.call("/v1/devices"));
}

/** Removes a device once the visitor has approved it here, for the modal may lie about which; raises 4001 otherwise. Without this one the session ends. */
export async function revokeDevice(id: string, parts: Parts): Promise<List> {
  const { api, login, screen } = parts;
  const [{ device, rows }, user] = await Promise.all([find(id, parts), login.user()]);
  const own = device["current"] === true;
  const warnings = [own ? t`You will be logged out here. To use your wallet here again you need to recover it.` : t`It will be logged out, and can use your wallet no longer.`];
  const rest = await screen.run(async (turn) => {
    if (user.heldUntil && !own) await endHold(turn, parts);
    await approve({ title: t`Remove this device?`, sections: [{ rows }], warnings }, t`Removing…`, turn);
    return listOf(await api.call("/v1/devices/revoke", { id }));
  });
  if (own) api.onSessionEnd();
  return rest;
}

/** Lets a device move funds that got the wallet by a code, once the visitor has approved it here; raises 4001 otherwise. */
export async function releaseDevice(id: string, parts: Parts): Promise<List> {
  const { api, login, screen } = parts;
  const [{ device, rows }, own] = await Promise.all([find(id, parts), login.user()]);
  return screen.run(async (turn) => {
    // Who waits here, too, is told so first.
    if (own.heldUntil) await endHold(turn, parts);
    const added = { label: t`Added`, value: new Date(Number(device["createdAt"])).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) };
    const warnings = [t`A code from a mail brought your wallet to it. If you have not done that yourself just now, reject, and remove the device.`];
    await approve({ title: t`Let this device move funds?`, sections: [{ rows: [...rows, added] }], warnings }, t`One moment…`, turn);
    return listOf(await api.call("/v1/devices/release", { id }));
  });
}

async function find(id: string, parts: Parts): Promise<{ device: DataObject; rows: Row[] }> {
  const device = (await listDevices(parts)).devices.filter(isObject).find((one) => one["id"] === id);
  if (!device) throw new FrameError("This device is not on the list any more", undefined, "device_unknown");
  const name = text(device["name"], 200) || t`Unknown`;
  return { device, rows: [{ label: t`Device`, value: device["current"] === true ? t`${name} (this device)` : name }, { label: t`Site`, value: text(device["site"], 300) || t`Unknown` }] };
}

function listOf({ devices }: DataObject): List {
  if (!Array.isArray(devices)) throw malformed();
  return { devices };
}
