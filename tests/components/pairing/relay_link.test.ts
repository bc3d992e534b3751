/** What refusals and delays of the relay mean, and for whom. */
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { connectRelay, PATIENCE, RelayLink, SILENCE } from "../../../components/pairing/relay_link";

const REFUSAL = new Error("Unauthorized: invalid key");

function never(): Promise<never> {
  return new Promise(() => undefined);
}

describe("a refusal", () => {
  it("ends the question in the relay's words", async () => {
    const link = new RelayLink();
    const asked = link.insist(never);
    link.refused(REFUSAL);
    await expect(asked).rejects.toBe(REFUSAL);
  });

  it("that comes late, from a connection of the question before, does not end the next one", async () => {
    const link = new RelayLink();
    const before = link.insist(never);
    link.refused(REFUSAL);
    await expect(before).rejects.toBe(REFUSAL);
    let times = 0;
    const next = link.insist(() => (++times === 1 ? never() : Promise.resolve("a code")));
    link.refused(REFUSAL);
    await expect(next).resolves.toBe("a code");
  });

  it("that comes again ends the next question as well", async () => {
    const link = new RelayLink();
    const before = link.insist(never);
    link.refused(REFUSAL);
    await expect(before).rejects.toBe(REFUSAL);
    const next = link.insist(() => {
      queueMicrotask(() => link.refused(REFUSAL));
      return never();
    });
    await expect(next).rejects.toBe(REFUSAL);
  });

  it("reaches a question that was asked while another one was waiting", async () => {
    const link = new RelayLink();
    let settle: (code: string) => void = () => undefined;
    const before = link.insist(() => new Promise<string>((resolve) => (settle = resolve)));
    const next = link.insist(never);
    settle("a code");
    await before;
    link.refused(REFUSAL);
    await expect(next).rejects.toBe(REFUSAL);
  });
});

describe("a relay that is slow", () => {
  let link: RelayLink;
  let relayer: EventEmitter & { connected: boolean };
  beforeEach(() => {
    vi.useFakeTimers();
    link = new RelayLink();
    relayer = Object.assign(new EventEmitter(), { connected: false });
    link.watch(relayer);
  });
  afterEach(() => vi.useRealTimers());

  /** How the question stands. */
  function asking(): { stands: string } {
    const asked = { stands: "waiting" };
    link.insist(never).catch((error: Error) => {
      asked.stands = error.message;
    });
    return asked;
  }
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

  it("is given up when it gives no sign of life", async () => {
    const asked = asking();
    await pass(SILENCE - 1);
    expect(asked.stands).toBe("waiting");
    await pass(1);
    expect(asked.stands).toBe("The relay cannot be reached");
  });

  it.each(["relayer_connect", "relayer_message_ack"])("is waited for anew after %s", async (sign) => {
    const asked = asking();
    await pass(SILENCE - 1);
    relayer.emit(sign);
    await pass(SILENCE - 1);
    expect(asked.stands).toBe("waiting");
    await pass(1);
    expect(asked.stands).toBe("The relay cannot be reached");
  });

  it("is given up in the end, whatever it says meanwhile", async () => {
    const asked = asking();
    for (let second = 1; second < PATIENCE / 1_000; second++) {
      await pass(1_000);
      relayer.emit("relayer_message_ack");
    }
    expect(asked.stands).toBe("waiting");
    await pass(1_000);
    expect(asked.stands).toBe("The relay cannot be reached");
  });

  it("is left without timers once it has answered", async () => {
    await link.insist(async () => "a code");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("has its connection timed", async () => {
    const connection = new EventEmitter();
    link.follow(connection);
    await pass(5_000);
    connection.emit("connect");
    await pass(1_000);
    expect(link.opening).toBe(5_000);
  });
});

describe("connecting", () => {
  it.each([
    ["a connection that stands is left alone", true, false, 0],
    ["without one, one is opened", false, false, 1],
    ["one that is not ready yet is waited for", true, true, 1],
  ])("%s", async (_, connected, connecting, times) => {
    const transportOpen = vi.fn(async () => undefined);
    await connectRelay({ connected, connecting, transportOpen });
    expect(transportOpen).toHaveBeenCalledTimes(times);
  });
});
