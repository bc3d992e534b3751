/** Requests of the host: read here, approved by the visitor, signed with a key that exists for that moment. */
import type { Api } from "./api";
import type { Card } from "./cards/card";
import { isObject, type Data } from "./clean";
import type { Custody } from "./custody";
import { FrameError, rejected, UNSUPPORTED } from "./errors";
import { base58, checksummed, keccak, signDigest, signSolana, type Addresses } from "./keys";
import type { Login } from "./login";
import type { RpcRequest } from "./protocol";
import type { Screen } from "./screen";
import { loadSmartAccount, type Asked, type RequestsScript } from "./scripts";
import type { Store } from "./storage";
import { malformed } from "./user";

const CORE = { keccak, base58, checksummed, signDigest, signSolana, FrameError, loadSmartAccount };

export class Requests {
  readonly #api: Api;
  readonly #login: Login;
  readonly #custody: Custody;
  readonly #screen: Screen;
  readonly #store: Store;
  readonly #second: () => Promise<RequestsScript>;
  readonly #asking: (said: string) => { origin: string; vouched: boolean };

  constructor(
    parts: { api: Api; login: Login; custody: Custody; screen: Screen; store: Store },
    second: () => Promise<RequestsScript>,
    asking: (said: string) => { origin: string; vouched: boolean },
  ) {
    ({ api: this.#api, login: this.#login, custody: this.#custody, screen: this.#screen, store: this.#store } = parts);
    this.#second = second;
    this.#asking = asking;
  }

  /** Fetches the script that reads requests before one comes. */
  preload(): void {
    this.#second().catch(() => undefined);
  }

  /** Has a request approved and signed, or answers what nobody has to approve; returns what a wallet answers to it. */
  async run(request: RpcRequest): Promise<Data> {
    const { method } = request;
    const { METHODS, READS, readWallet, readRequest, askConsent, askInWindow } = await this.#second();
    if (READS.has(method)) return readWallet(await this.#asked(request), CORE);
    if (!METHODS.has(method)) throw new FrameError(`${method} is not supported`, UNSUPPORTED);
    return this.#screen.run(async (turn) => {
      const user = await this.#login.userWithWallet();
      const who = this.#asking(request.site);
      const plan = await readRequest(await this.#asked(request), CORE);
      const { network, account } = plan;
      const card: Card = { ...plan.summary, ...who, network, account, hint: request.hint };
      const consent = askConsent(card, () => askInWindow(card, turn.signal));
      turn.signal.addEventListener("abort", consent.stop);
      turn.show(consent.card);
      document.getElementById("title")?.focus({ preventScroll: true });
      if (!(await consent.given)) throw rejected();
      // What the visitor has approved is carried out, also when the modal is closed meanwhile.
      turn.commit();
      consent.working();
      const signed = await this.#custody.withKeys(user, plan.sign, () => this.#custody.serverHalf(/l_sign$|ssage$/.test(method) ? "sign" : "transfer"));
      return (await plan.send?.(signed)) ?? signed;
    });
  }

  async #asked({ method, params, chain, site }: RpcRequest): Promise<Asked> {
    const { wallet } = await this.#login.userWithWallet();
    const node = (asked: string, given: Data, other = chain) => this.node(other, asked, given);
    return { method, params, chain, origin: this.#asking(site).origin, addresses: wallet as Addresses, node, store: this.#store };
  }

  /** Asks a node of a network; its own refusal has the reason `rpc`. */
  async node(chain: string, method: string, params: Data): Promise<Data> {
    const { result, rpcError } = await this.#api.call("/v1/rpc", { chain, method, params });
    if (!isObject(rpcError)) {
      if (result === undefined) throw malformed();
      return result;
    }
    const { code, message, data } = rpcError;
    const words = typeof message === "string" && message ? message.slice(0, 500) : "The network has refused the request";
    throw new FrameError(words, typeof code === "number" ? code : undefined, "rpc", data);
  }
}
