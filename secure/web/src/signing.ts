/** Requests of the host: the script that reads them is fetched for the first; each has the screen for itself. */
import type { Api } from "./api";
import type { Custody } from "./custody";
import { FrameError, rejected, UNSUPPORTED } from "./errors";
import { base58, checksummed, keccak, signDigest, signSolana } from "./keys";
import type { Login } from "./login";
import type { RpcRequest } from "./protocol";
import type { Screen } from "./screen";
import { loadLater, type RequestsScript } from "./scripts";
import { malformed } from "./user";

const METHODS = new Set([
  "personal_sign",
  "eth_signTypedData_v4",
  "eth_sendTransaction",
  "solana_signMessage",
  "solana_signTransaction",
  "solana_signAllTransactions",
  "solana_signAndSendTransaction",
]);

const CORE = { keccak, base58, checksummed, signDigest, signSolana, FrameError, rejected, malformed, loadLater };

interface Parts {
  api: Api;
  login: Login;
  custody: Custody;
  screen: Screen;
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

  /** Has a request approved and signed; returns what a wallet answers to it. */
  async run(request: RpcRequest): Promise<string | object> {
    if (!METHODS.has(request.method)) throw new FrameError(`${request.method} is not supported`, UNSUPPORTED);
    const { login, screen } = this.#parts;
    return screen.run(async (turn) => {
      const user = await login.userWithWallet();
      const { answerRequest } = await this.#second();
      return (await answerRequest(request, user, turn, this.#parts, CORE)) as string | object;
    });
  }
}
