import { beforeEach, describe, expect, it, vi } from "vitest";
import { Api } from "../src/api";
import { base64url, random, unbase64url, xor, type Bytes } from "../src/bytes";
import { Custody } from "../src/custody";
import { Device } from "../src/device";
import { oneTimeKey, openSealed, rawPoint, sealTo } from "../src/ecies";
import { addressesOf, deriveKeys } from "../src/keys";
import { recoverByCode } from "../src/later/recovery";
import { MemoryStore } from "../src/storage";
import type { User } from "../src/user";
import { failure, refusal, Server, type Handler } from "./server";

const KIM: User = { id: "kim", email: "kim@example.org", wallet: null, device: false, escrow: false, frozenUntil: null, heldUntil: null };

interface Kept {
  evm: string;
  solana: string;
  recoveryHalf: string;
  escrow: string;
  halves: Map<string, string>;
}

/** A server with one user, who may have a wallet. */
async function makeServer() {
  const service = await oneTimeKey();
  let wallet: Kept | null = null;
  const state = { grants: new Set<string>() };
  const user = (headers: Headers) => ({
    ...{ id: "kim", email: "kim@example.org", escrow: true, frozenUntil: null, heldUntil: null },
    wallet: wallet && { evm: wallet.evm, solana: wallet.solana },
    device: wallet?.halves.has(headers.get("x-device") ?? "") ?? false,
  });
  const handlers: Record<string, Handler> = {
    "/v1/me": (_, headers) => ({ user: user(headers) }),
    "/v1/wallet": (body, headers) => {
      if (wallet) return refusal(409, "wallet_exists", { user: user(headers) });
      const { evm = "", solana = "", deviceHalf = "", recoveryHalf = "", escrow = "" } = body;
      wallet = { evm, solana, recoveryHalf, escrow, halves: new Map([[headers.get("x-device") ?? "", deviceHalf]]) };
      return { user: user(headers) };
    },
    "/v1/wallet/half": (_, headers) => {
      const half = wallet?.halves.get(headers.get("x-device") ?? "");
      return half ? { half } : refusal(404, "device_unknown");
    },
    "/v1/wallet/device": (body, headers) => {
      if (!state.grants.delete(body["grant"] ?? "")) return refusal(403, "grant");
      wallet?.halves.set(headers.get("x-device") ?? "", body["deviceHalf"] ?? "");
      return { user: user(headers) };
    },
    "/v1/recovery/finish": async (body) => {
      if (!wallet || body["code"] !== "12345678") return refusal(400, "invalid_code");
      const half = await openSealed(service.privateKey, unbase64url(wallet.escrow), "walletmodal escrow 1", "kim");
      const grant = `grant ${server.calls.length}`;
      state.grants.add(grant);
      const sealed = await sealTo(unbase64url(body["key"] ?? "", 65), half, "walletmodal recovery 1", "kim");
      return { recoveryHalf: base64url(sealed), serverHalf: wallet.recoveryHalf, grant, evm: wallet.evm, solana: wallet.solana };
    },
  };
  const server = new Server(handlers);
  return { server, recoveryKey: base64url(await rawPoint(service.publicKey)), wallet: () => wallet as Kept };
}

/** One device, or one tab where the store is given. */
async function makeDevice(recoveryKey: string, store = new MemoryStore()) {
  const device = await Device.open(store);
  const api = new Api(device);
  const custody = new Custody(store, device, api, recoveryKey);
  return { store, device, custody, recover: (user: User, code: string) => recoverByCode(user, code, api, custody) };
}

let site: Awaited<ReturnType<typeof makeServer>>;

beforeEach(async () => {
  site = await makeServer();
});

const address = (custody: Custody, user: User) => custody.withKeys(user, (keys) => addressesOf(keys));

describe("a wallet", () => {
  it("opens with the device's half and the server's, and with neither alone", async () => {
    const { custody } = await makeDevice(site.recoveryKey);
    const user = await custody.create(KIM);
    expect(await address(custody, user)).toEqual(user.wallet);
    for (const half of [...site.wallet().halves.values(), site.wallet().recoveryHalf]) {
      expect(addressesOf(await deriveKeys(unbase64url(half, 16)))).not.toEqual(user.wallet);
    }
  });

  it("is known to the device before the server hears of it", async () => {
    const { custody, store } = await makeDevice(site.recoveryKey);
    const kept: string[] = [];
    const put = store.put.bind(store);
    store.put = async (key, value) => (kept.push(`${key}, calls ${site.server.calls.length}`), put(key, value));
    const user = await custody.create(KIM);
    expect(kept).toEqual([`half:kim:${user.wallet?.evm.toLowerCase()}, calls 0`]);
  });

  it("is the same when the answer to its making was lost", async () => {
    const { custody } = await makeDevice(site.recoveryKey);
    site.server.lost.push("/v1/wallet");
    const user = await custody.create(KIM);
    expect(user.wallet?.evm).toBe(site.wallet().evm);
    expect(await address(custody, user)).toEqual(user.wallet);
  });

  it("is the same when every answer was lost and the visitor tries again", async () => {
    const { custody } = await makeDevice(site.recoveryKey);
    site.server.lost.push("/v1/wallet", "/v1/wallet");
    expect((await failure(custody.create(KIM))).reason).toBe("unreachable");
    const user = await custody.create(KIM);
    expect(await address(custody, user)).toEqual(user.wallet);
  });

  it("whose half the device could not keep is not made, and the next tab makes one", async () => {
    const { custody, store } = await makeDevice(site.recoveryKey);
    const crashed = vi.spyOn(store, "put").mockRejectedValue(new Error("the tab has crashed"));
    await expect(custody.create(KIM)).rejects.toThrow("the tab has crashed");
    expect([site.server.paths(), site.wallet()]).toEqual([[], null]);
    crashed.mockRestore();
    const later = await makeDevice(site.recoveryKey, store);
    const user = await later.custody.create(KIM);
    expect(await address(later.custody, user)).toEqual(user.wallet);
  });

  it("is there when the tab crashed between its making and the answer", async () => {
    const { custody, store } = await makeDevice(site.recoveryKey);
    site.server.lost.push("/v1/wallet", "/v1/wallet");
    await failure(custody.create(KIM));
    const later = await makeDevice(site.recoveryKey, store);
    const user = { ...KIM, device: true, wallet: { evm: site.wallet().evm, solana: site.wallet().solana } };
    expect(await later.custody.holds(user)).toBe(true);
    expect(await address(later.custody, user)).toEqual(user.wallet);
  });

  it("is one when two tabs make it at once", async () => {
    const one = await makeDevice(site.recoveryKey);
    const other = await makeDevice(site.recoveryKey, one.store);
    const [first, second] = await Promise.all([one.custody.create(KIM), other.custody.create(KIM)]);
    expect(first.wallet).toEqual(second.wallet);
    expect(await address(one.custody, first)).toEqual(first.wallet);
    expect(await address(other.custody, second)).toEqual(first.wallet);
  });

  it("that another device made first is taken as the server tells it", async () => {
    const other = await makeDevice(site.recoveryKey);
    const made = await other.custody.create(KIM);
    const { custody } = await makeDevice(site.recoveryKey);
    const user = await custody.create(KIM);
    expect(user.wallet).toEqual(made.wallet);
    expect(await custody.holds(user)).toBe(false);
    expect((await failure(address(custody, user))).reason).toBe("recovery_needed");
  });

  it("never gets the key that was prepared for another user", async () => {
    const { custody } = await makeDevice(site.recoveryKey);
    site.server.lost.push("/v1/wallet", "/v1/wallet");
    await failure(custody.create(KIM));
    const evm = site.wallet().evm;
    await custody.discard();
    const body = () => site.server.calls[site.server.calls.length - 1]?.body["evm"];
    await custody.create({ ...KIM, id: "lee" });
    expect(body()).not.toBe(evm);
  });

  it("is not made of overwritten bytes when the visitor signs out meanwhile", async () => {
    const { custody } = await makeDevice(site.recoveryKey);
    custody.prepare();
    const [user] = await Promise.all([custody.create(KIM), custody.discard()]);
    expect(await address(custody, user)).toEqual(user.wallet);
  });
});

describe("keys", () => {
  it("are overwritten after their use, also when it fails", async () => {
    const { custody } = await makeDevice(site.recoveryKey);
    const user = await custody.create(KIM);
    const seen: Uint8Array[] = [];
    await custody.withKeys(user, (keys, root) => seen.push(keys.evm, keys.solana, root));
    const failed = custody.withKeys(user, (keys, root) => {
      seen.push(keys.evm, keys.solana, root);
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(seen.map((key) => key.every((byte) => byte === 0))).toEqual(Array(6).fill(true));
  });

  it("of another wallet sign nothing", async () => {
    const { custody, device } = await makeDevice(site.recoveryKey);
    const user = await custody.create(KIM);
    site.wallet().halves.set(device.id, base64url(random(16)));
    const used: unknown[] = [];
    expect((await failure(custody.withKeys(user, (keys) => used.push(keys)))).reason).toBe("wrong_key");
    expect(used).toEqual([]);
  });

  it.each(["A", "AAAA", "not base64!", "A".repeat(23)])("are not made of a half that is none: %s", async (half) => {
    const { custody, device } = await makeDevice(site.recoveryKey);
    const user = await custody.create(KIM);
    site.wallet().halves.set(device.id, half);
    expect((await failure(address(custody, user))).message).toBe("The wallet service gave an answer that cannot be read");
  });

  it("of one user's half do not open for another", async () => {
    const { custody, store, device } = await makeDevice(site.recoveryKey);
    const user = await custody.create(KIM);
    const [place] = [`half:kim:${user.wallet?.evm.toLowerCase()}`];
    await store.put(place.replace("kim", "lee"), await store.get(place));
    site.wallet().halves.set(device.id, site.wallet().halves.get(device.id) as string);
    await expect(address(custody, { ...user, id: "lee" })).rejects.toThrow();
  });
});

describe("recovery", () => {
  async function onNewDevice() {
    const old = await makeDevice(site.recoveryKey);
    const user = await old.custody.create(KIM);
    return { old, user, fresh: await makeDevice(site.recoveryKey) };
  }

  it("gives the device a set of its own, and leaves the other's alone", async () => {
    const { old, user, fresh } = await onNewDevice();
    const found = await fresh.recover({ ...user, device: false }, "12345678");
    expect(await fresh.custody.holds(found)).toBe(true);
    expect(await address(fresh.custody, found)).toEqual(user.wallet);
    expect(await address(old.custody, user)).toEqual(user.wallet);
    const [one, other] = [...site.wallet().halves.values()].map((half) => unbase64url(half) as Bytes);
    expect(xor(one as Bytes, other as Bytes).some((byte) => byte !== 0)).toBe(true);
  });

  it("is done when the answer to its end was lost", async () => {
    const { user, fresh } = await onNewDevice();
    site.server.lost.push("/v1/wallet/device");
    const found = await fresh.recover(user, "12345678");
    expect(await address(fresh.custody, found)).toEqual(user.wallet);
  });

  it("in a second tab that the server does not take leaves the first one's set", async () => {
    const { user, fresh } = await onNewDevice();
    const found = await fresh.recover(user, "12345678");
    const second = await makeDevice(site.recoveryKey, fresh.store);
    site.server.fails("/v1/wallet/device");
    expect((await failure(second.recover(user, "12345678"))).reason).toBe("unavailable");
    expect(await address(second.custody, found)).toEqual(user.wallet);
  });

  it("in two tabs at once opens the wallet with the set that the server took last", async () => {
    const { user, fresh } = await onNewDevice();
    const second = await makeDevice(site.recoveryKey, fresh.store);
    site.server.meanwhile("/v1/wallet/device", () => second.recover(user, "12345678"));
    const found = await fresh.recover(user, "12345678");
    expect(await address(fresh.custody, found)).toEqual(user.wallet);
    expect(await address(second.custody, found)).toEqual(user.wallet);
  });

  it("with a wrong code leaves nothing behind", async () => {
    const { user, fresh } = await onNewDevice();
    expect((await failure(fresh.recover(user, "00000000"))).reason).toBe("invalid_code");
    expect(await fresh.custody.holds({ ...user, device: true })).toBe(false);
  });

  it("of another wallet is refused before anything is kept", async () => {
    const { user, fresh } = await onNewDevice();
    site.wallet().recoveryHalf = base64url(random(16));
    expect((await failure(fresh.recover(user, "12345678"))).reason).toBe("wrong_key");
    expect(await fresh.custody.holds({ ...user, device: true })).toBe(false);
  });

  it("cannot be promised where escrow is off", async () => {
    const { custody } = await makeDevice("");
    await custody.create(KIM);
    expect(site.server.calls.map((call) => call.body["escrow"])).toEqual([undefined]);
  });
});
