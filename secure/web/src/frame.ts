/** What the modal may ask for over the port, and how each is answered. */
import { loadLater, loadSafe } from "./scripts";
import type { Screen } from "./screen";
import type { Login } from "./login";
import type { Api } from "./api";
import type { Custody } from "./custody";
import type { Requests } from "./signing";
import type { User } from "./user";
import { MemoryStore, type Store } from "./storage";
import type { DataObject } from "./clean";
import { isFrameError, INTERNAL } from "./errors";
import { caip2, FRAME, need, needCode, readChain, readMessage, readPayload, readRequest, VERSION, type ChainName } from "./protocol";
import { applyTheme } from "./theme";
import { meta } from "./elements";
import { speak } from "./language";

/** Of every site; its page names more. */
export const CAPABILITIES = ["email", "passkey", "recovery", "eip155", "solana"];

export interface Parts {
  api: Api;
  custody: Custody;
  login: Login;
  screen: Screen;
  requests: Requests;
  store: Store;
}

type Answer = object | string | void;
type Handler = (payload: DataObject) => Answer | Promise<Answer>;

/** Serves one port until the page ends. */
export class Frame {
  readonly #port: MessagePort;
  readonly #parts: Promise<Parts>;
  readonly #open = new Set<string>();

  /** What came before the parts are ready waits for them. */
  constructor(port: MessagePort, parts: Promise<Parts>) {
    this.#port = port;
    this.#parts = parts;
    port.onmessage = (event: MessageEvent) => void this.#serve(event.data);
  }

  /** Tells that the frame is there. `logins`: ways to log in that this site has besides email. */
  async ready(logins = ""): Promise<void> {
    await this.#parts;
    this.tell("READY", { version: VERSION, capabilities: [...CAPABILITIES, ...(logins.match(/\w+/g) ?? [])] });
  }

  /** Says something that nobody has asked for. */
  tell(type: string, payload: object): void {
    this.#port.postMessage({ type: FRAME + type, payload });
  }

  async #serve(given: unknown): Promise<void> {
    const message = readMessage(given);
    // An id that is still being served would have two answers.
    if (!message || (message.id && this.#open.has(message.id))) return;
    const { id, type } = message;
    if (id) this.#open.add(id);
    let answer;
    try {
      const parts = await this.#parts;
      // What is not needed at once is the third script's, and so is to say what nobody knows.
      const serve = handlers(parts)[type] ?? (async (payload) => (await speak(), await loadLater()).serve(type, payload, parts));
      answer = { type: `${FRAME + type}_SUCCESS`, payload: (await serve(readPayload(message.payload))) ?? {} };
    } catch (error) {
      answer = { type: `${FRAME + type}_ERROR`, payload: describe(error) };
    }
    this.#open.delete(id);
    this.#port.postMessage(id ? { id, ...answer } : answer);
  }
}

function describe(error: unknown): object {
  if (!isFrameError(error)) return { message: "Something went wrong", code: INTERNAL };
  const { message, code, reason, data } = error;
  return { message, code, reason, data };
}

/** By type; without a prototype, so that `constructor` is none of them. */
function handlers(parts: Parts): Partial<Record<string, Handler>> {
  const { login, screen, requests, store } = parts;
  const chain = async (): Promise<ChainName> => ((await store.get("chain")) as ChainName | undefined) ?? 1;
  const remember = async (given: ChainName) => {
    await store.put("chain", given);
    return { chainId: given };
  };
  const userOf = async (payload: DataObject, user?: Promise<User>) => {
    const asked = readChain(payload);
    const [{ id, email, wallet }, kept, social, preferred] = await Promise.all([user ?? login.userWithWallet(), chain(), store.get("social"), store.get("accountType")]);
    const chainId = asked ?? kept;
    const { user: owner, provider, userName } = (social ?? {}) as DataObject;
    const addresses = { eip155: wallet!.evm, solana: wallet!.solana };
    const isSolana = caip2(chainId).startsWith("solana:");
    const address = isSolana ? addresses.solana : addresses.eip155;
    const types = isSolana || !meta("smart-accounts") ? ["eoa"] : ["eoa", "smartAccount"];
    // The answer first: the script is not needed for it.
    setTimeout(() => requests.preload());
    const told = {
      ...{ email, address, chainId, addresses, preferredAccountType: types.includes(preferred as string) ? preferred : types.at(-1) },
      ...(owner === id && { provider, userName }),
      accounts: types.map((type) => ({ address, type })),
    };
    return meta("safe") ? (await speak(), await loadSafe()).withSafe(told as DataObject, payload, parts) : told;
  };
  const table: Record<string, Handler> = {
    CONNECT_EMAIL: (payload) => login.begin(need(payload, "email")),
    CONNECT_OTP: async (payload) => {
      const entering = login.enter(needCode(payload, "otp"));
      // It reads what is kept while the server looks at the code. What fails here fails again when the accounts are asked for next.
      const sent = new Promise((done) => setTimeout(done));
      const user = sent.then(() => userOf({}, entering.then(() => login.userWithWallet()))).catch(() => undefined);
      // A wallet that is still to be made nobody waits for here.
      return (await entering).wallet ? user : undefined;
    },
    // Where the browser denies storage, nothing of a login outlives the page.
    IS_CONNECTED: async () => ({ isConnected: await login.isConnected(), ...(store instanceof MemoryStore && { forgets: true }) }),
    GET_USER: userOf,
    GET_CHAIN_ID: async () => ({ chainId: await chain() }),
    SWITCH_NETWORK: (payload) => remember(readChain({ chainId: payload["chainId"] ?? "" }) as ChainName),
    RPC_REQUEST: (payload) => requests.run(readRequest(payload)),
    RPC_ABORT: () => screen.abort(),
    SIGN_OUT: () => (screen.abort(), login.end()),
    SYNC_THEME: (payload) => applyTheme(payload),
    // The frame shows what the browser says of the site, not what the site says of itself.
    SYNC_DAPP_DATA: () => undefined,
  };
  return Object.assign(Object.create(null) as object, table);
}
