/**
 * The wallet's key: sixteen random bytes made here, split by XOR into sets of two halves, one set for each device and one for recovery.
 *
 * Neither half says anything about the key. They meet here alone, for one use, and are overwritten afterwards.
 */
import { base64url, random, unbase64url, wipe, xor, type Bytes } from "./bytes";
import { text, type DataObject } from "./clean";
import type { Api } from "./api";
import type { Device, Sealed } from "./device";
import { sealTo } from "./ecies";
import { FrameError, isFrameError, recoveryNeeded } from "./errors";
import { addressesOf, deriveKeys, type Addresses, type Keys } from "./keys";
import type { Store } from "./storage";
import { malformed, readAddresses, readUser, type User } from "./user";

const SIZE = 16;
/** What sealing to the recovery service is for. */
export const ESCROW = "walletmodal escrow 1";

interface Prepared {
  entropy: Bytes;
  deviceHalf: Bytes;
  recoveryHalf: Bytes;
  addresses: Addresses;
}

/** What was made for one user: the disk has the device's half, and `body` is what the server is told. */
interface Kept extends Prepared {
  user: string;
  body: Body;
}

/** `escrow`: the recovery half, sealed to the recovery service; absent where escrow is off. */
type Body = Addresses & { site: string; deviceHalf: string; recoveryHalf: string; escrow?: string };

const wrongKey = () => new FrameError("The key of this device is not that of the wallet. Recover the wallet", undefined, "wrong_key");

export class Custody {
  readonly #store: Store;
  readonly #device: Device;
  readonly #api: Api;
  /** The recovery service's point; empty where escrow is off. */
  readonly #recoveryKey: string;
  /** The page around the frame, as the browser says; "" where it does not. */
  readonly site: string;
  #prepared: Promise<Prepared | Kept | null> | null = null;
  /** Where this page has put a half itself. */
  #place = "";
  /** What the server may have taken without our hearing of it: the next try must register the same halves. */
  #unanswered: Kept | null = null;

  constructor(store: Store, device: Device, api: Api, recoveryKey: string, site = "") {
    this.#store = store;
    this.#device = device;
    this.#api = api;
    this.#recoveryKey = recoveryKey;
    this.site = site;
  }

  /**
   * Makes a key ahead of the login, which is used if the visitor turns out to have no wallet. `user`: what an account is called that the
   * login makes; then the server can be told of its wallet together with the code. Each such login has a key of its own: what became of the
   * one before is not always known here.
   */
  prepare(user = ""): void {
    if (this.#prepared && !user) return;
    const making = prepare();
    // Where this device cannot keep it the login goes on without, and what is asked of it then says why.
    this.#prepared = (user ? making.then((made) => this.#keep(user, made)) : making).catch(() => null);
  }

  /** What the server is told of the wallet that was prepared for `user`; undefined where none was. */
  prepared(user: string): Promise<Body | undefined> {
    return this.withPrepared(user, (body) => body);
  }

  /** What `use` makes of that, and of the wallet's root. */
  async withPrepared<T>(user: string, use: (body: Body, root: Bytes) => T): Promise<T | undefined> {
    const ahead = await this.#prepared;
    return isKept(ahead) && ahead.user === user ? use(ahead.body, ahead.entropy) : undefined;
  }

  /** Forgets the key that was prepared; of one for another account than `user` this device keeps nothing. */
  async discard(user = ""): Promise<void> {
    const ahead = await this.#take(user);
    if (ahead) forget(ahead);
  }

  async #take(user: string): Promise<Prepared | Kept | null> {
    const taking = this.#prepared;
    this.#prepared = null;
    const ahead = await taking;
    if (!isKept(ahead) || !user || ahead.user === user) return ahead;
    void this.#store.delete(halfOf(ahead.user, ahead.addresses)).catch(() => undefined);
    forget(ahead);
    return null;
  }

  /** Whether this device has its half of the user's wallet, and the server the other. */
  async holds(user: User): Promise<boolean> {
    if (!user.device || !user.wallet) return false;
    const place = halfOf(user.id, user.wallet);
    return place === this.#place || (await this.#store.get(place)) !== undefined;
  }

  /**
   * Makes the wallet of a user who has none; returns the user as the server then has it.
   *
   * The device's half is kept under the address that it belongs to before the server hears of it. So a lost answer loses nothing, and of
   * two tabs or devices at once the first makes the wallet while the other takes what the server tells.
   */
  async create(user: User): Promise<User> {
    const made = this.#unanswered?.user === user.id ? this.#unanswered : await this.#make(user.id);
    this.#unanswered = made;
    const registered = await this.#register(made.body);
    if (registered.wallet?.evm.toLowerCase() !== made.addresses.evm.toLowerCase()) await this.#store.delete(halfOf(user.id, made.addresses));
    this.#unanswered = null;
    forget(made);
    return registered;
  }

  async #make(user: string): Promise<Kept> {
    const ahead = await this.#take(user);
    return isKept(ahead) ? ahead : this.#keep(user, ahead ?? (await prepare()));
  }

  async #keep(user: string, made: Prepared): Promise<Kept> {
    const { entropy, deviceHalf, recoveryHalf, addresses } = made;
    const place = halfOf(user, addresses);
    // Without it the wallet cannot be opened, so the disk has it before the server hears of the wallet.
    await this.#store.put(place, await this.#device.seal(deviceHalf, place), true);
    this.#place = place;
    const body = {
      ...addresses,
      site: this.site,
      deviceHalf: base64url(xor(entropy, deviceHalf)),
      recoveryHalf: base64url(xor(entropy, recoveryHalf)),
      ...(this.#recoveryKey && { escrow: base64url(await sealTo(unbase64url(this.#recoveryKey, 65), recoveryHalf, ESCROW, user)) }),
    };
    return { ...made, user, body };
  }

  async #register(body: object): Promise<User> {
    for (let attempt = 1; ; attempt++) {
      try {
        return readUser((await this.#api.call("/v1/wallet", body))["user"]);
      } catch (error) {
        if (!isFrameError(error)) throw error;
        // Another tab or device was first, or we were, and did not hear of it.
        if (error.reason === "wallet_exists") return readUser((error.data as { user?: never })?.user);
        if (!isLost(error) || attempt > 1) throw error;
      }
    }
  }

  /** Joins the halves for one use, and overwrites the keys and the root when `use` is done. `half`: gives the server's. */
  async withKeys<T>(user: User, use: (keys: Keys, root: Bytes) => T, half = () => this.serverHalf()): Promise<T> {
    if (!user.wallet) throw recoveryNeeded();
    const place = halfOf(user.id, user.wallet);
    const [last, former, answer] = await Promise.all([this.#store.get(place), this.#store.get(formerOf(place)), half()]);
    if (!last) throw recoveryNeeded();
    const secrets: Uint8Array[] = [];
    try {
      const server = readHalf(answer);
      secrets.push(server);
      // The former one fits where the server has not taken the set of the last one.
      for (const sealed of former ? [last, former] : [last]) {
        const own = await this.#device.unseal(sealed as Sealed, place);
        const entropy = xor(own, server);
        secrets.push(own, entropy);
        const keys = await deriveKeys(entropy);
        secrets.push(keys.evm, keys.solana);
        if (isSame(addressesOf(keys), user.wallet)) return use(keys, entropy);
      }
      throw wrongKey();
    } finally {
      wipe(...secrets);
    }
  }

  /** The server's half. `use`: `sign` for messages alone; what moves value waits on a device that was recovered lately, unless what is `measured` is small. */
  async serverHalf(use = "transfer", measured: object = {}): Promise<unknown> {
    try {
      return (await this.#api.call("/v1/wallet/half", { use, ...measured }))["half"];
    } catch (error) {
      if (isFrameError(error) && error.reason === "device_unknown") throw recoveryNeeded();
      throw error;
    }
  }

  /**
   * Opens the wallet on this device with another set: its half `own`, and the server's in `answer`, with leave to make the device a set of
   * its own. Overwrites `own`.
   */
  async adopt(user: User, own: Bytes, answer: DataObject): Promise<User> {
    const secrets: Uint8Array[] = [own];
    try {
      const grant = text(answer["grant"]);
      if (!grant) throw malformed();
      const serverHalf = readHalf(answer["serverHalf"]);
      const entropy = xor(own, serverHalf);
      secrets.push(serverHalf, entropy);
      const keys = await deriveKeys(entropy);
      secrets.push(keys.evm, keys.solana);
      const wallet = user.wallet ?? readAddresses(answer);
      if (!isSame(addressesOf(keys), wallet)) throw wrongKey();
      const deviceHalf = random(SIZE);
      secrets.push(deviceHalf);
      const place = halfOf(user.id, wallet);
      // Another tab may have done the same: whose set the server takes in the end, and whether it takes this one, is not known here.
      const former = await this.#store.get(place);
      if (former) await this.#store.put(formerOf(place), former, true);
      await this.#store.put(place, await this.#device.seal(deviceHalf, place), true);
      return await this.#registerDevice({ deviceHalf: base64url(xor(entropy, deviceHalf)), grant, site: this.site });
    } finally {
      wipe(...secrets);
    }
  }

  async #registerDevice(body: object): Promise<User> {
    try {
      return readUser((await this.#api.call("/v1/wallet/device", body))["user"]);
    } catch (error) {
      if (!isFrameError(error) || !isLost(error)) throw error;
      // The grant is good once: whether it was taken, the server says.
      const user = readUser((await this.#api.call("/v1/me"))["user"]);
      return user.device ? user : readUser((await this.#api.call("/v1/wallet/device", body))["user"]);
    }
  }
}

async function prepare(): Promise<Prepared> {
  const entropy = random(SIZE);
  const keys = await deriveKeys(entropy);
  const addresses = addressesOf(keys);
  wipe(keys.evm, keys.solana);
  return { entropy, addresses, deviceHalf: random(SIZE), recoveryHalf: random(SIZE) };
}

const isKept = (ahead: Prepared | Kept | null): ahead is Kept => !!ahead && "user" in ahead;

const forget = (made: Prepared): void => wipe(made.entropy, made.deviceHalf, made.recoveryHalf);

/** Where a device's half is kept, and what its sealing is bound to. */
export const halfOf = (user: string, wallet: Addresses): string => `half:${user}:${wallet.evm.toLowerCase()}`;

/** Where the half is kept that was there before the last one. */
const formerOf = (place: string): string => `former:${place}`;

/** Has this device keep nothing of a wallet. */
export async function dropHalves(store: Store, place: string): Promise<void> {
  await Promise.all([store.delete(place), store.delete(formerOf(place))]);
}

function readHalf(given: unknown): Bytes {
  try {
    return unbase64url(text(given) ?? "", SIZE);
  } catch {
    throw malformed();
  }
}

const isSame = (one: Addresses, other: Addresses): boolean =>
  one.evm.toLowerCase() === other.evm.toLowerCase() && one.solana === other.solana;

const isLost = (error: FrameError): boolean => error.reason === "unreachable" || error.reason === "timeout";
