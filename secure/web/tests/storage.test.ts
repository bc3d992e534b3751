import { describe, expect, it, vi } from "vitest";
import { Device } from "../src/device";
import { openStore } from "../src/storage";

describe("the store", () => {
  it("keeps a device's keys, which no script can take away", async () => {
    const first = await Device.open(await openStore());
    const again = await Device.open(await openStore());
    expect(again.id).toBe(first.id);
    const kept = (await (await openStore()).get("device")) as Record<string, CryptoKey>;
    expect([kept["sealing"]?.extractable, kept["signing"]?.extractable]).toEqual([false, false]);
  });

  it("gives two tabs the keys of the first", async () => {
    const store = await openStore();
    await store.delete("device");
    const [one, other] = await Promise.all([Device.open(await openStore()), Device.open(await openStore())]);
    expect(one.id).toBe(other.id);
  });

  it("unseals only for the same context", async () => {
    const device = await Device.open(await openStore());
    const sealed = await device.seal(new Uint8Array([1, 2, 3]), "kim");
    expect([...(await device.unseal(sealed, "kim"))]).toEqual([1, 2, 3]);
    await expect(device.unseal(sealed, "lee")).rejects.toThrow();
  });

  it.each(["throws", "fails", "is not there"])("is memory where IndexedDB %s", async (how) => {
    const denied = { open: () => {
      if (how === "throws") throw new DOMException("denied", "SecurityError");
      const opening = {} as IDBOpenDBRequest;
      queueMicrotask(() => opening.onerror?.(new Event("error")));
      return opening;
    } };
    vi.stubGlobal("indexedDB", how === "is not there" ? undefined : denied);
    try {
      const store = await openStore();
      const device = await Device.open(store);
      expect((await Device.open(store)).id).toBe(device.id);
      await store.put("a", 1);
      await store.delete("a");
      expect(await store.get("a")).toBeUndefined();
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
