/** Events: whoever listens hears of them, and breaks nobody else. */
type Listener = (payload: unknown) => void;

export class Emitter {
  readonly #listeners = new Map<string, Set<Listener>>();

  on(event: string, listener: Listener): this {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return this;
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.get(event)?.delete(listener);
    return this;
  }

  emit(event: string, payload?: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        listener(payload);
      } catch (error) {
        // A page's faulty listener is that page's to see, and must not break the wallet.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
