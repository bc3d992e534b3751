/** What becomes of the connection to the relay while something is asked of it. */

/** As the SDK's relayer names them. */
type Relayer = { on(event: "relayer_connect" | "relayer_disconnect", listener: () => void): void; connected: boolean };

/** Connections that may be lost before a proposal is given up. */
const ATTEMPTS = 3;

class LostError extends Error {}

export class RelayLink {
  #fail: ((error: unknown) => void) | null = null;
  #refusals = 0;
  #connected = false;

  /** Follows a relayer's connections. */
  watch(relayer: Relayer): void {
    this.#connected = relayer.connected;
    relayer.on("relayer_connect", () => {
      this.#connected = true;
    });
    relayer.on("relayer_disconnect", () => {
      // One that never stood is tried again by the SDK.
      if (this.#connected) this.#fail?.(new LostError("The relay has hung up"));
      this.#connected = false;
    });
  }

  /** The relay turned us away; its words are the error. */
  refused(error: unknown): void {
    this.#refusals++;
    this.#fail?.(error);
  }

  /** Asks until there is an answer or a refusal: on a lost connection the SDK itself would wait for one that cannot come. */
  async insist<T>(ask: () => Promise<T>): Promise<T> {
    // The SDK may still be connecting for the question that was refused before: the first refusal may be another one's.
    let doubtful = this.#refusals > 0;
    for (let attempt = 1; ; attempt++) {
      const before = this.#refusals;
      try {
        return await new Promise<T>((resolve, reject) => {
          this.#fail = reject;
          ask().then(resolve, reject);
        });
      } catch (error) {
        const doubted = doubtful && this.#refusals > before;
        if (doubted) doubtful = false;
        if (!(error instanceof LostError || doubted) || attempt === ATTEMPTS) throw error;
      } finally {
        this.#fail = null;
      }
    }
  }
}
