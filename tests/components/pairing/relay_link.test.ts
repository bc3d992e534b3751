/** What a refusal of the relay means, and for whom. */
import { describe, expect, it } from "vitest";
import { RelayLink } from "../../../components/pairing/relay_link";

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
});
