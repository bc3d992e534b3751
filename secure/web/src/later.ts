/** The third script: what only some visitors ever ask for. */
import { FrameError, UNSUPPORTED } from "./errors";
import { text, type DataObject } from "./clean";
import type { Parts } from "./frame";
import { listDevices, releaseDevice, revokeDevice } from "./later/devices";
import { begin, confirmNew, confirmPresent } from "./later/email_update";
import { addPasskey, connectByPasskey, listPasskeys, offersPasskey, removePasskey } from "./later/passkeys";
import { recover, recoveryWays } from "./later/recovery";
import { beginFarcaster, beginSocial, connectSocial, readAttempt, returnedSocial } from "./later/social";
import { endHold } from "./later/hold";
import { approved } from "./later/waiting";
import { beWindow as bePasskeyWindow } from "./later/passkey_card";
import { need, needCode } from "./protocol";
import { loadAccount, loadHandover, loadRecoverySettings, loadSmartAccount, type ExportCore } from "./scripts";
export { loadPasskeyOwner } from "./scripts";

export { endHold };
export { passkeyCard } from "./later/passkey_card";
export { isLarge } from "./later/sums";

/** The host page's origin, as the modal says. */
const saidSite = (payload: DataObject): string => text(payload["site"], 300) ?? "";

type Handler = (payload: DataObject, parts: Parts) => Promise<object | void>;

const HANDLERS = new Map<string, Handler>([
  ["RECOVERY", (payload, parts) => recover(need(payload, "way", 20), saidSite(payload), parts)],
  ["RECOVERY_WAYS", (_, parts) => recoveryWays(parts)],
  ["PASSWORD_SET", async (_, parts) => (await loadRecoverySettings()).setPassword(parts)],
  ["PASSWORD_REMOVE", async (_, parts) => (await loadRecoverySettings()).removePassword(parts)],
  ["ESCROW_OFF", async (_, parts) => (await loadRecoverySettings()).escrowOff(parts)],
  ["EXPORT", async (_, parts) => (await loadRecoverySettings()).exportWallet(parts)],
  ["ESCROW_ON", async (_, parts) => (await loadRecoverySettings()).escrowOn(parts)],
  ["ACCOUNT_DATA", async (_, parts) => (await loadAccount()).showData(parts)],
  ["ACCOUNT_DELETE", async (_, parts) => (await loadAccount()).deleteAccount(parts)],
  ["DEVICE_LIST", (_, parts) => listDevices(parts)],
  ["DEVICE_REVOKE", (payload, parts) => revokeDevice(need(payload, "id", 64), parts)],
  ["DEVICE_REMEMBER", async (payload, parts) => (await loadHandover()).rememberWallet(saidSite(payload), parts, endHold)],
  ["DEVICE_RELEASE", (payload, parts) => releaseDevice(need(payload, "id", 64), parts)],
  ["PASSKEY_ADD", (_, parts) => addPasskey(parts)],
  ["PASSKEY_OFFER", (_, parts) => offersPasskey(parts)],
  ["PASSKEY_LIST", (_, parts) => listPasskeys(parts)],
  ["PASSKEY_REMOVE", (payload, parts) => removePasskey(need(payload, "id", 64), parts)],
  ["RESEND_CODE", async (_, { login }) => login.attempt("login", "/v1/login/resend", { attempt: await login.attemptOf("login") })],
  ["CONNECT_DEVICE", (_, parts) => approved(parts)],
  ["CONNECT_PASSKEY", (_, parts) => connectByPasskey(parts)],
  ["GET_SOCIAL_REDIRECT_URI", (payload, parts) => beginSocial(need(payload, "provider", 20), readAttempt(payload), text(payload["back"], 2048) ?? "", parts)],
  ["GET_SOCIAL_RETURN", (_, parts) => returnedSocial(parts)],
  ["CONNECT_SOCIAL", (payload, parts) => connectSocial("oauth", readAttempt(payload), parts)],
  ["CANCEL_SOCIAL", async (_, { login }) => login.cancel()],
  ["GET_FARCASTER_URI", (_, parts) => beginFarcaster(parts)],
  ["CONNECT_FARCASTER", (payload, parts) => connectSocial("farcaster", readAttempt(payload), parts)],
  ["SET_PREFERRED_ACCOUNT", async (payload, parts) => (await loadSmartAccount()).setPreferredAccount(need(payload, "type", 20), parts)],
  ["GET_SMART_ACCOUNT_ENABLED_NETWORKS", async (_, parts) => (await loadSmartAccount()).enabledNetworks(parts)],
  ["UPDATE_EMAIL", (payload, parts) => begin(need(payload, "email"), parts)],
  ["UPDATE_EMAIL_PRIMARY_OTP", (payload, parts) => confirmPresent(needCode(payload, "otp"), parts)],
  ["UPDATE_EMAIL_SECONDARY_OTP", (payload, parts) => confirmNew(needCode(payload, "otp"), parts)],
]);

/** Is the window that the page's hash names. */
export function beWindow(opener: Window, core: ExportCore): void {
  if (location.hash === "#export") void loadRecoverySettings().then((script) => script.beExportWindow(opener, core));
  else if (location.hash === "#data") void loadAccount().then((script) => script.beDataWindow(opener));
  else if (location.hash === "#handover") void loadHandover().then((script) => script.beHandoverWindow(opener));
  else if (location.hash === "#remember") void loadHandover().then((script) => script.beRememberWindow(opener));
  else bePasskeyWindow(opener);
}

/** Answers what the first script does not. */
export async function serve(type: string, payload: DataObject, parts: Parts): Promise<object | void> {
  const handler = HANDLERS.get(type);
  if (!handler) throw new FrameError(`${type} is not supported`, UNSUPPORTED);
  return handler(payload, parts);
}
