/** What becomes of the connection to the relay while something is asked of it. */
import { PairingError } from "./types";

/** As the SDK's relayer names them. */
type Relayer = {
  on(event: "relayer_connect" | "relayer_disconnect" | "relayer_message_ack", listener: () => void): void;
  connected: boolean;
};
type Opening = { connected: boolean; connecting: boolean; transportOpen(): Promise<void> };
type Connection = { on(event: "connect" | "error", listener: (error?: unknown) => void): void };

/** Connections that may be lost before a proposal is given up. */
const ATTEMPTS = 3;
/** How long the relay may leave a proposal without a sign of life, ms; the SDK itself would try for a minute. */
export const SILENCE = 8_000;
/** How long a proposal may take in all, ms. */
export const PATIENCE = 30_000;

class LostError extends Error {}

/** Connects where no connection stands: the SDK's `transportOpen` would close one that does, and open another. */
export async function connectRelay(relayer: Opening): Promise<void> {
  if (!relayer.connected || relayer.connecting) await relayer.transportOpen();
}

/** Somebody who waits for the relay's answer: told of signs of life, and of the end. */
class Waiting {
  fail: (error: unknown) => void = () => undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  readonly #patience = setTimeout(() => this.#giveUp(), PATIENCE);

  constructor() {
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#giveUp(), SILENCE);
  }

  end(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#patience);
  }

  #giveUp(): void {
    this.fail(new PairingError(-32603, "The relay cannot be reached"));
  }
}

export class RelayLink {
  /** How long the last connection took to open, ms. */
  opening = 0;
  readonly #waiting = new Set<Waiting>();
  #refusals = 0;
  #connected = false;

  /** Follows a relayer's connections. */
  watch(relayer: Relayer): void {
    this.#connected = relayer.connected;
    relayer.on("relayer_connect", () => {
      this.#connected = true;
      this.#heard();
    });
    relayer.on("relayer_message_ack", () => this.#heard());
    relayer.on("relayer_disconnect", () => {
      // One that never stood is tried again by the SDK.
      if (this.#connected) this.#fail(new LostError("The relay has hung up"));
      this.#connected = false;
    });
  }

  /** Follows one connection, which begins to open. */
  follow(connection: Connection): void {
    const begun = Date.now();
    connection.on("connect", () => {
      this.opening = Date.now() - begun;
    });
    connection.on("error", (error) => this.refused(error));
  }

  /** The relay turned us away; its words are the error. */
  refused(error: unknown): void {
    this.#refusals++;
    this.#fail(error);
  }

  /** Asks until there is an answer or a refusal: on a lost connection the SDK itself would wait for one that cannot come. */
  async insist<T>(ask: () => Promise<T>): Promise<T> {
    // The SDK may still be connecting for the question that was refused before: the first refusal may be another one's.
    let doubtful = this.#refusals > 0;
    const waiting = new Waiting();
    this.#waiting.add(waiting);
    try {
      for (let attempt = 1; ; attempt++) {
        const before = this.#refusals;
        try {
          return await new Promise<T>((resolve, reject) => {
            waiting.fail = reject;
            ask().then(resolve, reject);
          });
        } catch (error) {
          const doubted = doubtful && this.#refusals > before;
          if (doubted) doubtful = false;
          if (!(error instanceof LostError || doubted) || attempt === ATTEMPTS) throw error;
        }
      }
    } finally {
      this.#waiting.delete(waiting);
      waiting.end();
    }
  }

  #heard(): void {
    for (const waiting of this.#waiting) waiting.heard();
  }

  #fail(error: unknown): void {
    for (const waiting of this.#waiting) waiting.fail(error);
  }
}
