/**
 * What the loader asks of the embedded wallet (docs/protocol.md, `pairing` with its connector): accounts, requests, and its end.
 *
 * Requests go one after the other: the frame asks its visitor about one thing at a time.
 */
import { AUTH, configured, onAbort } from "./config";
import { abortRequests, ask, onTold } from "./frame";
import { loginLost } from "./lost_login";
import { aborted, asSecureError, internalError, isRecord, SecureError, text, UNSUPPORTED, type EmbeddedSessions, type Payload } from "./types";
import type { Namespace } from "../../loader/src/protocol";

/** The server knows by this text why there are no accounts. */
export const RECOVERY_NEEDED = "recovery_needed";
/** How long a frame may take to take a request back, ms: what it has sent meanwhile must not be said to be refused. */
const TAKING_BACK = 10_000;
/** How long the loader may take to say what it holds, ms. */
const TELLING = 20_000;
const MAX_EMAIL = 320;
const NAME = "Email wallet";
/** Methods that nobody is asked about, so that no other request is waited for. */
const READS = /^wallet(?:_get(?:Capabilities|CallsStatus)|modal_accountType)$/;

let turn: Promise<unknown> = Promise.resolve();
let waiting = 0;
let aborts = 0;
let giveUp = new Set<() => void>();

onAbort(() => {
  if (!waiting) return;
  aborts++;
  abortRequests();
  const late = giveUp;
  giveUp = new Set();
  setTimeout(() => late.forEach((run) => run()), TAKING_BACK);
});

onTold("SESSION_UPDATE", ({ isConnected }) => {
  if (isConnected === false) tell({});
  // Who is logged in has another address.
  else if (isConnected === true) sessions().then(tell, () => undefined);
});

const tell = (held: EmbeddedSessions, now?: true): void => window.__walletmodal.post("sessions", { connector: AUTH, sessions: held, now });

/**
 * The accounts of every namespace that is served; the first question makes a wallet for who has none.
 *
 * Our own site names them all at once; another that speaks its protocol names that of the network it is asked about. `said`: what it has said of
 * the user by itself.
 */
async function sessions(said?: unknown): Promise<EmbeddedSessions> {
  const found: EmbeddedSessions = {};
  let user = isRecord(said) ? said : {};
  const named = (namespace: string): string => text(isRecord(user.addresses) ? user.addresses[namespace] : "");
  const { chains, accountType } = await configured();
  for (const [namespace, chain] of Object.entries(chains)) {
    if (!named(namespace)) {
      const answer = await ask("GET_USER", { chainId: chain });
      user = isRecord(answer) ? answer : {};
    }
    const { email, provider, userName } = user;
    const address = named(namespace) || text(user.address);
    if (!address) throw internalError();
    const byType = namespace === "eip155" && isRecord(user.addressesByType) ? user.addressesByType : {};
    const inUse = text(byType[text(user.preferredAccountType) || accountType]) || address;
    found[namespace as Namespace] = {
      connector: AUTH,
      // Of a Safe and its owner the preferred one stands first.
      accounts: [...new Set([inUse, ...Object.values(byType).map((one) => text(one))])],
      chain: chain.slice(chain.indexOf(":") + 1),
      approved: null,
      peer: { name: NAME, icon: "" },
      user: { email: text(email, MAX_EMAIL), name: text(userName), provider: text(provider) },
    };
  }
  return found;
}

/** Tells the loader, which has not asked, whose wallet it is by now. `said`: as the answer to the login says it. Fulfilled once the server has been told too. */
export async function tellLogin(said?: unknown): Promise<void> {
  const held = await sessions(said);
  const { port } = window.__walletmodal;
  await new Promise<void>((done, failed) => {
    const end = (): void => {
      clearTimeout(late);
      port!.removeEventListener("message", hear);
    };
    const late = setTimeout(() => (end(), failed(internalError())), TELLING);
    const hear = ({ data }: MessageEvent): void => {
      if (!isRecord(data) || data.type !== "snapshot") return;
      end();
      done();
    };
    // After the bridge, which has heard the port before.
    port!.addEventListener("message", hear);
    // In one message: between two the host's page may be drawn.
    tell(held, true);
  });
}

async function restored(): Promise<EmbeddedSessions> {
  if (!(await configured()).url) return {};
  const answer = await ask("IS_CONNECTED");
  if (!isRecord(answer) || answer.isConnected !== true) {
    // It is asked by a page that remembers a login.
    if (isRecord(answer) && answer.forgets === true) loginLost();
    return {};
  }
  return sessions().catch((error: unknown) => {
    // Who has a wallet, and no key to it here, is not connected; anything else says nothing about that.
    if (error instanceof SecureError && error.reason === RECOVERY_NEEDED) return {};
    throw error;
  });
}

async function request({ method, params, chain, hint }: Payload): Promise<unknown> {
  const { name } = await configured();
  const site = { origin: window.__walletmodal.origin, name };
  if (READS.test(String(method))) {
    const answer = await ask("RPC_REQUEST", { method, params, chainId: chain, site });
    const chosen = Array.isArray(params) && isRecord(params[0]) && params[0].type;
    // The account of the kind that was chosen is another one.
    if (chosen && isRecord(answer) && answer.address) await sessions().then(tell, () => undefined);
    return answer;
  }
  const since = aborts;
  let abandon = (): void => undefined;
  const abandoned = new Promise<never>((_, reject) => {
    abandon = () => reject(aborted());
  });
  waiting++;
  const mine = turn.then(() => {
    if (since !== aborts) throw aborted();
    giveUp.add(abandon);
    const asked = { method, params, chainId: chain, site, ...(isRecord(hint) ? { hint } : {}) };
    return Promise.race([ask("RPC_REQUEST", asked), abandoned]);
  });
  turn = mine.catch(() => undefined);
  try {
    return (await mine) ?? null;
  } finally {
    waiting--;
    giveUp.delete(abandon);
  }
}

async function carryOut(method: unknown, params: Payload): Promise<unknown> {
  if (method === "sessions") return { sessions: await restored() };
  if (method === "connect") return { sessions: await sessions() };
  if (method === "request") return request(params);
  if (method !== "disconnect") throw new SecureError(UNSUPPORTED, "The embedded wallet does not know this");
  await ask("SIGN_OUT");
  return null;
}

/** The loader's question: carried out, and answered with `paired` under the same envelope id. */
export function secureAsked(id: string, payload: Payload): void {
  const answer = (result: Payload): void => window.__walletmodal.post("paired", result, id);
  carryOut(payload.method, isRecord(payload.params) ? payload.params : {}).then(
    (value) => answer({ ok: true, value, error: null }),
    (error: unknown) => {
      const { code, message, reason } = asSecureError(error);
      answer({ ok: false, value: null, error: { code, message: reason === RECOVERY_NEEDED ? reason : message } });
    },
  );
}


