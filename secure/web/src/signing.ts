/** Requests of the host: the script that reads them is fetched for the first; each that is to be approved has the screen for itself. */
import type { Data } from "./clean";
import { FrameError, invalid, rejected, UNSUPPORTED } from "./errors";
import { base58, checksummed, keccak, signDigest, signSolana } from "./keys";
import type { RpcRequest } from "./protocol";
import type { Screen } from "./screen";
import { loadGrants, loadLater, loadSmartAccount, type RequestsScript, type Signer } from "./scripts";
import { malformed } from "./user";

const CORE = { keccak, base58, checksummed, signDigest, signSolana, FrameError, invalid, rejected, malformed, loadLater, loadSmartAccount, loadGrants };

type Parts = Signer & { screen: Screen };

export class Requests {
  readonly core = CORE;
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
    const { method } = request;
    const { login, screen } = this.#parts;
    const { METHODS, READS, answerRead, answerRequest } = await this.#second();
    if (READS.has(method)) return answerRead(request, await login.userWithWallet(), this.#parts, CORE);
    if (!METHODS.has(method)) throw new FrameError(`${method} is not supported`, UNSUPPORTED);
    return screen.run(async (turn) => answerRequest(request, await login.userWithWallet(), turn, this.#parts, CORE));
  }
}
