/** Devices of a wallet: each has a set of halves of its own, which ends when it is removed. */
import { isObject, text, type Data, type DataObject } from "../clean";
import { FrameError } from "../errors";
import type { Parts } from "../frame";
import { malformed } from "../user";
import { approve } from "./approval";

type List = { devices: Data[] };

/** Lists the devices of who is signed in. */
export async function listDevices({ api }: Parts): Promise<List> {
  return listOf(await api.call("/v1/devices"));
}

/** Removes a device once the visitor has approved it here, for the modal may lie about which; raises 4001 otherwise. Without this one the session ends. */
export async function revokeDevice(id: string, parts: Parts): Promise<List> {
  const { api, screen } = parts;
  const device = (await listDevices(parts)).devices.filter(isObject).find((one) => one["id"] === id);
  if (!device) throw new FrameError("This device is not on the list any more", undefined, "device_unknown");
  const own = device["current"] === true;
  const rows = [
    { label: "Device", value: (text(device["name"], 200) || "Unknown") + (own ? " (this device)" : "") },
    { label: "Site", value: text(device["site"], 300) || "Unknown" },
  ];
  const warnings = [own ? "You will be logged out here. To use your wallet here again you need to recover it." : "It will be logged out, and can use your wallet no longer."];
  const rest = await screen.run(async (turn) => {
    await approve({ title: "Remove this device?", sections: [{ rows }], warnings }, "Removing…", turn);
    return listOf(await api.call("/v1/devices/revoke", { id }));
  });
  if (own) api.onSessionEnd();
  return rest;
}

function listOf({ devices }: DataObject): List {
  if (!Array.isArray(devices)) throw malformed();
  return { devices };
}
