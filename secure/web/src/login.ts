/** The way in by email, and the session that comes of it. */
import type { Api } from "./api";
import { text, type DataObject } from "./clean";
import type { Custody } from "./custody";
import { FrameError, isFrameError, recoveryNeeded, unauthorized } from "./errors";
import type { Store } from "./storage";
import { malformed, readUser, type User } from "./user";

/** A mail may take the server long, on a connection that is slow besides, ms: what is given up is sent all the same. */
const MAIL = 60_000;

/** What a login is taken up by. */
export const readKept = (store: Store) => Promise.all([store.get("session"), store.get("user")]);

export class Login {
  readonly #api: Api;
  readonly #store: Store;
  readonly #custody: Custody;
  readonly #ended: () => void;
  #waiting: AbortController | null = null;
  #user: User | null = null;
  /** The user is the one that was kept, and the server has not been asked yet. */
  #remembered = false;
  #wallet: Promise<User> | null = null;
  #beginning: { email: string; answer: Promise<DataObject> } | null = null;
  /** By kind; of this page, which need not ask the disk. */
  readonly #attempts = new Map<string, string>();

  /** `ended` is called when a session ends that nobody here has ended. */
  constructor(api: Api, store: Store, custody: Custody, ended: () => void) {
    this.#api = api;
    this.#store = store;
    this.#custody = custody;
    this.#ended = ended;
    api.onSessionEnd = () => void this.#forget().then(() => this.#ended());
  }

  /** Takes up the session that this device holds, and whom it knows by it. */
  async resume(reading = readKept(this.#store)): Promise<void> {
    const [session, kept] = await reading;
    this.#api.session = text(session) ?? "";
    const { of, user } = (kept ?? {}) as { of?: string; user?: User };
    if (!session || of !== session || !user) return;
    this.#user = user;
    this.#remembered = true;
  }

  /** Sends a code to an address; who asks again meanwhile waits for the same one. */
  async begin(email: string): Promise<DataObject> {
    if (this.#beginning?.email !== email) this.#beginning = { email, answer: this.#begin(email, this.waits()) };
    const own = this.#beginning;
    try {
      return await own.answer;
    } finally {
      if (this.#beginning === own) this.#beginning = null;
    }
  }

  /** A wallet is made while the visitor reads the mail. */
  async #begin(email: string, signal: AbortSignal): Promise<DataObject> {
    const answer = await this.attempt("login", "/v1/login/email", { email }, signal);
    const attempt = await this.attemptOf("login");
    // An account that the login makes is called as its attempt.
    this.#custody.prepare(attempt);
    void this.#giveEscrow(attempt).catch(() => undefined);
    return answer;
  }

  /** So that the code need not wait for the recovery service; what has not got there by then is given with the wallet. */
  async #giveEscrow(attempt: string): Promise<void> {
    const escrow = (await this.#custody.prepared(attempt))?.escrow;
    if (escrow) await this.#api.call("/v1/login/escrow", { attempt, escrow });
  }

  /** Ends what was waited for; the signal ends what is waited for next, as whatever begins or ends a login does. */
  waits(): AbortSignal {
    this.cancel();
    return (this.#waiting = new AbortController()).signal;
  }

  /** Nobody waits any more. */
  cancel(): void {
    this.#waiting?.abort();
  }

  /** Signs in with the code of the mail; returns who that is. */
  async enter(otp: string): Promise<User> {
    const attempt = await this.attemptOf("login");
    const wallet = await this.#custody.prepared(attempt);
    const user = await this.begun(await this.#api.call("/v1/login/otp", { attempt, otp, wallet }));
    this.#attempts.delete("login");
    void this.#store.delete("attempt:login").catch(() => undefined);
    return user;
  }

  /** Takes over the session that the server has begun; returns whose it is. */
  async begun(answer: DataObject): Promise<User> {
    const session = text(answer["session"]);
    if (!session) throw malformed();
    const user = readUser(answer["user"]);
    this.#api.session = session;
    this.took(user);
    // The accounts need not wait for the disk; a session that it does not take lasts as long as the page.
    void this.#store.put("session", session).catch(() => undefined);
    return user;
  }

  /** The user who is signed in; raises 4100 when nobody is. */
  async user(): Promise<User> {
    if (!this.#api.session) throw unauthorized();
    return this.#user ?? this.took(readUser((await this.#api.call("/v1/me"))["user"]));
  }

  async isConnected(): Promise<boolean> {
    // Another tab may have signed in since.
    if (!this.#api.session) await this.resume();
    if (!this.#api.session) return false;
    if (this.#remembered && this.#user) {
      // A page that was loaded anew need not wait for the server to say what it said before.
      this.#remembered = false;
      void this.#confirm(this.#user);
      return true;
    }
    try {
      this.#user = null;
      await this.user();
      return true;
    } catch (error) {
      // Who cannot be asked may well be connected.
      if (isFrameError(error) && error.reason === "session") return false;
      throw error;
    }
  }

  /** Asks the server whether what was remembered still holds; a session that has ended tells of itself. */
  async #confirm({ id, device }: User): Promise<void> {
    try {
      const user = this.took(readUser((await this.#api.call("/v1/me"))["user"]));
      if (user.id !== id || user.device !== device) this.#ended();
    } catch {
      // Who cannot be asked has said nothing else.
    }
  }

  /** The user with a wallet that this device can open: made for whom has none. Two callers get the same. */
  userWithWallet(): Promise<User> {
    return (this.#wallet ??= this.#openWallet().finally(() => (this.#wallet = null)));
  }

  async #openWallet(): Promise<User> {
    const user = await this.user();
    const owner = user.wallet ? user : await this.#custody.create(user);
    // Somebody else may have signed in meanwhile.
    if (this.#user !== user) throw unauthorized();
    if (owner !== user) this.took(owner);
    await this.#custody.discard(owner.id);
    if (!(await this.#custody.holds(owner))) throw recoveryNeeded();
    return owner;
  }

  /** Takes over what the server has told of the user. */
  took(user: User): User {
    this.#user = user;
    // Without a wallet there is nothing to come back to.
    if (user.wallet) void this.#store.put("user", { of: this.#api.session, user }).catch(() => undefined);
    return user;
  }

  /** Ends the session at the server and here; the device's half stays. */
  async end(): Promise<void> {
    this.cancel();
    // The session is gone here whatever the server answers; it forgets one that is not used.
    if (this.#api.session) await this.#api.call("/v1/logout").catch(() => undefined);
    await this.#forget();
  }

  async #forget(): Promise<void> {
    const { session } = this.#api;
    this.#api.session = "";
    this.#user = null;
    await this.#custody.discard();
    // Another tab may have signed in anew, which is its own affair.
    if ((await this.#store.get("session")) === session) {
      await Promise.all(["session", "user", "social", "accountType", "bundles"].map((key) => this.#store.delete(key)));
    }
  }

  /** Begins or continues something that a mail is sent for. */
  async attempt(kind: string, path: string, body: object, signal?: AbortSignal): Promise<DataObject> {
    const { attempt, action, words, retryAfter } = await this.#api.call(path, body, { timeout: MAIL, signal });
    signal?.throwIfAborted();
    if (!text(attempt, 200)) throw malformed();
    this.#attempts.set(kind, text(attempt, 200)!);
    // The page may be loaded anew before the mail is there.
    await this.#store.put(`attempt:${kind}`, attempt);
    return { action: text(action, 64), words: text(words, 100), retryAfter: typeof retryAfter === "number" ? retryAfter : undefined };
  }

  /** What was begun; raises where nothing was. */
  async attemptOf(kind: string): Promise<string> {
    const attempt = this.#attempts.get(kind) ?? text(await this.#store.get(`attempt:${kind}`));
    if (!attempt) throw new FrameError("This browser has kept nothing of this login. Please enter your email again", undefined, "attempt");
    return attempt;
  }
}
