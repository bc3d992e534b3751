import { hex, unbase64url } from "../src/bytes";
import { refusal, Server, type Handler } from "./server";

/** A line of the list of devices. */
const listed = async (device: string) => ({ id: hex(new Uint8Array(await crypto.subtle.digest("SHA-256", unbase64url(device, 65)))) });

/** The server as far as hand-overs need it. */
export function makeSite() {
  const sessions = new Map<string, string>();
  const wallets = new Map<string, { evm: string; solana: string; halves: Map<string, string> }>();
  const windows = new Set<string>();
  /** Whose transfers wait. */
  const waits = new Set<string>();
  const asked = new Map<string, { email: string; device: string }>();
  const grants = new Map<string, string>();
  const deviceOf = (headers: Headers) => headers.get("x-device") ?? "";
  const emailOf = (headers: Headers) => sessions.get(headers.get("authorization")?.slice(7) ?? "") ?? "";
  const user = (email: string, device: string) => {
    const wallet = wallets.get(email);
    return {
      ...{ id: `id-${email}`, email, escrow: false, frozenUntil: null, device: wallet?.halves.has(device) ?? false },
      wallet: wallet ? { evm: wallet.evm, solana: wallet.solana } : null,
    };
  };
  const handlers: Record<string, Handler> = {
    "/v1/login/email": ({ email = "" }) => ({ attempt: email, action: "VERIFY_OTP" }),
    "/v1/login/otp": ({ attempt = "" }, headers) => {
      const session = `s${sessions.size}`;
      sessions.set(session, attempt);
      return { session, user: user(attempt, deviceOf(headers)) };
    },
    "/v1/me": (_, headers) => ({ user: user(emailOf(headers), deviceOf(headers)) }),
    "/v1/wallet": ({ evm = "", solana = "", deviceHalf = "" }, headers) => {
      wallets.set(emailOf(headers), { evm, solana, halves: new Map([[deviceOf(headers), deviceHalf]]) });
      return { user: user(emailOf(headers), deviceOf(headers)) };
    },
    "/v1/wallet/hold": (_, headers) => ({ heldUntil: waits.has(emailOf(headers)) ? 1_900_000_000_000 : null, passkey: false }),
    "/v1/wallet/half": (_, headers) => ({ half: wallets.get(emailOf(headers))?.halves.get(deviceOf(headers)) }),
    "/v1/wallet/device": ({ deviceHalf = "", grant = "" }, headers) => {
      if (grants.get(grant) !== deviceOf(headers)) return refusal(403, "grant");
      wallets.get(emailOf(headers))?.halves.set(deviceOf(headers), deviceHalf);
      return { user: user(emailOf(headers), deviceOf(headers)) };
    },
    "/v1/devices": async (_, headers) => ({ devices: await Promise.all([...(wallets.get(emailOf(headers))?.halves.keys() ?? [])].map(listed)) }),
    "/v1/handover/window": ({ device = "", deviceHalf }, headers) => {
      if (!deviceHalf && !wallets.get(emailOf(headers))?.halves.has(device)) return refusal(400, "params");
      windows.add(device);
      if (deviceHalf) wallets.get(emailOf(headers))?.halves.set(device, deviceHalf);
      return {};
    },
    "/v1/handover/start": (_, headers) => {
      asked.set("question", { email: emailOf(headers), device: deviceOf(headers) });
      return { handover: "question" };
    },
    "/v1/handover/finish": ({ handover = "" }, headers) => {
      const { email, device } = asked.get(handover) ?? { email: "", device: "" };
      const half = wallets.get(email)?.halves.get(deviceOf(headers));
      if (!half) return refusal(404, "device_unknown");
      if (!windows.has(deviceOf(headers))) return refusal(409, "not_kept");
      grants.set("grant", device);
      return { half, grant: "grant" };
    },
  };
  return { server: new Server(handlers), wallets, windows, waits };
}
