/**
 * The fifth script: serves a host page that embeds this one by the reference's own client (`@reown/appkit-wallet`, kit 1.7), without our modal.
 *
 * That client posts to the window and listens to it, so its messages are put on a port: there is one table of messages for both. It checks
 * every answer against a schema and throws at what it does not know, and it shows this frame for requests alone.
 */
import { base58 } from "@scure/base";
import { base64, unbase64, base64url, random } from "./bytes";
import { isObject, text, type Data, type DataObject } from "./clean";
import type { Parts } from "./frame";
import { meta } from "./elements";
import { FrameError, UNSUPPORTED } from "./errors";
import { APP, caip2, FRAME, need, readChain, readMessage, readPayload, type ChainName } from "./protocol";
import { DELEGATE, delegation } from "./smart_account/delegator";

/** The window's part that is needed. */
export interface Place {
  parent: { postMessage(message: unknown, origin: string): void };
  addEventListener(type: "message", heard: (event: MessageEvent) => void): void;
}

const SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp";
const RECOVERY_NEEDED = "recovery_needed";
/** The client knows no view that brings the key here. */
const NO_KEY_HERE = "The key of your wallet is not on this device. Use the device and the site where you have opened it before.";
/** What is not a node's to answer. */
const OURS = /^(?:personal_sign|eth_signTypedData_v4|eth_sendTransaction|solana_\w+|wallet_(?:sendCalls|getCapabilities|getCallsStatus|grantPermissions|revokePermissions))$/;
/** What the client may ask for; what our modal has a view of its own for is not among it. */
const KNOWN = new Set([
  ...["SWITCH_NETWORK", "CONNECT_EMAIL", "CONNECT_DEVICE", "CONNECT_OTP", "CONNECT_SOCIAL", "GET_SOCIAL_REDIRECT_URI", "GET_USER", "SIGN_OUT"],
  ...["IS_CONNECTED", "GET_CHAIN_ID", "RPC_REQUEST", "UPDATE_EMAIL", "UPDATE_EMAIL_PRIMARY_OTP", "UPDATE_EMAIL_SECONDARY_OTP", "SYNC_THEME"],
  ...["SYNC_DAPP_DATA", "GET_SMART_ACCOUNT_ENABLED_NETWORKS", "SET_PREFERRED_ACCOUNT", "CONNECT_FARCASTER", "GET_FARCASTER_URI", "RELOAD", "RPC_ABORT"],
]);

interface Asked {
  origin: string;
  id: string;
  type: string;
}

/** Serves the page around this one, where its origin is one of `origins`; `take` gets the port. */
export function serveHost(place: Place, origins: ReadonlySet<string>, parts: Promise<Parts>, take: (port: MessagePort) => void): void {
  const { port1, port2 } = new MessageChannel();
  let counter = 0;
  /** The attempt that the client does not name: that of the login begun last. */
  let attempt = "";
  /** The networks that the client was told of last, by namespace. */
  const chains = { eip155: 1 as ChainName, solana: SOLANA as ChainName };
  const note = (given: unknown): void => {
    try {
      const chain = readChain({ chainId: given as Data });
      if (chain !== undefined) chains[caip2(chain).startsWith("solana:") ? "solana" : "eip155"] = chain;
    } catch {
      // A network that is none is refused where it is asked for.
    }
  };
  note(new URLSearchParams(location.search).get("chainId"));

  const questions = new Map<string, (message: { type: string; payload: DataObject }) => void>();
  /** Asks our own frame for something that the client has not asked. */
  const ask = (type: string, payload: object): Promise<DataObject> =>
    new Promise((resolve, reject) => {
      const id = `own-${++counter}`;
      questions.set(id, ({ type: told, payload: answer }) => (told.endsWith("_SUCCESS") ? resolve(answer) : reject(answer)));
      port2.postMessage({ id, type: APP + type, payload });
    });

  const answer = ({ origin, id, type }: Asked, outcome: "SUCCESS" | "ERROR", payload: object): void =>
    place.parent.postMessage({ id, type: `${FRAME}${type}_${outcome}`, payload }, origin);
  const fail = (to: Asked, error: unknown): void => {
    const { message: said, code, reason } = error as { message?: unknown; code?: unknown; reason?: unknown };
    const message = reason === RECOVERY_NEEDED ? NO_KEY_HERE : said;
    answer(to, "ERROR", { message: text(message, 500) || "Something went wrong", ...(typeof code === "number" && { code }) });
  };

  async function carryOut(type: string, payload: DataObject, origin: string): Promise<object> {
    if (!KNOWN.has(type)) throw new FrameError(`${type} is not supported`, UNSUPPORTED);
    if (type === "RELOAD") {
      // The answer leaves first.
      setTimeout(() => location.reload(), 0);
      return {};
    }
    if (type === "RPC_REQUEST") return request(payload, origin);
    if (type === "UPDATE_EMAIL") {
      // No card is shown for it: the visitor approves it on the page that the mail leads to, which has the code.
      const { login } = await parts;
      const { action } = await login.attempt("update", "/v1/email/update", { email: need(payload, "email"), linked: true });
      return { action };
    }
    note(payload["chainId"]);
    if (type === "GET_SOCIAL_REDIRECT_URI") attempt = base64url(random(24));
    if (type === "CONNECT_SOCIAL" || type === "CONNECT_FARCASTER" || type === "GET_SOCIAL_REDIRECT_URI") payload = { ...payload, attempt };
    const told = await ask(type, payload);
    note(told["chainId"]);
    if (type === "GET_FARCASTER_URI") attempt = text(told["attempt"], 64) ?? "";
    if (type === "GET_USER") return { ...readable(told), ...(await deployment(told)) };
    if (type === "CONNECT_SOCIAL") return { ...readable(await ask("GET_USER", { chainId: chains.eip155 })), userName: told["userName"] || null };
    if (type === "CONNECT_FARCASTER") return { userName: text(told["userName"], 100) ?? "" };
    return told;
  }

  /** Whether the account is a smart account where it can be one; of a Safe that is told already. */
  async function deployment({ address = null, chainId }: DataObject): Promise<object> {
    const chain = caip2(chainId as ChainName);
    if (!meta("smart-accounts") || !chain.startsWith("eip155:")) return {};
    const { api } = await parts;
    const { result } = await api.call("/v1/rpc", { chain, method: "eth_getCode", params: [address, "latest"] }).catch((): DataObject => ({}));
    return { smartAccountDeployed: text(result, 48)?.toLowerCase() === delegation(DELEGATE) };
  }

  async function request({ method, params = null, chainId }: DataObject, origin: string): Promise<object> {
    const name = text(method, 64) ?? "";
    const chain = readChain({ chainId }) ?? (name.startsWith("solana_") ? chains.solana : chains.eip155);
    if (OURS.test(name)) {
      const asked = { method: name, params: name.startsWith("solana_") ? toBase64(params) : params, chainId: chain, site: { origin } };
      const signed: Data = await ask("RPC_REQUEST", asked);
      return (name.startsWith("solana_") ? toBase58(signed) : signed) as object;
    }
    const { api, login } = await parts;
    const user = await login.userWithWallet();
    if (name === "eth_accounts") return [user.wallet!.evm];
    const { result, rpcError } = await api.call("/v1/rpc", { chain: caip2(chain), method: name, params: params ?? [] });
    if (isObject(rpcError)) throw rpcError;
    return (result ?? null) as object;
  }

  place.addEventListener("message", ({ source, origin, data }) => {
    if (source !== (place.parent as unknown) || !origins.has(origin)) return;
    const message = readMessage(data);
    if (!message?.id) return;
    const to: Asked = { origin, id: message.id, type: message.type };
    void (async () => carryOut(message.type, readPayload(message.payload), origin))().then(
      (payload) => answer(to, "SUCCESS", payload),
      (error: unknown) => fail(to, error),
    );
  });

  port2.onmessage = ({ data }: MessageEvent) => {
    const { id = "", type, payload } = data as { id?: string; type: string; payload: DataObject };
    const waits = questions.get(id);
    questions.delete(id);
    if (waits) waits({ type, payload });
    // It carries nothing that another page may not see.
    else if (type === `${FRAME}READY`) place.parent.postMessage({ type, payload: { version: text(payload["version"], 20) ?? "" } }, "*");
  };
  take(port1);
}

/** What the client's schema takes: an address of a mailbox, or none. */
const readable = (user: DataObject): DataObject => ({ ...user, email: user["email"] || null });

const recode = (from: (given: string) => Uint8Array, to: (bytes: Uint8Array) => string) => {
  const one = (given: Data | undefined): Data | undefined => (typeof given === "string" ? to(from(given)) : given);
  return (given: Data): Data => {
    if (!isObject(given)) return given;
    const { transaction, transactions } = given;
    return {
      ...given,
      ...(transaction !== undefined && { transaction: one(transaction) }),
      ...(Array.isArray(transactions) && { transactions: transactions.map((each) => one(each) ?? null) }),
    };
  };
};

/** The client has transactions in base58, our requests in base64. */
const toBase64 = recode((given) => base58.decode(given), (bytes) => base64(bytes as never));
const toBase58 = recode((given) => unbase64(given), (bytes) => base58.encode(bytes));
