/** Requests of the host: the script that reads them is fetched for the first. */
import type { Api } from "./api";
import { isObject, type Data } from "./clean";
import type { Custody } from "./custody";
import { FrameError, rejected } from "./errors";
import { base58, checksummed, keccak, signDigest, signSolana } from "./keys";
import type { Login } from "./login";
import type { RpcRequest } from "./protocol";
import type { Screen } from "./screen";
import { loadLater, loadSmartAccount, type RequestsScript } from "./scripts";
import type { Store } from "./storage";
import { malformed } from "./user";

const CORE = { keccak, base58, checksummed, signDigest, signSolana, FrameError, rejected, loadLater, loadSmartAccount };

interface Parts {
  api: Api;
  login: Login;
  custody: Custody;
  screen: Screen;
  store: Store;
  asking(said: string): { origin: string; vouched: boolean };
}

export class Requests {
  readonly #parts: Parts;
  readonly #second: () => Promise<RequestsScript>;

  constructor(parts: Parts, second: () => Promise<RequestsScript>) {
    this.#parts = parts;
    this.#second = second;
  }

  /** Fetches the script that reads requests before one comes. */
  preload(): void {
    this.#second().catch(() => undefined);
  }

  /** Has a request approved and signed, or answers what nobody has to approve; returns what a wallet answers to it. */
  async run(request: RpcRequest): Promise<Data> {
    const { answerRequest } = await this.#second();
    return answerRequest(request, { ...this.#parts, node: (chain, method, params) => this.node(chain, method, params) }, CORE);
  }

  /** Asks a node of a network; its own refusal has the reason `rpc`. */
  async node(chain: string, method: string, params: Data): Promise<Data> {
    const { result, rpcError } = await this.#parts.api.call("/v1/rpc", { chain, method, params });
    if (!isObject(rpcError)) {
      if (result === undefined) throw malformed();
      return result;
    }
    const { code, message, data } = rpcError;
    const words = typeof message === "string" && message ? message.slice(0, 500) : "The network has refused the request";
    throw new FrameError(words, typeof code === "number" ? code : undefined, "rpc", data);
  }
}
