/**
 * The client of a secure site that knows AppKit's messages alone (`SECURE_SITE_PROTOCOL=appkit`): it does the work of our port over the
 * window of that site's page.
 *
 * The page is spoken to at its exact origin, and heard from its own window there alone. What such a site has not (passkeys, devices,
 * recovery, export) is refused here.
 */
import { chainName, readAction, readOtp, readRecord, readRefusal, readResult, readUri, readUser, readUserName, requestParams, type AppKitUser } from "./appkit_shapes";
import { newAttempt, openedWindow } from "./social_window";
import { aborted, APP, asSecureError, FRAME, GONE, INTERNAL, internalError, isRecord, NOT_LOADED, readError, READY_MS, SecureError, text, UNSUPPORTED, type Payload, type Port, type SecureConfig } from "./types";

type Say = (message: Payload) => void;
type Waiting = { type: string; resolve(value: unknown): void; reject(error: SecureError): void };
type Landing = { attempt: string; provider: string; told: Promise<string>; landed: Promise<string>; land(uri: string): void; fail(error: SecureError): void };

const SDK_VERSION = "4";
/** What the site may take for its part of a login once the window is back, and to switch its network, ms. */
const ANSWER_MS = 30_000;
/** Such a page is made for this height, px, where the window has it. */
const HEIGHT = 600;
const LEAST_HEIGHT = 320;
const AROUND = 160;
const MAX_RESULT = 4_096;
/** By whom somebody is logged in: the site tells it once. */
const LOGIN = "walletmodal-appkit-login";
const LOGIN_STEPS = ["VERIFY_DEVICE", "VERIFY_OTP", "CONNECT"];
const UPDATE_STEPS = ["VERIFY_PRIMARY_OTP", "VERIFY_SECONDARY_OTP"];
const BACKGROUNDS = { light: "#fff", dark: "#121313" };
const ACCENTS = { light: "hsla(231, 100%, 70%, 1)", dark: "hsla(230, 100%, 67%, 1)" };

const over = (): SecureError => new SecureError(INTERNAL, "This login is over. Please begin again.", "attempt");

function keepLogin(login: { provider: string; userName: string } | null): void {
  try {
    if (login) localStorage.setItem(LOGIN, JSON.stringify(login));
    else localStorage.removeItem(LOGIN);
  } catch {
    // Without storage the account is named by its address after a reload.
  }
}

function keptLogin(): { provider: string; userName: string } {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(LOGIN) ?? "{}");
    return isRecord(kept) ? { provider: text(kept.provider, 20), userName: text(kept.userName, 100) } : { provider: "", userName: "" };
  } catch {
    return { provider: "", userName: "" };
  }
}

function themeOf(payload: Payload): Payload {
  const mode = payload.themeMode === "light" ? "light" : "dark";
  const accent = getComputedStyle(document.documentElement).getPropertyValue("--w3m-accent").trim();
  return { themeMode: mode, w3mThemeVariables: { "--w3m-accent": accent || ACCENTS[mode], "--w3m-background": BACKGROUNDS[mode] } };
}

/** Loads the site's page into `element` and speaks to it; `say` hears what a page of ours would say over its port. */
export function openAppKit(element: HTMLIFrameElement, config: SecureConfig, say: Say): Port {
  const page = new URL(config.url);
  const { origin } = page;
  const [chainId = "eip155:1"] = Object.values(config.chains);
  for (const [name, value] of Object.entries({ projectId: config.project, chainId, version: SDK_VERSION, enableLogger: "false" })) page.searchParams.set(name, value);

  const waiting = new Map<string, Waiting>();
  let counter = 0;
  let arrived = (): void => undefined;
  /** The page is there: always at first, since nobody asks before it has said so. */
  let there = Promise.resolve();
  /** The network that the page was told of last, "" where that is not known. */
  let network = "";
  let aborts = 0;
  /** A request stands on the page's card. */
  let asking = false;
  let landing: Landing | null = null;
  let farcaster = "";

  function failAll(error: SecureError): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function post(type: string, payload?: Payload): string {
    const id = `a${++counter}`;
    element.contentWindow?.postMessage({ id, type: APP + type, ...(payload && { payload }) }, origin);
    return id;
  }

  async function call(type: string, payload?: Payload, limit = 0): Promise<unknown> {
    await there;
    return new Promise((resolve, reject) => {
      const id = post(type, payload);
      const late = limit
        ? setTimeout(() => {
            waiting.delete(id);
            reject(internalError());
          }, limit)
        : undefined;
      const settled = <T>(run: (value: T) => void) => (value: T): void => {
        clearTimeout(late);
        run(value);
      };
      waiting.set(id, { type, resolve: settled(resolve), reject: settled(reject) });
    });
  }

  /** Loads the page anew; until it has come everybody waits, and no longer than for the first one. */
  function reload(): void {
    there = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new SecureError(GONE, NOT_LOADED)), READY_MS);
      arrived = () => {
        clearTimeout(late);
        resolve();
      };
    });
    there.catch(() => undefined);
    network = "";
    failAll(aborted());
    element.src = page.href;
  }

  function heard({ source, origin: from, data }: MessageEvent): void {
    if (from !== origin || !isRecord(data)) return;
    if (source === element.contentWindow) take(data);
    // The provider's window, back at the site.
    else if (source && source === openedWindow() && typeof data.resultUri === "string" && data.resultUri.length <= MAX_RESULT) landing?.land(data.resultUri);
  }

  function take({ id, type, payload }: Payload): void {
    if (type === `${FRAME}READY`) {
      // A page that was loaded anew knows nothing of what was asked before.
      failAll(internalError());
      network = "";
      arrived();
      there = Promise.resolve();
      say({ type });
      return;
    }
    const found = waiting.get(text(id));
    if (!found) return;
    if (type === `${FRAME}${found.type}_SUCCESS`) found.resolve(payload);
    else if (type === `${FRAME}${found.type}_ERROR`) found.reject(readError(payload));
    else return;
    waiting.delete(text(id));
  }

  /** The account with a key of its own, where the site would show a smart one. */
  async function userOn(chain: string): Promise<AppKitUser> {
    const asked = (): Promise<unknown> => call("GET_USER", { chainId: chainName(chain), preferredAccountType: "eoa" });
    network = "";
    let user = readUser(await asked(), chain);
    if (user.isSmart) {
      await call("SET_PREFERRED_ACCOUNT", { type: "eoa" });
      user = readUser(await asked(), chain);
    }
    if (user.isSmart) throw new SecureError(UNSUPPORTED, "This wallet has a smart account alone, which cannot be used here");
    return user;
  }

  async function request({ method, params, chainId: given }: Payload): Promise<unknown> {
    const since = aborts;
    const name = text(method);
    const chain = text(given);
    // Accounts here are ordinary ones.
    if (name === "wallet_getCapabilities") return {};
    if (name === "walletmodal_accountType") return { type: "eoa", status: "unsupported", foreign: "" };
    const asked = requestParams(name, params);
    // One that was given up still stands on the page's card, where it could be approved in the place of this one.
    if (asking) reload();
    if (chain !== network) {
      const { chainId: told } = readRecord(await call("SWITCH_NETWORK", { chainId: chainName(chain) }, ANSWER_MS));
      if (String(told) !== String(chainName(chain))) throw new SecureError(INTERNAL, "The wallet service could not switch the network");
      network = chain;
    }
    if (since !== aborts) throw aborted();
    asking = true;
    say({ type: `${FRAME}SHOW`, payload: { height: Math.max(LEAST_HEIGHT, Math.min(HEIGHT, innerHeight - AROUND)) } });
    try {
      return readResult(name, await call("RPC_REQUEST", { method: name, params: asked }));
    } catch (error) {
      throw readRefusal(asSecureError(error));
    } finally {
      asking = false;
      say({ type: `${FRAME}HIDE` });
    }
  }

  function beginLanding(attempt: string, provider: string): Landing {
    landing?.fail(aborted());
    let land = (_uri: string): void => undefined;
    let fail = (_error: SecureError): void => undefined;
    const landed = new Promise<string>((resolve, reject) => {
      land = resolve;
      fail = reject;
    });
    const told = call("GET_SOCIAL_REDIRECT_URI", { provider }).then((answer) => readUri(readRecord(answer).uri, page.protocol === "https:"));
    for (const one of [landed, told]) one.catch(() => undefined);
    return { attempt, provider, told, landed, land, fail };
  }

  async function finishLanding(attempt: string): Promise<Payload> {
    const own = landing;
    if (!own || own.attempt !== attempt) throw over();
    await Promise.race([own.told, own.landed]);
    const told = await call("CONNECT_SOCIAL", { uri: await own.landed }, ANSWER_MS);
    keepLogin({ provider: own.provider, userName: readUserName(told) });
    if (landing === own) landing = null;
    return {};
  }

  /** Nobody waits for a login any more. A page that waits for Farcaster's app is loaded anew: it knows no other way to stop. */
  function cancelLogin(): Payload {
    landing?.fail(aborted());
    landing = null;
    if (farcaster) {
      farcaster = "";
      reload();
    }
    return {};
  }

  const handlers = new Map<string, (payload: Payload) => unknown>([
    ["CONNECT_EMAIL", async ({ email }) => readAction(await call("CONNECT_EMAIL", { email }), LOGIN_STEPS)],
    ["RESEND_CODE", async ({ email }) => readAction(await call("CONNECT_EMAIL", { email }), LOGIN_STEPS)],
    ["CONNECT_DEVICE", async () => void (await call("CONNECT_DEVICE"))],
    [
      "CONNECT_OTP",
      async (payload) => {
        await call("CONNECT_OTP", readOtp(payload));
        keepLogin(null);
      },
    ],
    ["IS_CONNECTED", async () => ({ isConnected: readRecord(await call("IS_CONNECTED")).isConnected === true })],
    ["GET_USER", async ({ chainId: chain }) => ({ ...(await userOn(text(chain))), ...keptLogin(), chainId: chain })],
    [
      "SIGN_OUT",
      async () => {
        keepLogin(null);
        await call("SIGN_OUT");
      },
    ],
    ["RPC_REQUEST", request],
    [
      "RPC_ABORT",
      () => {
        aborts++;
        // Sites of kit 1.7 do not know it: a card that stays is gone before the next request.
        if (asking) post("RPC_ABORT");
      },
    ],
    [
      "GET_SOCIAL_REDIRECT_URI",
      async ({ provider, attempt }) => {
        landing = beginLanding(text(attempt), text(provider));
        return { uri: await landing.told };
      },
    ],
    ["CONNECT_SOCIAL", ({ attempt }) => finishLanding(text(attempt))],
    ["CANCEL_SOCIAL", cancelLogin],
    [
      "GET_FARCASTER_URI",
      async () => {
        const url = readUri(readRecord(await call("GET_FARCASTER_URI")).url, page.protocol === "https:");
        farcaster = newAttempt();
        return { attempt: farcaster, url };
      },
    ],
    [
      "CONNECT_FARCASTER",
      async ({ attempt }) => {
        if (!farcaster || attempt !== farcaster) throw over();
        const told = await call("CONNECT_FARCASTER");
        farcaster = "";
        keepLogin({ provider: "farcaster", userName: readUserName(told) });
      },
    ],
    ["UPDATE_EMAIL", async ({ email }) => readAction(await call("UPDATE_EMAIL", { email }), UPDATE_STEPS)],
    ["UPDATE_EMAIL_PRIMARY_OTP", async (payload) => void (await call("UPDATE_EMAIL_PRIMARY_OTP", readOtp(payload)))],
    [
      "UPDATE_EMAIL_SECONDARY_OTP",
      async (payload) => {
        await call("UPDATE_EMAIL_SECONDARY_OTP", readOtp(payload));
        // Whose page tells nobody that the address is another one.
        say({ type: `${FRAME}SESSION_UPDATE`, payload: { isConnected: true } });
      },
    ],
    ["SYNC_THEME", (payload) => void post("SYNC_THEME", themeOf(payload))],
    ["SYNC_DAPP_DATA", ({ metadata }) => void post("SYNC_DAPP_DATA", { metadata, sdkType: "appkit", projectId: config.project })],
  ]);

  async function serve(type: string, payload: Payload): Promise<unknown> {
    const handler = handlers.get(type);
    if (!handler) throw new SecureError(UNSUPPORTED, "The wallet service of this site cannot do this");
    return handler(payload);
  }

  addEventListener("message", heard);
  element.src = page.href;
  return {
    postMessage(message: unknown): void {
      const { id, type, payload } = isRecord(message) ? message : {};
      const name = text(type).slice(APP.length);
      const tell = (outcome: string, answer: unknown): void => say({ id, type: `${FRAME}${name}_${outcome}`, payload: answer });
      serve(name, isRecord(payload) ? payload : {}).then(
        (answer) => tell("SUCCESS", answer),
        (error: unknown) => {
          const { code, message: words, reason } = asSecureError(error);
          tell("ERROR", { code, message: words, reason });
        },
      );
    },
    close(): void {
      removeEventListener("message", heard);
      failAll(aborted());
    },
  };
}
