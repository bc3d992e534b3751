/** The wire between page and wallet: two object streams, joined end to end, as an extension's port joins them. */
import { Duplex } from "readable-stream";

/** A stream whose writes are read at its other end, copied on the way like anything that crosses a process border. */
class ChannelEnd extends Duplex {
  private peer: ChannelEnd | undefined;

  constructor() {
    super({ objectMode: true });
  }

  join(peer: ChannelEnd): void {
    this.peer = peer;
  }

  override _read(): void {}

  override _write(message: unknown, _encoding: string, done: (error?: Error | null) => void): void {
    const copy = structuredClone(message);
    queueMicrotask(() => {
      if (this.peer && !this.peer.destroyed) this.peer.push(copy);
    });
    done();
  }
}

/** Two ends; `[page, wallet]`. */
export function channel(): [Duplex, Duplex] {
  const page = new ChannelEnd();
  const wallet = new ChannelEnd();
  page.join(wallet);
  wallet.join(page);
  return [page, wallet];
}
